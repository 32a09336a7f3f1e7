"""An import of a customer is made again as it was, whatever became of catalog and session."""

import copy
from datetime import timedelta

import pytest

from common import clock
from imports import services
from imports.models import ImportRecord
from licensing import sessions
from licensing.models import PageSession
from tests.api.test_customers import (
    LOCKER,
    MEMBERS,
    members,
    open_page,
    option,
    record_at,
    reviewed,
    rows_of,
    server,
)
from tests.imports.conftest import owner

__all__ = ["members", "open_page", "owner", "server"]  # fixtures

pytestmark = pytest.mark.django_db


@pytest.fixture
def special(open_page) -> ImportRecord:
    """Return an edited import of a session with an overlay and a context."""
    page = open_page(
        scope="gym-de",
        fields={
            "member.number": {
                "alternativeMatches": ["Vertragskennung"],
                "validations": [{"validate": "regex", "regex": "^[A-Z]-"}],
            },
            "member.fee": {"hidden": True},
        },
        extraFields=[LOCKER],
        context={"currency": "CHF", "options": {"member.status": {"add": [option("trial")]}}},
    )
    address = reviewed(
        page, "Vertragskennung,Name,Status,Locker\nA-1,Anna,trial,7\n2,Bert,active,x\n"
    )
    edit = {"revision": 1, "edits": [{"row": 1, "field": "member.locker", "text": "8"}]}
    answer = page.patch(f"{address}/rows", edit, format="json")
    assert answer.status_code == 200, answer.content
    assert rows_of(page, address)[0]["values"]["member.currency"] == "CHF"
    return record_at(address)


def changed(record: ImportRecord, **members) -> ImportRecord:
    """Store other settings for an import, as nothing in the engine does."""
    ImportRecord.objects.filter(pk=record.pk).update(**members)
    return ImportRecord.objects.get(pk=record.pk)


def test_the_rows_are_the_same_when_catalog_and_session_are_gone(special, members):
    later = copy.deepcopy(MEMBERS)
    later["entries"][0]["fields"][0]["key"] = "contract"
    later["entries"][0]["fields"][2]["dropdownOptions"] = [option("former")]
    members(later)
    sessions.forget_ended(at=clock.now() + timedelta(days=30))
    assert not PageSession.objects.exists()

    replayed = services.replay(record=special, at=clock.now())

    assert replayed.before == replayed.after
    assert replayed.after.count == 2
    assert replayed.differing_parts == ()
    assert replayed.is_identical


@pytest.mark.parametrize(
    "name", ["label", "validations"], ids=["which shows nothing else", "which refuses a value"]
)
def test_another_overlay_is_noticed(name, special):
    overlay = copy.deepcopy(special.overlay)
    overlay["fields"]["member.number"][name] = "Nr." if name == "label" else []

    replayed = services.replay(record=changed(special, overlay=overlay), at=clock.now())

    assert not replayed.is_identical
    assert replayed.differing_parts == ("catalog",)
    assert (replayed.before == replayed.after) == (name == "label")


def test_other_options_and_defaults_are_noticed(special):
    context = {**special.context, "defaults": {"member.currency": "EUR"}}

    replayed = services.replay(record=changed(special, context=context), at=clock.now())

    assert not replayed.is_identical
    assert replayed.differing_parts == ("context",)
    assert replayed.before != replayed.after
