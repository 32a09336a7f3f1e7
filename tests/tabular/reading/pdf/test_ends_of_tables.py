"""Free lines, titles of groups and labels at the ends of a table, and edges that part its rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.reading.pdf.grids.aligned import core_of
from tabular.reading.pdf.grids.columns import text_lines, texts_of
from tabular.reading.pdf.grids.folding import folded
from tabular.reading.pdf.grids.grid import Row
from tabular.reading.pdf.grids.group_titles import with_group_titles_first
from tabular.reading.pdf.grids.strips import Strip
from tabular.reading.pdf.heading import set_apart
from tabular.reading.pdf.pages.page import Box, Word

from .papers import Sheet

END = 480
EDGES = (200, 340, END)
ITEMS = [
    ["No", "Pieces", "Price"],
    ["1", "40", "12.50"],
    ["2", "7", "100.00"],
    ["3", "12", "7.25"],
    ["4", "310", "80.00"],
]


def numbers(rows=ITEMS, *, top=100, step=14, more=()):
    """Write rows of numbers, each aligned at the right; ``more``: (y, text) at the table's end."""
    sheet = Sheet()
    for y, text in more:
        sheet.write_ending_at(END, y, text)
    for number, row in enumerate(rows):
        for edge, text in zip(EDGES, row, strict=True):
            sheet.write_ending_at(edge, top + step * number, text)
    return sheet


def word(text, x, y, height=10.0):
    starts = tuple(x + 5.0 * n for n in range(len(text)))
    return Word(text, Box(x, y, x + 5.0 * len(text), y + height), starts, baseline=y + height)


def strip(*cells, y):
    held = [[word(cell, 100.0 * place, y)] if cell else [] for place, cell in enumerate(cells)]
    return Strip(held, y, y + 10.0)


def texts(strips):
    return [[" ".join(word.text for word in cell) for cell in strip.cells] for strip in strips]


def words_ending_at(x, y, text):
    words = []
    for part in reversed(text.split()):
        x -= 5.0 * len(part)
        words.append(word(part, x, y))
        x -= 2.5
    return words


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Printed for the branch in Hamburg", 480),  # over several columns
        ("Tools", 560),  # next to the last title
    ],
)
def test_a_line_above_that_ends_with_the_table_is_not_a_title(text, end):
    words = words_ending_at(end, 88, text)
    for number, row in enumerate(ITEMS):
        for edge, cell in zip(EDGES, row, strict=True):
            words += words_ending_at(edge, 100 + 14 * number, cell)

    lines, _ = core_of(text_lines(words))

    assert [texts_of(line) for line in lines] == ITEMS


def test_a_title_over_two_columns_that_ends_before_the_table_stays():
    words = words_ending_at(420, 88, "Net")
    for number, row in enumerate(ITEMS):
        for edge, cell in zip(EDGES, row, strict=True):
            words += words_ending_at(edge, 100 + 14 * number, cell)

    lines, _ = core_of(text_lines(words))

    assert texts_of(lines[0]) == ["Net"]


def test_a_note_below_that_ends_with_the_table_is_not_a_row(read, rows_of):
    sheet = numbers(more=[(88, "Printed for Hamburg"), (170, "All prices are without the tax")])

    assert rows_of(read(sheet)) == ITEMS[1:]


def test_remarks_over_several_columns_are_rows_to_the_last_one(read, rows_of):
    sheet = Sheet()
    for number, row in enumerate([ITEMS[0], *[row for item in ITEMS[1:] for row in (item, None)]]):
        y = 100 + 18 * number
        if row is None:
            sheet.write(60, y, "a remark that runs over all of them")
            continue
        for x, text in zip((60, 160, 240), row, strict=True):
            sheet.write(x, y, text)

    assert len(rows_of(read(sheet))) == 2 * len(ITEMS[1:])


def test_a_title_of_a_group_at_the_end_of_the_line_is_in_the_first_column(read, rows_of):
    rows = [ITEMS[0], ["", "", "Tools"], *ITEMS[1:3], ["", "", "Spare parts"], *ITEMS[3:]]

    reading = read(numbers(rows))

    assert rows_of(reading) == [
        ["Tools", None, None],
        *ITEMS[1:3],
        ["Spare parts", None, None],
        *ITEMS[3:],
    ]
    assert "lone_cells" in {issue.code for issue in reading.bodies[0].outcome()[1]}


