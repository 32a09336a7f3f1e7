"""Tables in scripts that run from right to left, as pages show them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.reading.pdf.pages.letters import Letter
from tabular.reading.pdf.pages.page import Box, Page, Ruling, Turn, mirrored
from tabular.reading.pdf.pages.right_to_left import ordered_words, plain, share_of

from .papers import Sheet

WIDTH, HEIGHT = 5.0, 10.0
TURN = Turn(0, Box(0, 0, 600, 800))
# How the cells are written, and how a page shows them from left to right.
ROWS = [
    (["שם", "מחיר", "מצב"], ["םש", "ריחמ", "בצמ"]),
    (["דן כהן", "1,250.50", "שולם"], ["ןהכ ןד", "1,250.50", "םלוש"]),
    (["רות לוי", "80.00", "פתוח"], ["יול תור", "80.00", "חותפ"]),
    (["גל (חדש)", "7.25", "שולם"], ["(שדח) לג", "7.25", "םלוש"]),
]
EDGES = (550, 380, 200)


def sheet(rows=ROWS):
    made = Sheet()
    for number, (_, shown) in enumerate(rows):
        for right, text in zip(EDGES, shown, strict=True):
            made.write_hebrew(right, 100 + 18 * number, text)
    return made


def test_the_first_column_of_a_table_in_hebrew_is_the_one_at_the_right(read, rows_of):
    reading = read(sheet())

    assert reading.tables[0].columns == ("שם", "מחיר", "מצב")
    assert rows_of(reading) == [written for written, _ in ROWS[1:]]


def test_a_cell_stays_whole_where_an_object_ends_after_a_comma(read, rows_of):
    made = Sheet()
    rows = [["שם", "מחיר"], ["דן כהן, גל", "12.50"], ["רות לוי, דן לוי", "7.00"]]
    rows.append(["גל, רות", "80.00"])
    for number, (names, price) in enumerate(rows):
        y, right = 100 + 18 * number, 550.0
        for part in names.split(", "):
            shown = part[::-1] if names.endswith(part) else f",{part[::-1]}"
            made.write_hebrew(right, y, shown)
            right -= 5.4 * len(shown) + 2.4
        made.write_hebrew(300, y, price if number else price[::-1])

    reading = read(made)

    assert [list(reading.tables[0].columns), *rows_of(reading)] == rows


def test_boxes_of_cells_count_from_the_left_edge_of_the_page(read):
    reading = read(sheet())

    row = next(reading.bodies[0].batches()).to_pylist()[0]
    left, _, right, _ = row["__boxes__"][:4]
    assert left < EDGES[0] - 6 * 5.4 + 1
    assert right > EDGES[0] - 1
    first, last = row["__boxes__"][0], row["__boxes__"][8]
    assert first > last
    x0 = float(reading.tables[0].range.split(":")[1].split(",")[0])
    assert x0 == pytest.approx(EDGES[2] - 4 * 5.4, abs=3)


def test_a_page_from_right_to_left_is_named_in_a_warning(read):
    issues = read(sheet()).issues

    assert [(issue.code, issue.severity) for issue in issues] == [("right_to_left_text", "warning")]
    assert "1 page" in issues[0].message


def test_a_page_without_such_letters_has_no_warning(read):
    made = Sheet()
    for number, row in enumerate([["Name", "Town"], ["Ann", "Ulm"], ["Bo", "Hof"]]):
        for x, text in zip((60, 200), row, strict=True):
            made.write(x, 100 + 18 * number, text)

    assert read(made).issues == ()


def test_hebrew_names_in_an_english_table_keep_their_order(read, rows_of):
    made = Sheet()
    rows = [
        ("Name", None, "Amount", "Status"),
        (None, "ןהכ ןד", "12.50", "paid"),
        (None, "יול תור", "80.00", "open"),
        ("Ann Lee", None, "7.25", "paid"),
    ]
    for number, (latin, hebrew, amount, status) in enumerate(rows):
        y = 100 + 18 * number
        if latin:
            made.write(60, y, latin)
        if hebrew:
            made.write_hebrew(60 + len(hebrew) * 5.4, y, hebrew)
        made.write(200, y, amount)
        made.write(320, y, status)

    reading = read(made)

    assert reading.tables[0].columns == ("Name", "Amount", "Status")
    assert [row[0] for row in rows_of(reading)] == ["דן כהן", "רות לוי", "Ann Lee"]


def letters(shown, *, left=100.0, piece=1):
    """Return letters as a page shows them, from the left; a blank is only a gap."""
    return [
        Letter(
            text=mark,
            box=Box(left + WIDTH * place, 490, left + WIDTH * (place + 1), 490 + HEIGHT),
            turn=0,
            written=True,
            foot=(left + WIDTH * place, 492),
            piece=piece,
        )
        for place, mark in enumerate(shown)
        if mark != " "
    ]


def texts(shown, *, runs_left=True):
    words = ordered_words(letters(shown), TURN, runs_left=runs_left)
    return [word.text for word in sorted(words, key=lambda word: -word.box.x0)]


@pytest.mark.parametrize(
    ("shown", "read_as"),
    [
        ("םולש", ["שלום"]),
        ("26/01/2025 :ךיראת", ["תאריך:", "26/01/2025"]),
        ("5.00-", ["-5.00"]),
        ("%15", ["15%"]),
        ("1,234.50", ["1,234.50"]),
        ("A-44217", ["A-44217"]),
        ("3-גד", ["דג-3"]),
        ("12.5קג", ["גק12.5"]),
        (")שדח(", ["(חדש)"]),
        ("(שדח)", ["(חדש)"]),
    ],
)
def test_words_are_read_as_they_were_written(shown, read_as):
    assert texts(shown) == read_as


def test_words_from_left_to_right_stay_a_phrase():
    made = [*letters("Main St", piece=1), *letters("בוחר", left=150, piece=2)]
    blank = Letter(" ", Box(120, 490, 125, 500), 0, True, (120, 492), piece=1)

    words = ordered_words([*made, blank], TURN, runs_left=True)

    assert sorted(word.text for word in words) == ["Main St", "רחוב"]


def test_letters_of_one_glyph_are_turned_around():
    alef = Letter("ا", Box(100, 490, 105, 500), 0, True, (100, 492), piece=1)
    lam = Letter("ل", Box(100, 490, 105, 500), 0, True, (100, 492), piece=1)
    seen = Letter("س", Box(105, 490, 110, 500), 0, True, (105, 492), piece=1)

    words = ordered_words([seen, alef, lam], TURN, runs_left=True)

    assert [word.text for word in words] == ["سلا"]


def test_a_mark_follows_the_letter_it_is_on():
    dal = Letter("د", Box(105, 490, 110, 500), 0, True, (105, 492), piece=1)
    shadda = Letter("ّ", Box(106, 495, 109, 500), 0, True, (106, 492), piece=1)
    noon = Letter("ن", Box(100, 490, 105, 500), 0, True, (100, 492), piece=1)

    words = ordered_words([shadda, noon, dal], TURN, runs_left=True)

    assert [word.text for word in words] == ["دّن"]


def test_presentation_forms_become_the_letters_they_show():
    assert plain("\ufefb") == "لا"
    assert plain("ﬁ") == "ﬁ"  # Latin ligatures are left to others


def test_words_decide_about_a_page_and_not_letters():
    email = "someone.with.a.long.name@example.com"
    hebrew = letters("ןד") + [letters(" ", left=0)[:0], []][1]
    blank = Letter(" ", Box(0, 0, 5, 10), 0, True)

    share = share_of([*hebrew, blank, *letters(email), blank, *letters("תור")])

    assert share == pytest.approx(2 / 3)


HEBREW_WORD = st.text(alphabet="אבגדהוזחטיכלמנסעפצקרשת", min_size=1, max_size=8)
NUMBER = st.from_regex(r"[1-9][0-9]{0,2}(,[0-9]{3})?\.[0-9]{2}", fullmatch=True)


@given(st.lists(st.one_of(HEBREW_WORD, NUMBER), min_size=1, max_size=6))
def test_any_line_of_words_and_numbers_is_read_back(written):
    shown = " ".join(
        word if unicodedata.bidirectional(word[0]) == "EN" else word[::-1]
        for word in reversed(written)
    )

    assert texts(shown) == written


@given(
    st.lists(
        st.tuples(st.floats(0, 500), st.floats(0, 700), st.floats(1, 90), st.floats(1, 20)),
        max_size=5,
    )
)
def test_a_page_mirrored_twice_is_the_page(boxes):
    page = Page(
        number=1,
        width=600,
        height=800,
        fills=tuple(Box(x, y, x + width, y + height) for x, y, width, height in boxes),
        verticals=tuple(Ruling(x, y, y + 5) for x, y, _, _ in boxes),
        horizontals=tuple(Ruling(y, x, x + width) for x, y, width, _ in boxes),
    )

    twice = mirrored(mirrored(page))

    for before, other in zip(page.fills, twice.fills, strict=True):
        assert (before.x0, before.x1) == pytest.approx((other.x0, other.x1))
    for before, other in zip(page.verticals, twice.verticals, strict=True):
        assert before.at == pytest.approx(other.at)
    for before, other in zip(page.horizontals, twice.horizontals, strict=True):
        assert (before.start, before.end) == pytest.approx((other.start, other.end))
