"""What the bytes of a file are, in any pieces, and rows that do not have the form of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.problem import UnreadableFile, UnusableRequest
from tabular.reading.text import encoding
from tabular.reading.text.fitting import Fitting, capped, fit_header, fit_records, odd_row
from tabular.reading.text.records import Dialect, Record, parse_lines

GERMAN = "Straße;Größe\nÄpfel;süß\n"


def detected(tmp_path, content, **more):
    path = tmp_path / "file"
    path.write_bytes(content)
    return encoding.detect(path, **more)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"id;name\n1;x\n", "utf-8"),
        (GERMAN.encode(), "utf-8"),
        (GERMAN.encode("utf-8-sig"), "utf-8-sig"),
        (GERMAN.encode("utf-16"), "utf-16"),
        (GERMAN.encode("utf-32"), "utf-32"),
        (GERMAN.encode("utf-16-le"), "utf-16-le"),
        (GERMAN.encode("utf-16-be"), "utf-16-be"),
        ("a;b".encode("utf-16-le"), "utf-16-le"),  # without a line break
        (GERMAN.encode("cp1252"), "cp1252"),
        (b"id;name\n1;a\0b\n2;c\n3;d\n", "utf-8"),  # a stray NUL
        ((GERMAN * 5).encode() + b"\xff\n", "utf-8"),  # damaged, but hardly
        ("\x93quoted\x94; \x96\n".encode(), "cp1252"),  # controls that no text holds
        ("\x93quoted\x94; ü\n".encode(), "utf-8"),
        ("\x80; \x9f\n".encode(), "cp1252"),
        ("1\xa0000;\n".encode(), "utf-8"),
        ("a;".encode("utf-16-le"), "utf-16-le"),
        ("漢字漢a".encode("utf-16-le"), "utf-16-le"),
        (b"ab\0", "utf-8"),
        ("ä".encode() * 11 + b"\xff;\n", "utf-8"),
    ],
)
def test_the_bytes_of_a_file_tell_its_encoding(tmp_path, content, name):
    encoding = detected(tmp_path, content)

    assert encoding.name == name
    assert 0 < encoding.confidence <= 1
    assert encoding.is_utf8 == name.startswith("utf-8")


def test_a_file_with_many_bytes_that_are_not_utf_8_is_not_utf_8(tmp_path):
    assert not detected(tmp_path, "ä".encode() * 10 + b"\xff;\n").is_utf8


@pytest.mark.parametrize(("controls", "is_text"), [(0, True), (8, True), (9, False), (400, False)])
def test_a_file_of_control_characters_is_not_text(tmp_path, controls, is_text):
    content = b"id;name\n" * 10 + b"\x02" * controls

    if is_text:
        assert detected(tmp_path, content).name == "utf-8"
    else:
        with pytest.raises(UnreadableFile, match="not text"):
            detected(tmp_path, content)


def test_a_chosen_encoding_is_taken_where_all_bytes_exist_in_it(tmp_path):
    content = GERMAN.encode("cp1252")

    assert detected(tmp_path, content, chosen="latin-1").name == "iso8859-1"
    assert detected(tmp_path, GERMAN.encode("utf-8-sig"), chosen="utf8").name == "utf-8-sig"
    assert detected(tmp_path, GERMAN.encode(), chosen="utf8").name == "utf-8"
    with pytest.raises(UnusableRequest, match="is not valid utf-8"):
        detected(tmp_path, content, chosen="utf-8")
    with pytest.raises(UnusableRequest, match="not known"):
        detected(tmp_path, content, chosen="klingon")


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 64])
@given(content=st.one_of(st.text(max_size=30).map(str.encode), st.binary(max_size=30)))
def test_a_file_is_surveyed_alike_in_any_pieces(tmp_path_factory, chunk, content):
    path = tmp_path_factory.mktemp("survey") / "file"
    path.write_bytes(content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "_CHUNK", chunk)
        statistics = encoding.survey(path)

    assert statistics.size == len(content)
    assert statistics.is_ascii == content.isascii()
    assert statistics.is_utf8 == is_utf8(content)


def is_utf8(content):
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


ROWS = [["id", "name", "price"], *([str(n), f"part {n}", f"{n}.50"] for n in range(1, 8))]


def records(*rows):
    return [Record(list(cells)) for cells in rows]


@pytest.mark.parametrize(
    ("cells", "fitted"),
    [
        (["8", "", "part 8", "8.50"], ["8", "part 8", "8.50"]),
        (["", "8", "part 8", "8.50"], ["8", "part 8", "8.50"]),
        (["8", "part 8", "", "8.50"], None),  # its price may be the empty cell
        (["8", "part 8", "8.50", ""], None),  # nothing is out of its place
        (["8", "part", "eight", "8.50"], None),  # nothing is empty
        (["8", "", "", "part 8", "8.50"], None),
        (["8", "8.50"], None),
    ],
)
def test_a_row_with_an_empty_cell_too_many_is_fitted(cells, fitted):
    assert Fitting.of(ROWS, 3).fit(cells) == fitted


def test_what_was_fitted_is_reported():
    fitted = records(*ROWS, ["8", "", "part 8", "8.50"], ["9", "b\\xff", "9.50"])

    issues = fit_records(fitted, 3, is_valid=False)

    assert [(issue.code, issue.row) for issue in issues] == [
        ("row_realigned", 8),
        ("undecodable_bytes", 9),
    ]
    assert fitted[8].cells == ["8", "part 8", "8.50"]
    assert fit_records(records(*ROWS), 3, is_valid=True) == []


def test_too_few_rows_say_nothing_about_the_usual_one():
    assert Fitting.of(ROWS[:4], 3).fit(["8", "", "part 8", "8.50"]) is None
    assert Fitting.of([["a"]] * 9, 1).fit(["", "a"]) is None


@pytest.mark.parametrize(
    ("header", "body", "is_fitted"),
    [
        (["id", "", "name", "x"], [["1", "a", "b"], ["2", "c", ""]] * 3, True),
        (["id", "", "name", "x"], [["1", "a", "b"]] * 6, False),  # its writer may leave ends out
        (["id", "", "", "x"], [["1", "a", ""]] * 6, False),
        (["id", "n", "name", "x"], [["1", "a", ""]] * 6, False),
        (["id", "", "name"], [["1", "a", ""]] * 6, False),
        (["id", "", "name", "x"], [["1", "a", ""]] * 4, False),
        (["id", "", "name", "x"], [*[["1", "a", ""]] * 5, ["1", "2", "3", "4"]], False),
    ],
)
def test_a_header_loses_an_empty_cell_only_where_the_body_proves_it(header, body, is_fitted):
    fitted = records(header, *body)

    assert fit_header(fitted, 0, 3) == is_fitted
    assert len(fitted[0].cells) == len(header) - is_fitted


def test_odd_rows_are_reported_one_by_one_up_to_a_number(monkeypatch):
    monkeypatch.setattr("tabular.reading.text.fitting.REPORTED_ROWS", 2)
    issues = [odd_row("short_row", row) for row in range(5)]

    assert [issue.row for issue in capped(issues)] == [0, 1, None]
    assert capped(issues)[2].message == "3 more rows have problems."
    assert capped(issues[:2]) == tuple(issues[:2])


def cells_of(*lines, width=0, mark=",", quote='"', escape=""):
    parsed = parse_lines([f"{line}\n" for line in lines], Dialect(mark, quote, escape), width=width)
    return [item.cells for item in parsed]


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("a,b", ["a", "b"]),
        ('"a,b",c', ["a,b", "c"]),
        ('"a ""b""",c', ['a "b"', "c"]),
        ('a,"b" ,c', ["a", "b", "c"]),
        ('a, "b"', ["a", "b"]),
        ('a"b,c', ['a"b', "c"]),
        ('"a" x,c', ['"a" x', "c"]),
        ('"",""', ["", ""]),
        ('"', ['"']),
        ('a,"', ["a", '"']),
        ("", [""]),
        (",", ["", ""]),
        ('"a",', ["a", ""]),
    ],
)
def test_a_quote_opens_and_closes_a_cell_at_its_ends_only(line, cells):
    assert cells_of(line) == [cells]


