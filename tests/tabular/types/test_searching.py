"""The patterns of a catalog: what is searched, by what, and for how long."""

import pyarrow as pa
import pytest

from tabular.types.patterns import Pattern, pattern_problem, rewrite_problem, search_problem


@pytest.mark.parametrize(
    ("pattern", "flags", "texts", "expected"),
    [
        ("^a", "", ["ab", "ba", None], [True, False, None]),
        ("^A", "i", ["ab"], [True]),
        ("^A(?=B)", "i", ["ab"], [True]),
        ("a.b", "s", ["a\nb"], [True]),
        ("^(?!x)b$", "m", ["a\nb", "x"], [True, False]),
        (r"(\w)\1", "gu", ["abba", "abab"], [True, False]),
        (r"(?<!-)\bx", "zz", ["-x", " x"], [False, True]),
    ],
)
def test_a_pattern_is_searched_with_its_flags(pattern, flags, texts, expected):
    assert Pattern(pattern, flags).search(pa.array(texts, pa.string())).to_pylist() == expected


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(?=x)", None),
        ("a{5000}", None),  # more than RE2 repeats
        (r"\d{4}-\d{2}(?!\d)", None),
        ("[", "unterminated"),
        ("(?=x", "cannot be read"),
        ("((a{1000}){1000}){1000}", "too many"),  # a gigabyte when it is compiled
        ("(" * 9 + "a" + "{20})" * 9, "too many"),
        ("[(]{3}(?=x)", None),
        ("(?:a{1000}){19}(?=x)", None),
        ("(?:a{1000}){21}(?=x)", "too many"),
        ("(?:ab{,9000}){3}(?=x)", "too many"),
        (r"(?:\{a{1000}){19}(?=x)", None),  # a brace, not a number of times
        ("(?:[a{2}z]{1000}){19}(?=x)", None),
    ],
)
def test_a_pattern_that_cannot_be_searched_says_why(pattern, words):
    problem = search_problem(pattern)

    assert problem is None if words is None else words in (problem or "")


def test_a_pattern_remembers_what_it_found_and_no_more_than_it_may(monkeypatch):
    monkeypatch.setattr("tabular.types.patterns.REMEMBERED", 1)
    pattern = Pattern(r"(\w)\1")

    for _ in range(2):
        match = pattern.search(pa.array(["aa", "ab", "cc", "aa", None]))
        assert match.to_pylist() == [True, False, True, True, None]


@pytest.mark.parametrize(("flags", "is_linear"), [("", True), ("ig", True)])
def test_a_pattern_of_linear_time_leaves_nothing_undecided(flags, is_linear):
    pattern = Pattern("^a", flags)

    assert pattern.is_linear == is_linear
    assert pattern.undecided(pa.array(["a", "b", None])).to_pylist() == [False] * 3


@pytest.mark.parametrize(
    ("pattern", "by", "words"),
    [
        ("(a)(b)", r"\2\1", None),
        ("(a)", r"\\", None),
        ("a", r"\0", None),
        ("(?:a)", r"\1", "only 0"),
        ("(?P<x>a)", r"\1", None),
        (r"\(a", r"\1", "only 0"),
        ("(a)", r"\2", "group 2"),
        ("(a)", r"\n", "backslash"),
    ],
)
def test_a_replacement_uses_the_groups_its_pattern_has(pattern, by, words):
    problem = rewrite_problem(pattern, by)

    assert problem is None if words is None else words in (problem or "")


def test_a_pattern_of_a_recipe_is_short_and_linear():
    assert pattern_problem("a" * 1000) is None
    assert "more than 1000" in (pattern_problem("a" * 1001) or "")
    assert "missing )" in (pattern_problem("(") or "")
