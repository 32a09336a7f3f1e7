"""A weekly feed over six weeks: what is applied, asked and sent in each."""

import pytest

from changesets import services as changesets
from common import clock
from common.actors import Actor
from deliveries import services as deliveries
from deliveries.models import Delivery
from feeds.models import FeedRun
from imports import services as imports
from imports.models import ImportRecord
from ledger.selectors import open_questions
from references import services as references
from tests.feeds.conftest import imports_of, run_twice, work

pytestmark = pytest.mark.django_db
HEADER, RENAMED = "Number,Name,Joined", "Member no.,Name,Joined"
ADA = Actor("person", "user:1", "Ada")


OTHERS = {"Name": "p.name", "Joined": "p.joined"}


def rows(count: int, *, header: str = HEADER) -> str:
    lines = [f"M{n},Name {n},2026-01-{n % 28 + 1:02}" for n in range(count)]
    return "\n".join([header, *lines, ""])


@pytest.fixture
def week(feed, time, put, owner):
    """Return a function that puts a file, lets a week pass, and says what happened in it."""
    deliveries.register(
        tenant=owner,
        url="https://h.example/staff",
        at=clock.now(),
        events_wanted=["import.waiting", "import.applied"],
        actions=[],
    )

    def pass_week(text: str, name: str) -> dict:
        before = set(ImportRecord.objects.values_list("pk", flat=True))
        sent = set(Delivery.objects.values_list("pk", flat=True))
        put(name, text)
        run_twice(feed, time)
        work(feed)
        return happened(feed, before, sent)

    return pass_week


def happened(feed, before, sent):
    new = [record for record in imports_of(feed) if record.pk not in before]
    deliveries = Delivery.objects.exclude(pk__in=sent).order_by("pk")
    return {
        "run": FeedRun.objects.filter(feed=feed).latest("pk").outcome,
        "states": [record.state for record in new],
        "held": [reason["code"] for record in new for reason in record.held or []],
        "rows": [delivery.row_count for delivery in deliveries if not delivery.event],
        "events": [delivery.event for delivery in deliveries if delivery.event],
    }


def confirm(record, mapping):
    imports.confirm_mapping(record=record, mapping=mapping, recipe=None, actor=ADA, at=clock.now())


def accept(record) -> list[str]:
    """Say of each finding that it is right; return what was asked."""
    questions = list(open_questions(record.tenant, record.public_id).filter(kind="drift"))
    for question in questions:
        imports.answer_question(question=question, value="right", actor=ADA, at=clock.now())
    record.refresh_from_db()
    return [question.evidence[0] for question in questions]


def apply(record):
    changesets.apply(
        record=record, apply_mode="webhook", invalid_rows="block", actor=ADA, at=clock.now()
    )


def test_what_is_applied_asked_and_sent_in_six_weeks(feed, week):
    learn_from(feed, week)

    usual, usual_again = week(rows(101), "w1.csv"), week(rows(102), "w2.csv")
    assert usual == {
        "run": "taken",
        "states": ["applied"],
        "held": [],
        "rows": [101],
        "events": ["import.applied"],
    }
    assert usual_again == usual | {"rows": [102]}

    assert week(rows(103, header=RENAMED), "w3.csv") == {
        "run": "taken",
        "states": ["mapping"],
        "held": [],
        "rows": [],
        "events": ["import.waiting"],
    }
    renamed = imports_of(feed)[-1]
    confirm(renamed, {"Member no.": "p.number", **OTHERS})
    work(feed)
    renamed.refresh_from_db()
    reasons = [reason["code"] for reason in renamed.held]
    assert reasons == ["mapping_is_new", "drift_column_renamed"]
    assert accept(renamed) == ["Column Number seems to be named Member no. now."]
    apply(renamed)
    work(feed)

    half = week(rows(50, header=RENAMED), "w4.csv")
    assert half == {
        "run": "taken",
        "states": ["review"],
        "held": ["too_many_missing_percent", "drift_rows_fewer"],
        "rows": [],
        "events": ["import.waiting"],
    }
    waits = imports_of(feed)[-1]

    assert week(rows(50, header=RENAMED), "w5.csv") == {
        "run": "taken",
        "states": [],
        "held": [],
        "rows": [],
        "events": [],
    }
    assert FeedRun.objects.latest("pk").counts["same"] == 1

    corrected = week(rows(105, header=RENAMED), "w6.csv")
    assert corrected == half | {"held": ["earlier_file_waits"]}
    changesets.cancel(record=waits, actor=ADA, at=clock.now())
    work(feed)
    last = imports_of(feed)[-1]
    assert (last.state, last.counts["rows"]) == ("applied", 105)
    assert [delivery.row_count for delivery in delivered()] == [100, 101, 102, 103, 105]


def delivered():
    return Delivery.objects.filter(event="").order_by("pk")


def learn_from(feed, week):
    """Let a person map the first file, and apply it; the host knows these members already."""
    items = [references.Item(f"r{n}", {"number": f"M{n}"}) for n in range(100)]
    references.upsert(tenant=feed.tenant, scope="", entity="p", items=items, at=clock.now())
    first = week(rows(100), "w0.csv")
    (record,) = imports_of(feed)
    confirm(record, {"Number": "p.number", **OTHERS})
    work(feed)
    record.refresh_from_db()
    assert (first["states"], record.state) == (["mapping"], "review")
    apply(record)
    work(feed)
