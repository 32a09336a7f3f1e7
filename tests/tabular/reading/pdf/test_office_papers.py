"""What office programs print: cells as text objects, titles over columns, two tables on a page."""

import pytest

from tabular.model.problem import UnreadableFile

from .papers import Sheet

WIDTH = 5.4  # points a letter, at the size the sheets are written in


def right(sheet, edge, y, text):
    sheet.write_ending_at(edge, y, text)


def spreadsheet(rows, *, top=100, step=14):
    """Write rows as a spreadsheet prints them: the amount ends two points before the town."""
    sheet = Sheet()
    for number, (name, amount, town) in enumerate(rows):
        y = top + step * number
        sheet.write(60, y, name)
        right(sheet, 300, y, amount)
        sheet.write(302, y, town)
    return sheet


TOWNS = [
    ["Name", "Amount", "Town"],
    ["Ann Lee", "12.50", "Bad Aibling"],
    ["Bo Diaz", "7.00", "Ulm"],
    ["Cy Young", "110.25", "Hof"],
]


def test_cells_two_points_apart_are_two_where_each_is_one_text_object(read, rows_of):
    reading = read(spreadsheet(TOWNS))

    assert reading.tables[0].columns == ("Name", "Amount", "Town")
    assert rows_of(reading) == TOWNS[1:]


def test_the_thousands_of_a_number_stay_with_it_as_two_text_objects(read, rows_of):
    sheet = spreadsheet([*TOWNS, ["Di Moss", "", "Kiel"]])
    y = 100 + 14 * 4
    right(sheet, 300, y, "204.75")
    right(sheet, 300 - 6 * WIDTH - 2, y, "10")

    rows = rows_of(read(sheet))

    assert rows[-1] == ["Di Moss", "10 204.75", "Kiel"]


def test_words_stay_together_where_each_letter_is_a_text_object(read, rows_of):
    sheet = Sheet()
    sheet.write(60, 60, "All towns of the list")
    for number, row in enumerate(TOWNS):
        for x, text in zip((60.0, 240.0, 330.0), row, strict=True):
            for letter in text:
                if letter != " ":
                    sheet.write(x, 100 + 14 * number, letter)
                x += WIDTH if letter != " " else 2.5

    assert rows_of(read(sheet)) == TOWNS[1:]


def two_tiers(*, titles, rule=None, step=14):
    """Write two groups of two columns; the titles as (x, text), a line below them at ``rule``."""
    sheet = Sheet()
    for x, text in titles:
        sheet.write(x, 114 - step, text)
    if rule is not None:
        sheet.line(150, rule, 480, rule)
        sheet.line(60, rule + 14, 480, rule + 14)
    for number, row in enumerate([["Qty", "Sum"] * 2, *[["1", "22.50"] * 2] * 3]):
        y = 114 + step * number
        sheet.write(60, y, "Name" if number == 0 else f"oak {number}")
        for edge, text in zip((200, 280, 380, 460), row, strict=True):
            right(sheet, edge, y, text)
    return sheet


NAMED = ("Name", "2024 Qty", "2024 Sum", "2025 Qty", "2025 Sum")


@pytest.mark.parametrize(
    "titles",
    [
        [(220, "2024"), (400, "2025")],  # above the middle
        [(160, "2024"), (340, "2025")],  # at the left of the first column's cell
        [(262, "2024"), (450, "2025")],  # at the right of the last column's cell
        [(190, "2024"), (372, "2025")],  # in the middle of cells that begin far before the texts
    ],
)
@pytest.mark.parametrize("step", [14, 19])
def test_a_title_over_two_columns_names_both(read, titles, step):
    assert read(two_tiers(titles=titles, step=step)).tables[0].columns == NAMED


def test_a_line_that_ends_with_the_table_is_not_a_title_of_all_columns(read):
    sheet = two_tiers(titles=[])
    right(sheet, 460, 100, "Net of tax")

    assert "Net of tax Name" not in read(sheet).tables[0].columns


def test_values_above_the_titles_are_not_upper_titles(read):
    sheet = two_tiers(titles=[(160, "2024-01-03"), (340, "K-4711")], step=19)

    assert read(sheet).tables[0].columns == ("Name", "Qty", "Sum", "Qty (2)", "Sum (2)")


def test_a_line_below_the_upper_titles_is_not_the_top_of_the_table(read):
    sheet = two_tiers(titles=[(220, "2024"), (400, "2025")], rule=103)

    assert read(sheet).tables[0].columns == NAMED


def test_a_title_above_one_column_alone_stays_with_it(read, rows_of):
    sheet = spreadsheet([["", "EUR", ""], *TOWNS])

    assert rows_of(read(sheet)) == TOWNS[1:]


PEOPLE = [["Email", "Name", "Since"], ["a@ex.org", "Ann Lee", "2024-02-03"]]
PEOPLE += [["b@ex.org", "Bo Diaz", "2024-11-30"], ["c@ex.org", "Cy Young", "2025-01-09"]]


def test_other_titles_right_below_a_table_begin_another(read, rows_of):
    sheet = spreadsheet([*TOWNS, ["Di Moss", "8.00", "Kiel"]])
    sheet.write(60, 172, "Members")
    for number, row in enumerate(PEOPLE):
        for x, text in zip((60, 180, 330), row, strict=True):
            sheet.write(x, 186 + 14 * number, text)

    reading = read(sheet)

    assert [table.columns for table in reading.tables] == [
        ("Name", "Amount", "Town"),
        ("Email", "Name", "Since"),
    ]
    assert rows_of(reading, 1) == PEOPLE[1:]
    assert [question.kind for question in reading.questions] == ["table"]


