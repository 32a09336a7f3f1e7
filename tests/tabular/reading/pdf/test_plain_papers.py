"""Plain tables, printed and read back; and what used to fold two records into one."""

from itertools import count, islice

import pytest

from eval.plain import check, plain_table
from eval.plain.papers import RULINGS, is_printable, print_table
from tabular.model.problem import UnreadableFile

from .papers import Sheet, columns, ruled

XS = [60, 160, 260, 360]
BOLD_GAP = 24  # points from row to row: wider than lines of running text


def printable(number):
    return islice(filter(is_printable, map(plain_table, count(1000))), number)


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_plain_table_is_read_back_from_paper(tmp_path, ruling):
    verdicts = {
        table.seed: check(table, print_table(table, ruling, tmp_path / f"{table.seed}.pdf"))
        for table in printable(25)
    }

    assert {
        seed: verdict.why for seed, verdict in verdicts.items() if verdict.outcome != "exact"
    } == {}


@pytest.mark.parametrize("ruling", RULINGS)
def test_no_record_is_lost_in_silence_where_cells_wrap(tmp_path, ruling):
    lost = {}
    for table in printable(25):
        path = print_table(table, ruling, tmp_path / f"{table.seed}.pdf", wraps=True)
        verdict = check(table, path)
        if verdict.has_lost_rows or (ruling == "grid" and "rows of" in verdict.why):
            lost[table.seed] = verdict.why

    assert lost == {}


@pytest.mark.parametrize(
    ("ruling", "seed"),
    [
        ("bare", 92),  # a lone number below a row, far above the next one: no page number
        ("bare", 112),  # a word that the end of a page breaks in two
        ("stripes", 71),  # another one
        ("stripes", 111),  # the last page has one row, whose cells wrap
        ("grid", 131),  # the second page begins with an empty cell, above numbers
        ("grid", 147),  # one row of long codes, each on three lines
        ("grid", 2045),  # the last page holds a single row with a single value
        ("grid", 3003),  # a page begins with a row with a blank key: a record, not an end
        ("stripes", 109),  # the first lines of wrapped cells are alone between two rows
        ("stripes", 141),
        ("bare", 86),  # the last column holds long texts, below a title
        ("stripes", 343),  # titles wrap above the first painted row
        ("stripes", 166),  # phone numbers wrap within painted rows
    ],
)
def test_a_wrapped_row_keeps_all_its_lines(tmp_path, ruling, seed):
    table = plain_table(seed)
    path = print_table(table, ruling, tmp_path / "a.pdf", wraps=True)

    assert check(table, path).why == ""


@pytest.mark.parametrize("seed", [3029, 3068])
def test_lines_right_below_a_table_are_reported(tmp_path, seed):
    table = plain_table(seed)
    path = print_table(table, "bare", tmp_path / "a.pdf", wraps=True)

    assert not check(table, path).has_lost_rows


def test_a_row_with_blank_cells_is_a_row_of_its_own(read, rows_of):
    rows = [["Status", "Quantity"], ["paid", "352"], ["open", ""], ["", "17"], ["open", "9"]]
    sheet = Sheet()
    columns(sheet, rows, xs=XS, top=80, step=BOLD_GAP)

    assert rows_of(read(sheet)) == [["paid", "352"], ["open", None], [None, "17"], ["open", "9"]]


def test_an_address_alone_in_its_row_is_not_put_behind_the_one_above(read, rows_of):
    rows = [["No", "Name", "Mail"]] + [[str(n), "Ada", f"a{n}@b.example"] for n in range(100, 106)]
    rows.insert(4, ["", "", "a@b.example"])
    sheet = Sheet()
    columns(sheet, rows, xs=XS, top=80)

    assert rows_of(read(sheet))[3] == [None, None, "a@b.example"]


def test_two_columns_of_texts_without_any_line_are_a_table(read, rows_of):
    rows = [["Name", "Town"], *[[f"Ada {n}", f"Rome {n % 7}"] for n in range(30)]]
    sheet = Sheet()
    columns(sheet, rows, xs=XS, top=40, step=BOLD_GAP)

    assert rows_of(read(sheet)) == rows[1:]


@pytest.mark.parametrize("draw", [ruled, columns], ids=["with borders", "without borders"])
def test_a_table_of_one_row_is_a_table(read, rows_of, draw):
    sheet = Sheet()
    draw(sheet, [["Name", "Town", "Paid"], ["Ada", "Rome", ""]], xs=XS, top=80, step=BOLD_GAP)

    reading = read(sheet)

    assert reading.tables[0].columns == ("Name", "Town", "Paid")
    assert rows_of(reading) == [["Ada", "Rome", None]]


@pytest.mark.parametrize("draw", [ruled, columns], ids=["with borders", "without borders"])
def test_a_table_of_one_column_is_a_table(read, rows_of, draw):
    rows = [["Name"], ["Ada Lovelace"], ["Alan Turing"], ["Emmy Noether"]]
    sheet = Sheet()
    draw(sheet, rows, xs=[60, 200], top=80, step=BOLD_GAP)

    assert rows_of(read(sheet)) == rows[1:]


