"""Edits: what a changed cell does to its row, to rows like it, and to the counts."""

import pytest

from common import clock
from imports import services
from imports.models import ImportRecord
from staging import pages
from staging.changes import Changes, OverlappingEdits, UnknownCells
from staging.edits import preparation
from staging.models import CellEdit
from staging.services.undo_redo import LaterEdit, NothingToRedo, NothingToUndo
from tests.staging.conftest import ADA, BOB

pytestmark = pytest.mark.django_db


def edit(record, texts=(), *, actor=ADA, seen=None, exclude=(), include=()):
    record.refresh_from_db()
    changes = Changes(dict(texts), frozenset(exclude), frozenset(include))
    return services.edit_rows(
        record=record, seen=seen or record.revision, changes=changes, actor=actor, at=clock.now()
    )


def rows(record, revision=None):
    import numpy as np

    record.refresh_from_db()
    table = services.rows_of(record, revision)
    return pages.shown(table, np.arange(table.row_count))


def codes(row):
    return [(issue["field"], issue["code"]) for issue in row["issues"]]


def test_a_corrected_cell_has_a_value_and_no_issue(in_review):
    record = in_review()
    assert codes(rows(record)[1]) == [
        ("e.amount", "not_a_number"),
        ("e.mail", "required"),
        ("e.note", "too_long"),
    ]

    edit(record, {(1, "e.amount"): "2,500.25"})

    row = rows(record)[1]
    assert row["values"]["e.amount"] == 2500.25
    assert codes(row) == [("e.mail", "required"), ("e.note", "too_long")]
    assert row["edited"] == ["e.amount"]


def test_a_second_edit_of_a_row_keeps_the_first(in_review):
    record = in_review()

    edit(record, {(1, "e.amount"): "2"})
    edit(record, {(1, "e.mail"): "b@c.de", (1, "e.note"): "red"})

    row = rows(record)[1]
    assert (row["severity"], codes(row)) == ("valid", [])
    assert (row["values"]["e.amount"], row["values"]["e.mail"]) == (2, "b@c.de")


def test_a_cell_can_be_emptied(in_review):
    record = in_review()

    edit(record, {(0, "e.mail"): None})

    assert codes(rows(record)[0]) == [("e.mail", "required")]


def test_an_edit_moves_the_duplicates_it_touches(in_review):
    record = in_review()
    assert ("e.id", "unique") in codes(rows(record)[2])

    changed = edit(record, {(0, "e.id"): "K9"})

    assert ("e.id", "unique") not in codes(rows(record)[2])
    assert changed.rows == (0, 2)
    edit(record, {(5, "e.id"): "K9"})
    assert ("e.id", "unique") in codes(rows(record)[5])
    edit(record, {(0, "e.id"): "K1"})
    assert ("e.id", "unique") in codes(rows(record)[2])
    assert ("e.id", "unique") not in codes(rows(record)[5])


@pytest.mark.parametrize("limit", [0, 10_000], ids=["files", "overlay"])
def test_a_row_left_out_makes_no_other_a_duplicate(in_review, monkeypatch, limit):
    monkeypatch.setattr(preparation, "MAX_OVERLAY", limit)
    record = in_review()

    def repeating():
        return [row["row"] for row in rows(record) if ("e.id", "unique") in codes(row)]

    changed = edit(record, exclude={0})
    assert repeating() == []
    assert changed.counts["byCode"].get("unique") is None

    edit(record, {(5, "e.id"): "K1"})
    assert repeating() == [5]
    edit(record, {(0, "e.id"): "K4"})  # of the row that is out
    assert repeating() == [5]
    edit(record, {(0, "e.id"): "K1"}, include={0})
    assert repeating() == [2, 5]

    edit(record, exclude={2, 5})
    assert repeating() == []


def test_two_rules_about_unique_at_one_field_are_both_kept(in_review):
    rules = [{"validate": "unique"}, {"validate": "unique", "columns": ["note"]}]
    columns = {"id": ["K1", "K1", "K2", "K1"], "note": ["a", "a", "b", "b"]}
    record = in_review(columns, fields=[{"key": "id", "validations": rules}, {"key": "note"}])
    before = [row["issues"] for row in rows(record)]
    assert [len(issues) for issues in before] == [0, 2, 0, 1]

    edit(record, {(3, "e.note"): "a"})
    assert [len(row["issues"]) for row in rows(record)] == [0, 2, 0, 2]
    edit(record, {(3, "e.note"): "b"})

    assert [row["issues"] for row in rows(record)] == before


def test_duplicates_left_out_together_are_put_back_as_duplicates(in_review):
    record = in_review()

    edit(record, exclude={0, 2})
    edit(record, include={2})
    assert ("e.id", "unique") not in codes(rows(record)[2])
    edit(record, include={0})

    assert ("e.id", "unique") in codes(rows(record)[2])


def test_the_counts_follow_every_edit(in_review):
    record = in_review()

    edit(record, {(1, "e.amount"): "2", (1, "e.mail"): "b@c.de", (1, "e.note"): "red"})
    changed = edit(record, exclude={2, 4})

    severities = [row["severity"] for row in rows(record) if not row["excluded"]]
    counts = changed.counts
    for word in ("valid", "warning", "error"):
        assert counts[word] == severities.count(word)
    assert counts["excluded"] == 2
    assert counts["rows"] == sum(counts[w] for w in ("valid", "warning", "error", "excluded"))
    assert counts["byCode"] == {}


