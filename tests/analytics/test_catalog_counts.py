"""What is counted of a catalog: what people did, all steps, and what can be read."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analytics.by_catalog import counts
from analytics.by_catalog.corrected_headers import corrected
from analytics.days import Counts
from analytics.models import CorrectedHeader
from common import clock
from common.actors import ENGINE
from common.ids import new_id
from importengine.erasure import erase_scope
from imports.answers.questions import BY_EVIDENCE
from ledger import transitions
from ledger.models import Question
from ledger.services import copy_answers
from pipeline.proposal import ProposedColumn
from tests.analytics.orders import editor, imported, published, receiver
from tests.importengine.admin_rows import ADA

__all__ = ["editor", "imported", "published", "receiver"]  # fixtures


def test_steps_are_kept_and_names_are_dropped_with_all_their_counts(monkeypatch):
    monkeypatch.setattr(counts, "MOST_NAMES", 1)
    given = Counts({
        "reached:table": 1, "took:table:3": 1, "gave_up:table": 1, "left:table": 1,
        "asked:column:a": 2, "answered_s:column:a": 9, "edited_in:b": 1, "edited:b": 700,
    })  # fmt: skip

    kept = given - Counts({"edited_in:b": 1, "edited:b": 700})
    assert counts.capped(given) == kept


def open_question(tenant, subject: str) -> Question:
    return Question.objects.create(
        public_id=new_id("qst_"), tenant=tenant, subject=subject, kind="column",
        fingerprint=new_id("f"), asked_at=clock.now(), state=Question.State.OPEN,
    )  # fmt: skip


@pytest.mark.django_db
def test_only_what_people_decided_for_this_import_counts_as_asked(owner):
    at = clock.now()
    transitions.dismiss(
        question=open_question(owner, "rec_a"), actor=ENGINE, at=at, rule=BY_EVIDENCE
    )
    transitions.dismiss(question=open_question(owner, "rec_a"), actor=ADA, at=at)
    transitions.answer(question=open_question(owner, "rec_a"), value="x", actor=ADA, at=at)
    copy_answers(tenant=owner, subject="rec_a", to="rec_b", at=at)

    counted = [subject for subject, _ in counts._questions({"rec_a", "rec_b"})]
    assert counted == ["rec_a", "rec_a"]


def test_a_header_with_control_characters_is_not_counted():
    column = ProposedColumn(column="K\x07", field=None, score=0.0, reason="")

    assert list(corrected([column], {"K\x07": "order.depot"})) == []


@pytest.mark.django_db
def test_an_import_that_cannot_be_read_does_not_stop_the_others(
    imported, fold_later, caplog, owner
):
    unreadable = imported(scope="a")
    imported(scope="b")
    with connection.cursor() as cursor:
        update = "update imports_importrecord set parsed = %s where public_id = %s"
        cursor.execute(update, ['{"version": 99}', unreadable.id])
    for _ in range(3):
        fold_later()

    assert CorrectedHeader.objects.get().imports == 1
    assert f"cannot count corrections of {unreadable.id}: ValueError" in caplog.text
    with CaptureQueriesContext(connection) as queries:
        erase_scope(tenant=owner, scope="c", actor=ADA, at=clock.now())
    statements = [query["sql"] for query in queries]
    paused = next(n for n, sql in enumerate(statements) if "analytics_cursor" in sql)
    deleted = next(n for n, sql in enumerate(statements) if "analytics_correctedheader" in sql)
    assert paused < deleted
