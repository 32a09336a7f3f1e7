"""What an apply delivers: edited rows, no excluded ones, invalid values as null."""

import json

import pytest

from changesets import results, services
from changesets.services import write_deliveries
from common import clock
from common.errors import StaleState
from imports.models import ImportRecord
from imports.progress import Reporter
from tests.staging.conftest import ADA
from tests.staging.test_editing import edit

pytestmark = pytest.mark.django_db


def applied(record, *, invalid_rows):
    record.refresh_from_db()
    changeset = services.apply(
        record=record, apply_mode="browser", invalid_rows=invalid_rows, actor=ADA, at=clock.now()
    )
    record.refresh_from_db()
    write_deliveries(record, Reporter(record))
    changeset.refresh_from_db()
    return changeset


def edited_record(in_review):
    record = in_review()
    edit(record, {(5, "e.amount"): "7"}, exclude={0})
    return record


def test_edited_rows_are_delivered_and_left_out_rows_are_not(in_review):
    record = edited_record(in_review)

    changeset = applied(record, invalid_rows="exclude")
    page = results.page(changeset=changeset, offset=0, limit=100)

    assert [(row["e.id"], row["e.amount"]) for row in page.rows] == [("K4", None), ("K6", 7)]
    assert record.state == ImportRecord.State.APPLIED
    counts = record.counts
    assert (counts["imported"], counts["excluded"], counts["failed"]) == (2, 1, 3)
    assert counts["rows"] == counts["imported"] + counts["excluded"] + counts["failed"]


def test_included_invalid_values_are_null_and_named(in_review):
    record = edited_record(in_review)
    edit(record, {(5, "e.id"): "K4"})

    changeset = applied(record, invalid_rows="include")
    page = results.page(changeset=changeset, offset=0, limit=100)

    assert len(page.rows) == changeset.counts["imported"] == 5
    named = {(issue["row"], issue["field"], issue["code"]) for issue in page.row_issues}
    assert (0, "e.note", "too_long") in named
    assert {row for row, _, code in named if code == "unique"} == {4}  # row 0 is left out
    assert all(page.rows[row][field] is None for row, field, _ in named)


def test_pages_and_the_stream_give_the_same_rows(in_review):
    record = edited_record(in_review)
    changeset = applied(record, invalid_rows="include")

    rows, issues, offset = [], [], 0
    while offset is not None:
        page = results.page(changeset=changeset, offset=offset, limit=2)
        rows += page.rows
        issues += page.row_issues
        offset = page.next
    streamed = b"".join(results.stream(changeset=changeset)).splitlines()

    assert [json.loads(line) for line in streamed] == rows
    assert issues == results.page(changeset=changeset, offset=0, limit=100).row_issues


def test_an_import_that_is_not_applied_has_no_results(in_review):
    with pytest.raises(results.NotApplied):
        results.changeset_of(in_review())


def test_an_apply_does_not_lose_an_edit_made_at_the_same_moment(in_review):
    late = in_review()
    record = ImportRecord.objects.get(pk=late.pk)
    edit(record, {(5, "e.amount"): "7"})

    with pytest.raises(StaleState):
        services.apply(
            record=late, apply_mode="browser", invalid_rows="exclude", actor=ADA, at=clock.now()
        )

    late.refresh_from_db()
    assert late.state == ImportRecord.State.REVIEW
