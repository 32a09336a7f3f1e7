"""Sentences for people have the right number."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabular.model.sentences import counted, sized

HOUSE = Path(__file__).resolve().parents[3]
ROOMS = """
    api catalogs changesets common contracts deliveries importengine imports ledger licensing
    references sandbox staging tabular schemas
""".split()  # noqa: SIM905 - fifteen words are easier to read than fifteen literals
NOUNS = """
    attempts bytes cells columns deliveries errors fields files imports items lines parts questions
    rows sheets tables texts values
""".split()  # noqa: SIM905 - as above


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (counted(1, "row"), "1 row"),
        (counted(0, "row"), "0 rows"),
        (counted(12_345, "row"), "12,345 rows"),
        (counted(1, "row has", "rows have"), "1 row has"),
        (counted(2, "row has", "rows have"), "2 rows have"),
        (sized(4 * 1024**3), "4 GiB"),
        (sized(1024**2), "1 MiB"),
        (sized(1024**2 + 1), "1,048,577 bytes"),  # never rounded
        (sized(1), "1 byte"),
        (sized(0), "0 bytes"),
    ],
)
def test_a_number_and_its_noun_agree(text, expected):
    assert text == expected


def test_no_sentence_puts_a_number_before_a_plural_of_its_own():
    places = [
        f"{path.relative_to(HOUSE)}:{line}: {noun}"
        for room in ROOMS
        for path in (HOUSE / room).rglob("*.py")
        for line, noun in plurals(path)
    ]

    assert places == []


def plurals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield formatted values followed by a plural, except limits (in capitals)."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for value, after in zip(node.values, node.values[1:], strict=False):
            if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            words = str(after.value).split()
            name = ast.unparse(value.value).split(".")[-1]
            is_number = not name.isupper() and name != "method"  # "ruled cells"
            if str(after.value).startswith(" ") and words and words[0] in NOUNS and is_number:
                yield node.lineno, words[0]
