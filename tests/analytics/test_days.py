"""What happened on a day is counted once, for its tenant and for all."""

from datetime import timedelta
from itertools import pairwise

import pytest

from analytics import days, history_counts
from analytics.models import Day
from common import clock
from common.models import Move
from imports.models import ImportRecord
from ledger.models import Question
from licensing.models import Tenant
from tests.importengine.admin_rows import ADA

pytestmark = pytest.mark.django_db
AT = clock.now() - timedelta(days=1)
DAY = AT.date()


@pytest.fixture
def moved():
    """Return a function that makes an import of a tenant with a history, a minute a move."""

    def moved(*states: str, tenant: str = "tnt_ours", reason: str = "", purpose="import", at=AT):
        owner, _ = Tenant.objects.get_or_create(public_id=tenant, defaults={"created_at": at})
        record = ImportRecord.objects.create(
            public_id=f"rec_{ImportRecord.objects.count()}",
            tenant=owner,
            state="review",
            purpose=purpose,
            created_at=at,
            counts={"imported": 40},
        )
        for version, (before, after) in enumerate(pairwise(states), start=1):
            Move.objects.create(
                subject=record.public_id,
                from_state=before,
                to_state=after,
                version=version,
                actor=ADA.as_dict(),
                reason=reason,
                at=at + timedelta(minutes=version),
            )
        return record

    return moved


def stored(tenant: str, day=DAY) -> dict[str, int]:
    return dict(days.stored([tenant], since=day).get(day, {}))


APPLIED = ("reading", "transforming", "review", "applying", "applied")


def test_an_applied_import_counts_for_its_tenant_and_for_all(moved, fold_later):
    moved(*APPLIED)
    moved(*APPLIED, tenant="tnt_theirs")
    fold_later()
    fold_later()

    mine = stored("tnt_ours")
    assert (mine["uploaded"], mine["applied"], mine["rows"]) == (1, 1, 40)
    assert (stored("")["applied"], stored("")["rows"]) == (2, 80)


def test_nothing_is_counted_twice(moved, fold_later):
    moved(*APPLIED)
    for _ in range(4):
        fold_later()

    assert stored("")["applied"] == 1


def test_a_history_that_was_counted_for_metrics_is_counted_for_days_too(moved, fold_later):
    moved(*APPLIED)
    fold_later()
    fold_later()
    history_counts.Cursor.objects.filter(source__endswith="of_days").delete()
    Day.objects.all().delete()  # as before the upgrade that brought the table
    fold_later()
    fold_later()

    assert stored("")["applied"] == 1


def test_durations_run_from_the_upload_to_the_first_review(moved, fold_later):
    moved("reading", "transforming", "review", "transforming", "review", "applying", "applied")
    fold_later()
    fold_later()

    assert days.median(stored(""), days.TO_REVIEW) == pytest.approx(120, rel=0.1)
    assert days.median(stored(""), days.TO_APPLY) == pytest.approx(360, rel=0.1)
    assert sum(n for name, n in stored("").items() if name.startswith("to_review:")) == 1


def test_only_imports_that_asked_a_person_count_as_with_a_question(moved, fold_later):
    moved(*APPLIED)
    question(moved(*APPLIED))
    question(moved(*APPLIED), learned_from="ans_1")
    question(moved(*APPLIED), state="superseded")
    fold_later()
    fold_later()

    assert (stored("")["applied"], stored("")["without_question"]) == (4, 3)


def question(record: ImportRecord, *, state: str = "answered", learned_from: str = "") -> None:
    Question.objects.create(
        public_id=f"qst_{record.public_id}",
        tenant=record.tenant,
        subject=record.public_id,
        state=state,
        kind="category_value",
        fingerprint="f",
        asked_at=AT,
        answered_at=AT,
        learned_from=learned_from,
    )


def test_a_failure_is_counted_by_its_code(moved, fold_later):
    moved("reading", "failed", reason="too_many_rows")
    fold_later()
    fold_later()

    assert stored("tnt_ours")["failed"] == stored("tnt_ours")["problem:too_many_rows"] == 1


def test_an_apply_whose_revert_was_refused_counts_once(moved, fold_later):
    moved(*APPLIED, "reverting", "applied")
    fold_later()
    fold_later()

    assert stored("")["applied"] == 1


def test_samples_and_tests_do_not_count(moved, fold_later):
    moved(*APPLIED, purpose="sample")
    fold_later()
    fold_later()

    assert stored("") == {}


def test_days_older_than_those_shown_are_neither_counted_nor_kept(moved, fold_later):
    long_ago = clock.now() - timedelta(days=100)
    moved(*APPLIED, at=long_ago)
    Day.objects.create(tenant="", day=long_ago.date(), counts={"applied": 3})
    fold_later()
    fold_later()

    assert not Day.objects.exists()


def test_a_run_leaves_a_long_history_for_the_next(moved, fold_later, monkeypatch):
    monkeypatch.setattr(history_counts, "BATCH", 1)
    monkeypatch.setattr(history_counts, "MOST_BATCHES", 2)
    moved(*APPLIED)
    fold_later()
    half = Move.objects.count() - history_counts.Cursor.objects.get(source="moves_of_days").counted
    assert half > 0
    for _ in range(4):
        fold_later()

    assert stored("")["applied"] == 1
