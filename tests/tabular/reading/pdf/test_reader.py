import pytest

from tabular.model.places import PART_ROWS, ReadingChoices
from tabular.reading import read as read_file

from .papers import Sheet, columns, document, ruled, saved

PRICES = [
    ["Art. no.", "Description", "Price", "Stock"],
    ["X892-84", "Nylon gasket", "171.51", "243"],
    ["B320-24", "Slate gasket", "5.16", ""],
    ["Z563-57", "Glass bolt M8", "597.15", "347"],
]
XS = [60, 140, 300, 380, 440]


def nulled(rows):
    return [[cell or None for cell in row] for row in rows]


@pytest.mark.parametrize("draw", [ruled, columns], ids=["with borders", "without borders"])
def test_a_table_is_read_cell_by_cell(read, rows_of, draw):
    sheet = Sheet()
    sheet.write(60, 50, "Price list 2026", size=14)
    draw(sheet, PRICES, xs=XS, top=80)

    reading = read(sheet)

    assert reading.tables[0].columns == tuple(PRICES[0])
    assert rows_of(reading) == nulled(PRICES[1:])


def test_the_batches_hold_row_and_page_before_the_columns(read):
    first, second = Sheet(), Sheet()
    ruled(first, PRICES, xs=XS, top=80)
    ruled(second, PRICES, xs=XS, top=80)

    batch = next(read(first, second).bodies[0].batches())

    assert batch.schema.names == ["__row__", "__page__", "__boxes__", *PRICES[0]]
    assert batch.column("__row__").to_pylist() == [1, 2, 3, 5, 6, 7]
    assert batch.column("__page__").to_pylist() == [1, 1, 1, 2, 2, 2]


def test_a_header_repeated_on_each_page_counts_once(read):
    sheets = [Sheet(), Sheet(), Sheet()]
    for sheet in sheets:
        ruled(sheet, PRICES, xs=XS, top=80)

    table = read(*sheets).tables[0]

    assert (table.row_count, table.skipped.repeated_headers) == (9, 2)


def test_a_table_goes_on_without_repeating_its_header(read, rows_of):
    first, second = Sheet(), Sheet()
    ruled(first, PRICES, xs=XS, top=700)
    ruled(second, PRICES[1:], xs=XS, top=40)

    reading = read(first, second)

    assert rows_of(reading) == nulled(PRICES[1:] * 2)


def test_a_title_above_the_second_table_keeps_it_apart(read):
    first, second = Sheet(), Sheet()
    ruled(first, PRICES, xs=XS, top=80)
    second.write(60, 160, "Prices of last year")
    ruled(second, PRICES, xs=XS, top=190)

    assert [table.row_count for table in read(first, second).tables] == [3, 3]


def test_a_row_cut_by_the_page_is_one_row(read, rows_of):
    first, second = Sheet(), Sheet()
    ruled(first, PRICES, xs=XS, top=700)
    ruled(second, [["", "hot dip galvanised", "", ""], *PRICES[1:]], xs=XS, top=40)

    rows = rows_of(read(first, second))

    assert rows[2] == ["Z563-57", "Glass bolt M8 hot dip galvanised", "597.15", "347"]
    assert len(rows) == 6


@pytest.mark.parametrize("draw", [ruled, columns], ids=["with borders", "without borders"])
def test_a_single_row_on_the_last_page_is_not_lost(read, rows_of, draw):
    first, second = Sheet(), Sheet()
    draw(first, PRICES, xs=XS, top=700)
    draw(second, [["C111-11", "Oak shelf", "9.90", "7"]], xs=XS, top=60)

    rows = rows_of(read(first, second))

    assert rows[-1] == ["C111-11", "Oak shelf", "9.90", "7"]


def test_a_running_header_is_not_part_of_the_table(read, rows_of):
    sheets = [Sheet(), Sheet()]
    for number, sheet in enumerate(sheets, start=1):
        sheet.write(60, 30, "Nordbau GmbH")
        sheet.write(400, 30, "2026-11-20")
        columns(sheet, PRICES, xs=XS, top=80)
        sheet.write(280, 810, f"Page {number} of 2")

    reading = read(*sheets)

    assert reading.tables[0].columns == tuple(PRICES[0])
    assert rows_of(reading) == nulled(PRICES[1:] * 2)


def test_a_cell_that_wraps_is_folded(read, rows_of):
    wrapped = [row.copy() for row in PRICES]
    wrapped[1][1] = "Nylon gasket, pack of\nten in a box"
    sheet = Sheet()
    columns(sheet, wrapped, xs=XS, top=80, step=30)

    assert rows_of(read(sheet))[0][1] == "Nylon gasket, pack of ten in a box"


def test_titles_on_two_levels_are_joined(read, rows_of):
    sheet = Sheet()
    rows = [["Product", "Units", "Revenue"], ["Zinc panel", "919", "35.30"], ["Oak", "7", "8.10"]]
    for y in (100, 118, 136, 154):
        sheet.line(60, y, 300, y)
    sheet.line(140, 82, 300, 82)
    for x in (140, 300):
        sheet.line(x, 82, x, 154)
    for x in (60, 220):
        sheet.line(x, 100, x, 154)
    sheet.write(200, 94, "2025")
    columns(sheet, rows, xs=[64, 144, 224], top=112, step=18)

    reading = read(sheet)

    assert reading.tables[0].columns == ("Product", "2025 Units", "2025 Revenue")
    assert rows_of(reading) == rows[1:]


