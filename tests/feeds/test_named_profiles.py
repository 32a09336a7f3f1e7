"""A feed that names a profile uses it, and applies nothing that another one mapped."""

import pytest

from common import clock
from feeds import services
from imports.models import Profile
from tests.feeds.conftest import imports_of, run_twice, work
from tests.feeds.test_six_weeks import ADA, OTHERS, RENAMED, accept, apply, confirm, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def bring(feed, put, time):
    """Return a function that brings a file a week later, and returns its import."""

    def bring(text: str, name: str):
        put(name, text)
        feed.refresh_from_db()
        run_twice(feed, time)
        work(feed)
        return imports_of(feed)[-1]

    return bring


def decide(record, feed, first: str) -> str:
    """Map and apply an import as a person does; return the profile that was saved."""
    confirm(record, {first: "p.number", **OTHERS})
    work(feed)
    accept(record)
    apply(record)
    work(feed)
    return Profile.objects.order_by("pk").last().public_id


def name(feed, profile: str) -> None:
    services.change_feed(feed=feed, changes={"profile_id": profile}, actor=ADA, at=clock.now())


def test_the_named_profile_is_used_and_another_one_is_not_enough(feed, bring):
    first = decide(bring(rows(40), "w0.csv"), feed, "Number")
    name(feed, first)
    usual = bring(rows(41), "w1.csv")
    assert (usual.state, usual.decided.profile["id"]) == ("applied", first)

    other = decide(bring(rows(42, header=RENAMED), "w2.csv"), feed, "Member no.")
    assert other != first
    waiting = bring(rows(43, header=RENAMED), "w3.csv")
    assert (waiting.state, waiting.decided.profile["id"]) == ("review", other)
    assert "mapping_is_new" in [reason["code"] for reason in waiting.held]

    accept(waiting)
    apply(waiting)
    work(feed)
    name(feed, other)
    assert bring(rows(44, header=RENAMED), "w4.csv").state == "applied"


def test_a_profile_that_was_deleted_holds_the_imports(feed, bring):
    name(feed, decide(bring(rows(40), "w0.csv"), feed, "Number"))
    Profile.objects.all().delete()
    record = bring(rows(41), "w1.csv")

    assert record.state == "mapping"