def test_lines_of_prose_are_still_no_table(read):
    sheet = Sheet()
    for number in range(12):
        sheet.write(60, 80 + 11 * number, f"Line {number} of a letter that says nothing in columns")

    with pytest.raises(UnreadableFile) as caught:
        read(sheet)

    assert caught.value.code == "no_table_found"


def test_a_column_that_is_empty_on_the_second_page_still_counts_there(read, rows_of):
    rows = [["No", "Name", "Left", "Total"]]
    rows += [[str(n), f"Ada {n}", "7" if n < 130 else "", f"{n}.50"] for n in range(100, 140)]
    first, second = Sheet(), Sheet()
    columns(first, rows[:31], xs=XS, top=40, step=BOLD_GAP)
    columns(second, rows[31:], xs=XS, top=40, step=BOLD_GAP)

    reading = read(first, second)

    assert len(reading.tables) == 1
    assert rows_of(reading)[-1] == ["139", "Ada 139", None, "139.50"]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        ("a.lovelace@fi\nrma.example", "a.lovelace@firma.example"),
        ("https://shop.example/a\nrticles/9", "https://shop.example/articles/9"),
        ("DE893704004405\n32013000", "DE89370400440532013000"),
        ("12,3\n45.50", "12,345.50"),
        ("2026-\n04-02", "2026-04-02"),
        ("photo.jp\neg", "photo.jpeg"),
        ("report.pdf\nfinal", "report.pdf final"),
        ("New\nYork", "New York"),
        ("a@b.example\nc@d.example", "a@b.example c@d.example"),
        ("a@b.example\nBerlin", "a@b.example Berlin"),
    ],
)
def test_a_word_broken_by_the_end_of_its_line_is_joined_where_its_type_says_so(
    read, rows_of, lines, whole
):
    usual = {"12,345.50": "11,200.75", "2026-04-02": "2026-01-31"}.get(whole, "")
    rows = [["No", "Value"], *[[str(n), usual] for n in range(100, 104)], ["104", lines]]
    sheet = Sheet()
    ruled(sheet, [[row[0], ""] for row in rows], xs=[60, 160, 400], top=80, step=40)
    columns(sheet, [["", row[1]] for row in rows], xs=[64, 164], top=92, step=40)

    assert rows_of(read(sheet))[-1] == ["104", whole]


def test_lines_that_are_not_rows_are_told_with_page_text_and_reason_and_can_be_taken_back(
    read, rows_of
):
    rows = [["No", "Name", "Price"], ["A-1", "Oak", "1.50"], ["A-2", "Ash", "2.50"]]
    sheet = Sheet()
    ruled(sheet, [*rows, ["", "Total", "4.00"]], xs=[60, 160, 260, 360], top=80)
    columns(sheet, [["A-3", "Elm", "3.50"]], xs=[64, 164, 264], top=300)

    body = read(sheet).bodies[0]
    skipped = [(other.row, other.reason, other.cells, other.page) for other in body.skipped_rows()]

    assert skipped[-1] == (4, "unmatched", ("A-3", "Elm", "3.50"), 1)
    left, top, right, bottom = [*body.skipped_rows()][-1].box
    assert (left, top < 300 < bottom, right > 264) == (64, True, True)
    assert rows_of(read(sheet, restored=(4,)))[-1] == ["A-3", "Elm", "3.50"]


DOUBTFUL = [
    ["No", "Article", "Price"],
    ["100", "Oak shelf with door", "7.50"],
    ["", "Hinges of brass too", ""],
    *([str(number), f"Ash shelf {number}", "8.50"] for number in range(101, 106)),
]


def doubtful():
    sheet = Sheet()
    columns(sheet, DOUBTFUL, xs=[60, 160, 300, 360], top=80, step=11)
    return sheet


def test_lines_that_may_be_rows_of_their_own_are_asked_about_with_rows_as_they_would_be(
    read, rows_of
):
    reading = read(doubtful())

    assert rows_of(reading)[0][1] == "Oak shelf with door Hinges of brass too"
    (question,) = [item for item in reading.questions if item.kind == "joined_lines"]
    assert question.default == "join"
    assert [(candidate.value, candidate.effect) for candidate in question.candidates] == [
        ("join", "6 rows, such as “100 | Oak shelf with door Hinges of brass too | 7.50”"),
        ("apart", "7 rows, such as “100 | Oak shelf with door | 7.50” "
         "and “– | Hinges of brass too | –”"),
    ]  # fmt: skip
    issues = [(issue.code, issue.row) for issue in reading.bodies[0].outcome()[1]]
    assert issues == [("lines_joined", 1)]


def test_doubtful_lines_are_rows_of_their_own_where_a_person_says_so(read, rows_of):
    reading = read(doubtful(), joined_lines="apart")

    assert rows_of(reading) == [[cell or None for cell in row] for row in DOUBTFUL[1:]]
    assert reading.questions == ()
    assert reading.bodies[0].outcome()[1] == ()


def test_doubtful_lines_that_a_person_joined_are_neither_asked_about_nor_reported(read, rows_of):
    reading = read(doubtful(), joined_lines="join")

    assert len(rows_of(reading)) == 6
    assert (reading.questions, reading.bodies[0].outcome()[1]) == ((), ())
