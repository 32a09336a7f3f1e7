"""The patterns of a catalog: what is searched, by what, and for how long."""

import pyarrow as pa
import pytest

from tabular.types.patterns import Pattern, search_problem


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
    ],
)
def test_a_pattern_that_cannot_be_searched_says_why(pattern, words):
    problem = search_problem(pattern)

    assert problem is None if words is None else words in (problem or "")