def test_undo_leads_to_the_beginning_and_redo_back_to_the_end(in_review):
    record = in_review()
    states = [(rows(record), record.counts)]
    for texts, exclude in (({(1, "e.amount"): "2"}, ()), ({(0, "e.id"): "K4"}, ()), ({}, {3})):
        edit(record, texts, exclude=exclude)
        states.append((rows(record), record.counts))

    for expected in states[-2::-1]:
        services.undo(record=record, seen=record.revision, actor=ADA, at=clock.now())
        assert (rows(record), record.counts) == expected
    with pytest.raises(NothingToUndo):
        services.undo(record=record, seen=record.revision, actor=ADA, at=clock.now())
    for expected in states[1:]:
        services.redo(record=record, seen=record.revision, actor=ADA, at=clock.now())
        assert (rows(record), record.counts) == expected
    with pytest.raises(NothingToRedo):
        services.redo(record=record, seen=record.revision, actor=ADA, at=clock.now())


def test_an_edit_after_an_undo_ends_what_could_be_redone(in_review):
    record = in_review()
    edit(record, {(1, "e.amount"): "2"})
    services.undo(record=record, seen=record.revision, actor=ADA, at=clock.now())

    edit(record, {(5, "e.amount"): "7"})

    with pytest.raises(NothingToRedo):
        services.redo(record=record, seen=record.revision, actor=ADA, at=clock.now())
    values = [row["values"]["e.amount"] for row in rows(record)]
    assert values == [1.5, None, 3, None, 5, 7]


def test_edits_of_two_people_to_different_cells_merge(in_review):
    record = in_review()
    seen = record.revision
    edit(record, {(1, "e.amount"): "2"}, actor=ADA, seen=seen)

    edit(record, {(1, "e.mail"): "b@c.de"}, actor=BOB, seen=seen)

    values = rows(record)[1]["values"]
    assert (values["e.amount"], values["e.mail"]) == (2, "b@c.de")


def test_edits_of_two_people_to_one_cell_are_a_conflict_that_says_who(in_review):
    record = in_review()
    seen = record.revision
    edit(record, {(1, "e.amount"): "2"}, actor=ADA, seen=seen)

    with pytest.raises(OverlappingEdits) as caught:
        edit(record, {(1, "e.amount"): "3", (5, "e.amount"): "9"}, actor=BOB, seen=seen)

    (conflict,) = caught.value.members["conflicts"]
    assert (conflict["row"], conflict["field"]) == (1, "e.amount")
    assert (conflict["yours"], conflict["theirs"]) == ("3", "2")
    assert conflict["by"]["label"] == "Ada"
    assert rows(record)[5]["values"]["e.amount"] == 600


def test_the_same_edit_by_two_people_is_not_a_conflict(in_review):
    record = in_review()
    seen = record.revision
    edit(record, {(1, "e.amount"): "2"}, actor=ADA, seen=seen)

    edit(record, {(1, "e.amount"): "2"}, actor=BOB, seen=seen)

    assert rows(record)[1]["values"]["e.amount"] == 2


def test_an_edit_that_loses_the_race_is_worked_out_again(in_review, monkeypatch):
    from imports.services import review

    record = in_review()
    late = ImportRecord.objects.get(pk=record.pk)
    prepare = review.prepare_changes
    raced = []

    def slow(table, changes, **more):
        prepared = prepare(table, changes, **more)
        if not raced:
            raced.append(True)
            edit(record, {(1, "e.mail"): "b@c.de"}, actor=ADA)
        return prepared

    monkeypatch.setattr(review, "prepare_changes", slow)
    edit(late, {(1, "e.amount"): "2"}, actor=BOB)

    values = rows(record)[1]["values"]
    assert (values["e.amount"], values["e.mail"]) == (2, "b@c.de")


def test_an_undo_does_not_take_back_what_another_did_meanwhile(in_review):
    record = in_review()
    mine = edit(record, {(1, "e.amount"): "2"}, actor=ADA).revision
    edit(record, {(5, "e.amount"): "7"}, actor=BOB)

    with pytest.raises(LaterEdit) as caught:
        services.undo(record=record, seen=mine, actor=ADA, at=clock.now())

    assert caught.value.members["by"]["label"] == "Bob"


@pytest.mark.parametrize("cell", [(6, "e.amount"), (0, "e.nothing")])
def test_a_cell_that_is_not_there_is_refused(in_review, cell):
    record = in_review()

    with pytest.raises(UnknownCells):
        edit(record, {cell: "1"})


def test_every_edit_is_kept_with_who_and_what_was_there(in_review):
    record = in_review()

    edit(record, {(1, "e.amount"): "2"}, actor=BOB)

    kept = CellEdit.objects.get(subject=record.public_id)
    assert (kept.source, kept.previous, kept.text) == (2, "x", "2")
    assert kept.actor["label"] == "Bob"
