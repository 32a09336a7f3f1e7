"""A workbook that a program wrote, and that no spreadsheet program has calculated yet."""

import zipfile

import openpyxl
import pytest

from tabular.model.places import ReadingChoices
from tabular.reading import read

ROWS = [["Item", "Quantity", "Amount"], ["bolt", 2, 10.5], ["nut", 3, 4.5], ["pin", 1, 2.0]]


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a workbook with openpyxl, without values of formulas."""

    def written(*last, rows=ROWS):
        book = openpyxl.Workbook()
        for row in (*rows, *last):
            book.active.append(row)
        book.save(tmp_path / "book.xlsx")
        return tmp_path / "book.xlsx"

    return written


def body_of(reading):
    (table,), (body,) = reading.tables, reading.bodies
    rows = [list(zip(*batch.columns[-3:], strict=True)) for batch in body.batches()]
    return [[cell.as_py() for cell in row] for part in rows for row in part], table, body


@pytest.mark.parametrize(
    "last",
    [
        ["Total", "=SUM(B2:B4)", "=SUM(C2:C4)"],
        ["Summe", None, "=SUBTOTAL(9,C2:C4)"],
        ["Grand total", None, "=SUM($C$2:$C$4)"],
    ],
)
def test_a_total_without_its_value_is_left_out_with_its_reason(written, last):
    rows, table, body = body_of(read(written(last)))

    assert [row[0] for row in rows] == ["bolt", "nut", "pin"]
    assert [(left.row, left.reason) for left in body.skipped_rows()] == [(4, "total")]
    assert table.row_count == 3
    reasons = [e.reason for e in table.evidence if e.decision == "totals"]
    assert reasons == [
        "1 row adds up the rows above, by a formula that was saved without its value"
    ]
    assert body.outcome()[1] == ()


def test_a_total_may_be_taken_back(written):
    path = written(["Total", None, "=SUM(C2:C4)"])

    rows, _, _ = body_of(read(path, choices=ReadingChoices(restored=(4,))))

    assert rows[-1][0] == "Total"


def test_a_row_of_data_with_a_formula_stays_and_says_what_is_missing(written):
    company = ["Total Energies", 5, "=SUM(B5:B5)"]  # adds up its own row

    rows, _, body = body_of(read(written(company)))

    assert [row[0] for row in rows] == ["bolt", "nut", "pin", "Total Energies"]
    (issue,) = body.outcome()[1]
    assert (issue.code, issue.row, issue.column) == ("formula_without_value", 4, "Amount")


def test_a_formula_whose_value_was_kept_is_that_value(written, tmp_path):
    path = written(["Total", None, "=SUM(C2:C4)"])
    kept = tmp_path / "kept.xlsx"
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(kept, "w") as copy:
        for name in package.namelist():
            content = package.read(name)
            for empty in (b"</f><v></v>", b"</f><v />", b"</f><v/>"):
                content = content.replace(empty, b"</f><v>17</v>")
            copy.writestr(name, content)

    rows, table, body = body_of(read(kept))

    assert len(rows) == 3
    assert [left.reason for left in body.skipped_rows()] == ["total"]
    assert not [e for e in table.evidence if e.decision == "totals"]
