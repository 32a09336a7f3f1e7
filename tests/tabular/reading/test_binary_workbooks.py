"""An xlsb is read like an xlsx, and checked before calamine opens it."""

import struct

import pytest

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.reading import read

from .xlsb import ERRORS, record, sheet, workbook

ROWS = {
    0: {0: "id", 1: "name", 2: "amount"},
    1: {0: "A1", 1: "bolt", 2: 2.5},
    2: {0: "A2", 1: "nut", 2: "#N/A"},
    3: {0: "A3", 1: "#DIV/0!", 2: 0.1},
}


@pytest.fixture
def write(tmp_path):
    def written(sheet_part, more=None):
        path = tmp_path / "file"
        path.write_bytes(workbook(sheet_part, more))
        return path

    return written


def test_errors_are_issues_at_their_place_and_hidden_rows_are_reported(write):
    reading = read(write(sheet(ROWS, hidden={2})))

    table, issues = reading.bodies[0].outcome()
    assert (table.sheet, table.columns, table.row_count) == ("stock", ("id", "name", "amount"), 3)
    assert [(i.code, i.row, i.column, i.value) for i in issues] == [
        ("error_cell", 2, "amount", "#N/A"),
        ("error_cell", 3, "name", "#DIV/0!"),
    ]
    assert [issue.code for issue in reading.issues] == ["hidden_rows"]


def test_every_error_has_its_name(write):
    rows = {0: {0: "id", 1: "amount"}}
    rows |= {n: {0: f"A{n}", 1: name} for n, name in enumerate(ERRORS, 1)}

    _, issues = read(write(sheet(rows))).bodies[0].outcome()

    assert [issue.value for issue in issues] == list(ERRORS)


def merged(*spans):
    """Return the records of merged ranges: first and last row, first and last column of each."""
    ranges = b"".join(record(176, struct.pack("<4I", *span)) for span in spans)
    return record(177, struct.pack("<I", len(spans))) + ranges + record(178)


def test_merged_ranges_name_and_fill_as_in_an_xlsx(write):
    rows = {
        0: {0: "Group", 1: "Stock", 3: "Price"},
        1: {0: "", 1: "open", 2: "sold", 3: "open", 4: "sold"},
        2: {0: "A", 1: 1, 2: 2, 3: 3.5, 4: 4.5},
        3: {0: "", 1: 5, 2: 6, 3: 7.5, 4: 8.5},
    }
    spans = merged((0, 1, 0, 0), (0, 0, 1, 2), (0, 0, 3, 4), (2, 3, 0, 0))

    body = read(write(sheet(rows, last=spans))).bodies[0]

    table = body.outcome()[0]
    names = ("Group", "Stock open", "Stock sold", "Price open", "Price sold")
    assert table.columns == names
    assert next(body.batches()).column("Group").to_pylist() == ["A", "A"]


def test_a_merged_range_of_billions_of_cells_is_as_large_as_a_sheet(write):
    far = 0xFFFFFFFF

    table = read(write(sheet(ROWS, last=merged((5, far, 0, far))))).bodies[0].outcome()[0]

    assert (table.columns, table.row_count) == (("id", "name", "amount"), 3)


def test_a_merged_range_that_is_cut_off_is_damage(write):
    with pytest.raises(UnreadableFile) as raised:
        read(write(sheet(ROWS, last=record(176, b"1234"))))

    assert raised.value.code == "damaged_file"


@pytest.mark.parametrize("column", [16_383, 0xFFFFFFFF])
def test_one_far_cell_does_not_make_a_sheet_of_billions(write, column):
    path = write(sheet(ROWS | {1_048_575: {column: "far"}}))

    with pytest.raises(LimitExceeded) as raised:
        read(path)

    assert raised.value.code == "too_large"
    assert raised.value.details["limit"] == "cells"


@pytest.mark.parametrize(
    ("first", "more"),
    [
        (record(1045, bytes(8_000_000)), None),
        (b"", {"xl/media/image1.bin": bytes(8_000_000)}),
        (b"", {"xl/sharedStrings.bin": bytes(8_000_000)}),
    ],
    ids=["sheet", "picture", "shared texts"],
)
def test_a_bomb_is_refused_before_it_has_expanded(write, first, more):
    path = write(sheet(ROWS, first=first), more)

    with pytest.raises(LimitExceeded) as raised:
        read(path, limits=Limits(expanded_bytes=1_000_000))

    assert raised.value.code == "too_large"
    assert raised.value.details["limit"] == "expanded_bytes"


@pytest.mark.parametrize(
    "part",
    [record(0, b"short"), record(6, bytes(3_000_000))],
    ids=["row cut off", "endless text"],
)
def test_records_that_lie_are_damage(write, part):
    path = write(part)

    with pytest.raises(UnreadableFile) as raised:
        read(path)

    assert raised.value.code == "damaged_file"


def test_a_record_longer_than_a_chunk_is_passed_over(write):
    reading = read(write(sheet(ROWS, first=record(1045, bytes(3_000_000)))))

    assert [issue.row for issue in reading.bodies[0].outcome()[1]] == [2, 3]


def test_entities_in_a_part_of_xml_are_refused(write):
    path = write(sheet(ROWS), {"docProps/app.xml": b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x/>'})

    with pytest.raises(UnreadableFile) as raised:
        read(path)

    assert raised.value.code == "unsafe_file"