def test_rows_without_lines_inside_a_frame_are_rows(read, rows_of):
    sheet = Sheet()
    columns(sheet, PRICES, xs=[x + 4 for x in XS], top=92)
    for x in XS:
        sheet.line(x, 80, x, 140)
    for y in (80, 140):
        sheet.line(XS[0], y, XS[-1], y)

    assert rows_of(read(sheet)) == nulled(PRICES[1:])


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_turned_by_its_viewer_reads_the_same(read, rows_of, turn):
    sheet = Sheet(turn=turn)
    ruled(sheet, PRICES, xs=XS, top=80)

    assert rows_of(read(sheet)) == nulled(PRICES[1:])


def test_the_larger_of_two_tables_comes_first_and_none_is_lost(read):
    sheet = Sheet()
    ruled(sheet, [["Name", "Budget"], ["Sales", "700"], ["IT", "100"]], xs=[60, 160, 240], top=80)
    ruled(sheet, PRICES, xs=XS, top=300)

    assert [table.columns[0] for table in read(sheet).tables] == ["Art. no.", "Name"]


def test_two_tables_of_equal_weight_are_a_question(read):
    sheet = Sheet()
    ruled(sheet, PRICES, xs=XS, top=80)
    ruled(sheet, [["Code", "Name", "Net", "Left"], *PRICES[1:]], xs=XS, top=300)

    (question,) = read(sheet).questions

    assert question.kind == "table"
    assert [candidate.value for candidate in question.candidates] == [0, 1]


def test_a_person_may_choose_the_header_rows(read, rows_of):
    sheet = Sheet()
    ruled(sheet, PRICES, xs=XS, top=80)

    reading = read(sheet, header_rows=())

    assert reading.tables[0].columns[0] == "Column 1"
    assert rows_of(reading) == nulled(PRICES)


def test_a_total_that_fills_the_table_stays_and_is_reported(read, rows_of):
    rows = [["Name", "Oak", "Ash"], ["North", "1", "2"], ["South", "3", "4"], ["Total", "4", "6"]]
    sheet = Sheet()
    ruled(sheet, rows, xs=[60, 160, 240, 320], top=80)

    reading = read(sheet)

    assert rows_of(reading) == rows[1:]
    assert [issue.code for issue in reading.bodies[0].outcome()[1]] == ["total_row"]


def test_sums_below_an_invoice_are_left_out_and_counted(read, rows_of):
    sums = [["", "", "Subtotal", "590"], ["", "", "VAT 19%", "112"], ["", "", "Total", "702"]]
    sheet = Sheet()
    columns(sheet, [*PRICES, *sums], xs=[60, 140, 300, 420], top=80)

    reading = read(sheet)

    assert rows_of(reading) == nulled(PRICES[1:])
    assert reading.tables[0].skipped.footer == 3


def test_pairs_above_the_table_describe_the_document(read):
    sheet = Sheet()
    sheet.write(60, 60, "Invoice no.:")
    sheet.write(160, 60, "2026-0117")
    ruled(sheet, PRICES, xs=XS, top=200)

    assert read(sheet).tables[0].document == {"Invoice no.": "2026-0117"}


def test_a_page_that_is_only_a_picture_is_reported(read):
    sheet = Sheet()
    ruled(sheet, PRICES, xs=XS, top=80)

    codes = [issue.code for issue in read(sheet, Sheet(image=True)).issues]

    assert codes == ["page_without_text"]


def test_the_same_bytes_give_the_same_reading(read):
    sheet = Sheet()
    ruled(sheet, PRICES, xs=XS, top=80)
    content = document(sheet)

    assert read(content).tables == read(content).tables


MONTHS = [
    [["No", "Name", "Price"], [f"{n}1", "Oak", "1.50"], [f"{n}2", "Ash", "2.50"]] for n in "AB"
]


def two_months():
    """Draw two tables with one header on a page, each with a title above."""
    sheet = Sheet()
    for place, (title, rows) in enumerate(zip(("January", "February"), MONTHS, strict=True)):
        sheet.write(60, 60 + 300 * place, title, size=14)
        ruled(sheet, rows, xs=[60, 160, 260, 360], top=90 + 300 * place)
    return sheet


def test_tables_of_a_pdf_with_one_header_are_offered_as_one(tmp_path):
    reading = read_file(saved(tmp_path, document(two_months())))

    (question,) = [item for item in reading.questions if item.kind == "table"]
    assert [candidate.value for candidate in question.candidates] == [2, 0, 1]
    assert question.default == 0
    assert reading.tables[2].stacked == (0, 1)


def test_stacked_tables_of_a_pdf_keep_pages_and_boxes(tmp_path):
    path = saved(tmp_path, document(two_months()))
    reading = read_file(path, choices=ReadingChoices(tables=(0, 1)))

    rows = [row for batch in reading.bodies[reading.chosen].batches() for row in batch.to_pylist()]
    assert [row["No"] for row in rows] == ["A1", "A2", "B1", "B2"]
    assert [row["__row__"] for row in rows] == [1, 2, PART_ROWS + 1, PART_ROWS + 2]
    assert {row["__page__"] for row in rows} == {1}
    assert [row["Page"] for row in rows] == ["page 1", "page 1", "page 1 (2)", "page 1 (2)"]
    apart = [row for body in reading.bodies[:2] for b in body.batches() for row in b.to_pylist()]
    assert [row["__boxes__"][4:] for row in rows] == [row["__boxes__"] for row in apart]