@given(
    st.integers(1, 3),
    st.text("abcdefgh", min_size=5, max_size=12),
    st.lists(st.integers(0, 10**6), min_size=2, max_size=8),
)
def test_a_title_of_a_group_moves_and_no_value_does(column, title, values):
    names = strip("name", "one", "two", "three", y=0)
    lone = ["", "", "", ""]
    lone[column] = title
    rows = [
        strip(f"oak{n}", str(n), str(n + 1), str(n + 2), y=40 + 20 * place)
        for place, n in enumerate(values)
    ]

    moved = with_group_titles_first([names, strip(*lone, y=20), *rows])

    assert texts(moved) == texts([names, strip(title, "", "", "", y=20), *rows])


@pytest.mark.parametrize("text", ["EUR", "17", "n/a", "K-4711"])
def test_a_unit_or_a_value_alone_in_its_row_stays_in_its_column(text):
    rows = [strip("name", "one", y=0), strip("", text, y=20)]
    rows += [strip(f"oak{n}", str(n), y=40 + 20 * n) for n in range(3)]

    assert texts(with_group_titles_first(rows)) == texts(rows)


def test_the_last_text_of_a_table_is_not_a_title_of_a_group():
    rows = [strip("name", "one", y=0), *[strip("oak", str(n), y=20 + 20 * n) for n in range(3)]]
    rows.append(strip("", "remark", y=100))

    assert texts(with_group_titles_first(rows)) == texts(rows)


def test_a_drawn_line_parts_titles_from_a_row_that_is_nearer_than_others():
    near = [strip("town", "", "sum", y=0), strip("Ulm", "x", "ab", y=12)]
    rows = [*near, *[strip(f"Hof{n}", "y", "cd", y=30 + 18 * n) for n in range(3)]]

    assert len(folded(rows, (), (11.0,))) == len(rows)


def test_a_title_above_a_value_is_not_the_first_line_of_its_cell():
    rows = [strip(f"Hof {n}", f"{n}.50", y=20 * n) for n in range(4)]
    title = strip("", "spare", y=82)
    title.cells[1].append(word("parts", 127.5, 82))
    rows += [title, *[strip(f"Ulm {n}", f"{n + 1},000,000.50", y=96 + 20 * n) for n in range(4)]]

    assert len(folded(rows)) == len(rows)


def test_a_band_that_is_painted_cell_by_cell_parts_rows_as_a_whole_one_does(read, rows_of):
    sheet = Sheet()
    for left, right in [(56, 196), (196.1, 336), (336.1, 480)]:
        sheet.fill(left, 91, right, 104)
    rows = [["Item", "Town", "Sum"], ["", "", "Tools"], *ITEMS[1:]]
    for number, row in enumerate(rows):
        for x, text in zip((60, 200, 340), row, strict=True):
            sheet.write(x, 100 + (12 if number else 0) + 14 * max(number - 1, 0), text)

    reading = read(sheet)

    assert reading.tables[0].columns == ("Item", "Town", "Sum")
    assert rows_of(reading) == [["Tools", None, None], *ITEMS[1:]]


@pytest.mark.parametrize(
    ("lines", "label"), [(("Sub", "total"), "Subtotal"), (("Zwischen", "summe"), "Zwischensumme")]
)
def test_the_label_of_a_total_that_a_narrow_column_breaks_is_read_whole(
    read, rows_of, lines, label
):
    sheet = numbers(step=20)
    for number, text in enumerate(lines):
        sheet.write_ending_at(200, 200 + 11 * number, text)
    sheet.write_ending_at(END, 200, "199.75")

    reading = read(sheet)

    assert rows_of(reading) == [*ITEMS[1:], [label, None, "199.75"]]
    assert "total_row" in {issue.code for issue in reading.bodies[0].outcome()[1]}


def touching(rows):
    sheet = Sheet()
    for number, (amount, town) in enumerate(rows):
        sheet.write_ending_at(200, 100 + 14 * number, amount)
        sheet.write(202, 100 + 14 * number, town)
        sheet.write(400, 100 + 14 * number, "State" if number == 0 else "open")
    return sheet


