"""Which marks part the cells of lines, and which lines hold one value each."""

import pytest

from tabular.reading.text.dialect import choose, is_one_column, separator_of
from tabular.reading.text.records import Dialect

PRICES = ["1,50 €", "2,75 €", "3,25 €", "4,00 €", "5,10 €", "6,20 €", "7,30 €", "8,40 €"]


@pytest.mark.parametrize(
    ("mark", "lines", "is_one"),
    [
        (",", ["Name", "Dubois, Rita"], True),
        (",", ["Name"], False),  # a single line is not enough
        (",", ["Name", "Dubois,Rita"], False),
        (";", ["Name", "Dubois; Rita", "Hall; Eva"], True),
        ("|", ["Name", "Dubois| Rita", "Hall| Eva"], False),
        (",", ["First, last", "Dubois, Rita"], False),  # the names are parted, too
        (",", ["Name", "Dubois"], False),  # nothing to part
        (",", ["Price", *PRICES, "9,50 €", "oak,red"], True),  # nine values of ten
        (",", ["Price", *PRICES, "ash,tan", "oak,red"], False),
        (",", ["Price", *PRICES, "n/a", "-"], True),  # placeholders prove nothing
        (",", ["Link", "http://a.test/x,y", "http://a.test/z,w"], True),
        (";", ["Link", "http://a.test/x;y", "http://a.test/z;w"], False),
        (";", ["Link", "http://a.test/x", "http://a.test/z"], True),
        (",", ["Size", "1,5 m²", "2,5 m²"], True),
        (",", ["Size", "1,5 lfm", "2,5 lfm"], True),  # a unit that is not known
        (" ", ["Size", "12 kg", "7 kg"], True),
        (":", ["a:b", "oak:red"], False),
        (":", ["a:b", "oak"], True),
        (" ", ["a b", "1 2", "3 4"], False),  # a column of values
        (" ", ["a b", "oak red", "ash tan"], True),
        (" ", ["a b", "1 2"], True),
        (" ", ['"a" b', '"oak" red'], False),  # quoted
        (" ", ['"a" b', "oak red"], True),
        (" ", [*["oak 1"] * 9, "ash 1 2"], False),  # nearly all are parted alike
        (" ", [*["oak 1"] * 8, "ash 1 2", "elm 1 2"], True),
        (" ", ["oak", *["oak 1"] * 9], True),
        (",", ['"a","b"', '"oak","red"'], False),
    ],
)
def test_lines_of_one_value_each_are_not_cut(mark, lines, is_one):
    assert is_one_column(lines, Dialect(mark, '"')) == is_one


@pytest.mark.parametrize(
    ("line", "mark"),
    [("sep=;\r\n", ";"), ('"sep=,"\n', ","), ("SEP=\t", "\t"), ("sep=;;", None), ("sep=", None),
     ("sop=;", None), ("", None)],
)  # fmt: skip
def test_a_first_line_may_name_the_separator(line, mark):
    assert separator_of(line) == mark


@pytest.mark.parametrize(
    ("lines", "mark", "quote"),
    [
        (["a,b,c", "1,2,3", "4,5,6"], ",", ""),
        (["sep=;", "a;b", "1;2,5", "3;4,5"], ";", ""),
        (["a^b", "1^2", "3^4"], "^", ""),
        (["a|b;c", "1|2;3", "4|5"], "|", ""),
        (["start;end", "10:30;11:30", "12:30;13:45"], ";", ""),
        (["a:b", "oak:red", "ash:tan"], ":", ""),
        (["at", "10:30", "11:45"], "", ""),  # a clock
        (["id:1,name:Ada", "id:2,name:Bob", "id:3,name:Cid"], ",", ""),  # labels
        (["10:30", "11:45", "12:15"], "", ""),
        (["'a','b'", "'1,5','2'", "'2,5','3'"], ",", "'"),
        (["a,b", "o'k,1", "a'sh,2"], ",", ""),
        (['"a";"b"', '"1;5";"2"', '"2;5";"3"'], ";", '"'),
        (["a b c", "1 2 3", "4 5 6"], " ", ""),
        (["this is text", "of some words", "a line each"], "", ""),
        (["Name", "Dubois, Rita", "Hall, Eva"], "", ""),
        (["title", "a;b;c", "1;2;3", "4;5;6", "7;8;9"], ";", ""),
        (["a,b", "1,2", "x;y;z,3"], ",", ""),
        (["a;b", "1,5;2,5", "3,5;4,5"], ";", ""),
        (["oak   12", "ash    7", "elm  113"], "", ""),
    ],
)
def test_the_mark_that_parts_all_lines_alike_is_chosen(lines, mark, quote):
    best = choose([f"{line}\n" for line in lines], delimiter=None, quote=None)[0].dialect

    assert (best.delimiter, best.quote) == (mark, quote)


def test_an_escape_is_one_that_is_before_a_quote_or_a_mark():
    def escape(*lines):
        return choose([f"{line}\n" for line in lines], delimiter=None, quote=None)[0].dialect.escape

    assert escape('"a","b"', r'"an \"oak\"","1"', r'"b","2"') == "\\"
    assert escape("a,b", r"oak\, red,1", "ash,2") == "\\"
    assert escape("a,b", r"C:\oak,1", r"C:\ash,2") == ""


def test_what_a_person_chose_is_the_only_mark():
    lines = ["a;b,c\n", "1;2,3\n", "4;5,6\n"]

    assert {scored.dialect.delimiter for scored in choose(lines, delimiter=",", quote=None)} == {
        ","
    }
    assert {scored.dialect.quote for scored in choose(lines, delimiter=None, quote="'")} == {"'"}


def test_a_mark_that_leaves_the_first_line_whole_yields_to_one_that_cuts_all():
    lines = ["a b;c\n", "1,5 2;3\n", "4,5 5;6\n"]

    scores = {
        scored.dialect.delimiter: scored
        for scored in choose(lines, delimiter=None, quote="")
        if scored.width > 1
    }

    assert scores[";"].is_rectangle
    assert scores[";"].score > 4 * scores[","].score


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (["a;b", "1;2", "3;4"], ["a;b", "1;2", "3;4;5"]),
        (["a;b", "1;2", "3;4"], ["a;b", "1;2", "a sentence of words, and so on, as it is;4"]),
        (["a;b", "1;2", "3;4"], ["x", "a;b", "1;2", "3;4"]),
        (['a;"b"', "1;2", "3;4"], ['a;"b"x', "1;2", "3;4"]),
    ],
)
def test_what_is_uneven_worded_bent_or_not_covered_scores_less(better, worse):
    good, other = (
        choose([f"{line}\n" for line in lines], delimiter=";", quote='"')[0].score
        for lines in (better, worse)
    )

    assert 0 < other < good <= 2
