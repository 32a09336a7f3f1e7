"""A new transform keeps the edits whose cells still exist, and lists the others."""

import numpy as np
import pytest

from common import clock
from imports import services
from staging import pages
from staging import services as staging
from staging.edits import preparation
from staging.selectors import orphaned_edits, table_of
from tests.staging.conftest import FIELDS, ROWS, stage_texts
from tests.staging.test_editing import edit

pytestmark = pytest.mark.django_db


def replayed(record, columns=ROWS, **more):
    record.refresh_from_db()
    former = services.rows_of(record)
    revision = stage_texts(record.public_id, columns, **more)
    return table_of(staging.rebase(former=former, revision=revision, at=clock.now()))


def shown(table):
    return pages.shown(table, np.arange(table.row_count))


@pytest.mark.parametrize("limit", [0, 10_000])  # as files, and as an overlay
def test_edits_and_exclusions_survive_a_new_transform(in_review, monkeypatch, limit):
    monkeypatch.setattr(preparation, "MAX_OVERLAY", limit)
    record = in_review()
    edit(record, {(1, "e.amount"): "2", (0, "e.id"): "K9"})
    edit(record, {(1, "e.amount"): "3"}, exclude={4})
    before = shown(services.rows_of(record))

    table = replayed(record)

    assert shown(table) == before
    assert table.revision.kind == "replay"
    assert orphaned_edits(table.revision) == []


def test_a_row_left_out_makes_no_duplicate_after_a_new_transform_either(in_review):
    record = in_review()
    edit(record, exclude={0})

    table = replayed(record)

    assert shown(table)[2]["issues"] == shown(services.rows_of(record))[2]["issues"]
    assert "unique" not in table.revision.counts["byCode"]


def test_edits_follow_their_row_of_the_file(in_review):
    record = in_review()
    edit(record, {(3, "e.amount"): "44"})
    later = {name: values[2:] for name, values in ROWS.items()}

    table = replayed(record, later, first_row=3)

    assert [row["values"]["e.amount"] for row in shown(table)] == [3, 44, 5, 600]


def test_edits_without_a_cell_are_listed_until_they_are_confirmed(in_review):
    record = in_review()
    edit(record, {(0, "e.amount"): "44", (3, "e.note"): "n", (3, "e.amount"): "4"}, exclude={1})
    later = {name: values[2:] for name, values in ROWS.items() if name != "note"}
    fields = [field for field in FIELDS if field["key"] != "note"]

    table = replayed(record, later, first_row=3, fields=fields)

    assert shown(table)[1]["values"]["e.amount"] == 4
    lost = orphaned_edits(table.revision)
    assert {(e.source, e.field, e.text) for e in lost} == {
        (1, "e.amount", "44"),
        (4, "e.note", "n"),
        (2, "", "excluded"),
    }
    record.revision = table.revision.number
    assert services.confirm_lost(record=record) == 3
    assert orphaned_edits(table.revision) == []


def test_a_transform_without_edits_stays_as_it_is(in_review):
    record = in_review()

    assert replayed(record).revision.kind == "transform"