def test_columns_that_touch_are_two_where_no_cell_has_a_blank(read, rows_of):
    rows = [["Amount", "Town"], ["12.50", "Rosenheim"], ["7.00", "Ulm"], ["110.25", "Hof"]]

    reading = read(touching(rows))

    assert reading.tables[0].columns == ("Amount", "Town", "State")
    assert rows_of(reading) == [[*row, "open"] for row in rows[1:]]


def test_a_number_and_its_unit_stay_in_one_cell(read, rows_of):
    rows = [["Weight", ""], ["12", "kg"], ["7", "kg"], ["110", "kg"]]

    assert rows_of(read(touching(rows)))[0] == ["12 kg", "open"]


def test_a_code_broken_at_its_hyphen_has_no_blank(read, rows_of):
    sheet = Sheet()
    for x in (56, 100, 300, 400):
        sheet.line(x, 88, x, 140)
    for y in (88, 108, 140):
        sheet.line(56, y, 400, y)
    for x, text in ((60, "Code"), (104, "Name"), (304, "Sum")):
        sheet.write(x, 100, text)
    for x, y, text in ((60, 120, "A-"), (60, 131, "39001"), (104, 120, "Pump"), (304, 120, "7.50")):
        sheet.write(x, y, text)

    assert rows_of(read(sheet)) == [["A-39001", "Pump", "7.50"]]


def test_two_rows_below_painted_titles_are_a_table(read, rows_of):
    sheet = Sheet()
    sheet.fill(56, 91, 480, 104)
    rows = [["Day", "Name", "Mail"], ["2026-01-07", "Ann", "ann@x.org"]]
    rows.append(["2026-03-09", "Bo", "bo@x.org"])
    for number, row in enumerate(rows):
        for x, text in zip((60, 200, 340), row, strict=True):
            sheet.write(x, 100 + 12 * number, text)

    reading = read(sheet)

    assert [list(reading.tables[0].columns), *rows_of(reading)] == rows


def test_a_title_at_the_left_of_values_at_the_right_names_their_column(read, rows_of):
    sheet = Sheet()
    rows = [["Code", "Name", "Pieces", "Sum"], ["4711", "Oak pump", "7", "7.50"]]
    rows += [["12", "Elm door", "1", "8.00"], ["815", "Ash lamp", "2", "9.50"]]
    for number, row in enumerate(rows):
        y = 100 + 14 * number
        if number:
            sheet.write_ending_at(196, y, row[0])
        else:
            sheet.write(60, y, row[0])
        for x, text in zip((200, 300, 400), row[1:], strict=True):
            sheet.write(x, y, text)
    sheet.write(60, 156, "Subtotal")
    sheet.write(400, 156, "25.00")

    reading = read(sheet)

    assert [list(reading.tables[0].columns), *rows_of(reading)] == rows


def test_a_title_of_two_lines_around_the_height_of_the_others_is_one(read):
    sheet = Sheet()
    for x, y, text in ((60, 100, "No"), (200, 95, "Unit"), (200, 105, "price"), (340, 100, "Sum")):
        sheet.write(x, y, text)
    for number, row in enumerate(ITEMS[1:]):
        for x, text in zip((60, 200, 340), row, strict=True):
            sheet.write(x, 117 + 12 * number, text)

    assert read(sheet).tables[0].columns == ("No", "Unit price", "Sum")


def test_rows_of_a_later_page_are_not_above_the_lines_of_the_first_one():
    cells = [("", "2024", "", "2025", ""), ("name", "qty", "sum", "qty", "sum")]
    values = [(f"oak {n}", str(n), "7.50", str(n + 1), "8.00") for n in range(12)]
    tops = [78, 93, *range(105, 177, 12), *range(60, 132, 12)]
    rows = [
        Row(row, top, top + 8.0, 1 if place < 8 else 2, ((1, 2), (3, 4)) if place == 0 else ())
        for place, (row, top) in enumerate(zip([*cells, *values], tops, strict=True))
    ]

    marked = set_apart(rows, (89.0, 102.0))

    assert marked is not None
    assert marked.rows == 2