def test_titles_printed_again_below_do_not_part_a_table(read, rows_of):
    reading = read(spreadsheet([*TOWNS, TOWNS[0], ["Di Moss", "8.00", "Kiel"]]))

    assert len(reading.tables) == 1
    assert rows_of(reading) == [*TOWNS[1:], ["Di Moss", "8.00", "Kiel"]]


def test_a_row_without_numbers_does_not_part_a_table(read, rows_of):
    rows = [*TOWNS, ["Di Moss", "", "Kiel"], ["Ed Poe", "9.00", "Trier"]]

    reading = read(spreadsheet(rows))

    assert len(reading.tables) == 1
    assert [row[0] for row in rows_of(reading)] == [row[0] for row in rows[1:]]


ORDERS = [
    ["1", "hinge, brass, small, with two", "12", "3.50"],
    ["", "screws and a plate", "", ""],
    ["2", "lamp", "7", "19.00"],
    ["3", "shelf", "1", "45.25"],
]


def orders(rows, step):
    sheet = Sheet()
    for number, row in enumerate([["No", "Item", "Qty", "Price"], *rows]):
        for x, text in zip((60, 90, 300, 360), row, strict=True):
            if text:
                sheet.write(x, 100 + step * number, text)
    return sheet


def test_a_line_without_any_of_the_values_every_row_has_is_the_end_of_the_row_above(read, rows_of):
    rows = rows_of(read(orders(ORDERS, 11)))

    assert rows[0] == ["1", "hinge, brass, small, with two screws and a plate", "12", "3.50"]
    assert len(rows) == 3


def test_such_a_line_that_had_space_above_is_asked_about(read):
    short = [ORDERS[0], ["2", "lamp", "7", "19.00"], ["", "Oak", "", ""], ORDERS[3]]

    reading = read(orders(short, 11))

    assert [question.kind for question in reading.questions] == ["joined_lines"]


CENTRED = [
    ["1", ["hinge, brass, small, with two", "screws and a plate"], "12", "3.50"],
    ["2", ["lamp"], "7", "19.00"],
    ["3", ["shelf, oak, broad, oiled and", "waxed"], "1", "45.25"],
]


def centred(rows, *, line=11):
    """Write rows without space between them, numbers level with the middle of their texts."""
    sheet, top = Sheet(), 100
    for key, lines, *numbers in [["No", ["Item"], "Qty", "Price"], *rows]:
        for place, text in enumerate(lines):
            sheet.write(90, top + line * place, text)
        for x, text in zip((60, 300, 360), (key, *numbers), strict=True):
            sheet.write(x, top + line * (len(lines) - 1) / 2, text)
        top += line * len(lines)
    return sheet


def test_the_last_line_of_a_last_row_whose_numbers_are_centred_is_part_of_it(read, rows_of):
    rows = rows_of(read(centred(CENTRED)))

    assert rows == [[key, " ".join(lines), *numbers] for key, lines, *numbers in CENTRED]


def test_a_line_that_overlaps_the_last_row_but_no_column_of_it_is_reported(read):
    sheet = centred(CENTRED[:2])
    sheet.write(210, 100 + 11 * 3 + 5.5, "waxed")

    (issue,) = read(sheet).bodies[0].outcome()[1]

    assert (issue.code, issue.value) == ("text_left_out", "waxed")


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (("Quan", "tity"), "Quantity"),
        (("Weight", "kg"), "Weight kg"),  # the first line is a word
        (("Zorb", "les"), "Zorb les"),  # no known title, in either way
    ],
)
def test_a_title_broken_inside_its_word_is_one_word(read, lines, title):
    sheet = Sheet()
    columns = [["Item", *lines], ["lamp", "12"], ["shelf", "7"], ["hinge", "110"]]
    for number, (name, *values) in enumerate(columns):
        sheet.write(60, 100 + 26 * number, name)
        for place, text in enumerate(values):
            right(sheet, 300, 100 + 26 * number + 10 * place, text)

    assert read(sheet).tables[0].columns == ("Item", title)


ONE_ROW = [["Item", "Town", "Qty", "Price"], ["lamp", "Hof", "12", "3.50"]]


def one_row(rows, *below):
    sheet = Sheet()
    sheet.write(60, 60, "Offer")
    for number, row in enumerate([*rows, *([text] for text in below)]):
        for x, text in zip((60, 180, 300, 360), row, strict=False):
            sheet.write(x, 100 + 11 * number, text)
    return sheet


@pytest.mark.parametrize("below", [(), ("1) The lamp comes with two screws, a plate and a key.",)])
def test_one_row_of_values_below_titles_is_a_table(read, rows_of, below):
    reading = read(one_row(ONE_ROW, *below))

    assert reading.tables[0].columns == tuple(ONE_ROW[0])
    assert rows_of(reading) == ONE_ROW[1:]


def test_two_lines_of_words_are_not_a_table(read):
    with pytest.raises(UnreadableFile):
        read(one_row([ONE_ROW[0], ["lamp", "Hof", "many", "cheap"]]))