@pytest.mark.parametrize(
    ("line", "width", "cells"),
    [
        ('"he said "no" twice",5', 2, ['he said "no" twice', "5"]),
        ('boots"Great grip",5', 3, ["boots", "Great grip", "5"]),
        ('boots"Great grip",5', 2, ['boots"Great grip"', "5"]),
        ('"a" b",5', 2, ['a" b', "5"]),
        ('"a" b,"c"', 2, ['"a" b', "c"]),
    ],
)
def test_broken_quotes_are_read_in_the_way_that_gives_the_usual_width(line, width, cells):
    assert cells_of(line, width=width) == [cells]


def test_a_cell_goes_on_over_lines_until_its_quote_closes():
    assert cells_of('"a', 'b",c', "d,e") == [["a\nb", "c"], ["d", "e"]]
    assert cells_of('"a', "b,c", "d,e") == [['"a'], ["b", "c"], ["d", "e"]]  # it never does


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        (r"a\,b,c", ["a,b", "c"]),
        (r"a\\,b,c", [r"a\\", "b", "c"]),
        (r'"a\"b",c', ['a"b', "c"]),
        (r"C:\x,c", [r"C:\x", "c"]),
    ],
)
def test_an_escaped_mark_is_part_of_its_cell(line, cells):
    assert cells_of(line, escape="\\") == [cells]


@pytest.mark.parametrize(
    ("mark", "line", "cells"),
    [
        ("", '"a ""b"""', ['a "b"']),
        ("", '"', ['"']),
        ("", '"a', ['"a']),
        ("", "a,b", ["a,b"]),
        (" ", "a  b c", ["a", "b", "c"]),
        (" ", '"a b" c', ["a b", "c"]),
        (" ", '"a ""b""" c', ['a "b"', "c"]),
        (" ", '" c', ['"', "c"]),
        (" ", "", [""]),
    ],
)
def test_lines_without_a_mark_or_with_blanks_are_cut(mark, line, cells):
    assert cells_of(line, mark=mark) == [cells]
