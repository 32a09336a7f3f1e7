"""Headers that are numbered: ``item1``, ``Item 2``, ``qty_2``."""

import re
from collections.abc import Iterable, Mapping

from tabular.vocabulary.headers import take_apart

Families = Mapping[str, Mapping[int, str]]  # name without a number: column by number
_NUMBER = re.compile(r"[0-9]{1,3}")  # no year


def families(columns: Iterable[str]) -> Families:
    """
    Return the columns that differ by their number alone, two or more of each name.

    A column of the name without a number is the first, if no other is.

    >>> families(["Order", "item1", "Item 2", "qty", "qty_2", "note_1"])
    {'item': {1: 'item1', 2: 'Item 2'}, 'qty': {1: 'qty', 2: 'qty_2'}}
    """
    plain: dict[str, str] = {}
    by_name: dict[str, dict[int, str]] = {}
    for column in columns:
        header = take_apart(column)
        words = header.words + header.aside
        numbers = [place for place, word in enumerate(words) if word.isdigit()]
        name = " ".join(word for word in words if not word.isdigit())
        if not numbers:
            plain.setdefault(name, column)
        elif len(numbers) == 1 and name and _NUMBER.fullmatch(words[numbers[0]]):
            by_name.setdefault(name, {}).setdefault(int(words[numbers[0]]), column)
    for name, by_number in by_name.items():
        if min(by_number) > 1 and name in plain:
            by_name[name] = {1: plain[name]} | by_number
    return {name: by_number for name, by_number in by_name.items() if len(by_number) > 1}


def numbers_of(columns: Iterable[str]) -> dict[str, int]:
    """
    Return the number of each numbered column.

    >>> numbers_of(["item", "item2", "Order"])
    {'item': 1, 'item2': 2}
    """
    return {
        column: number
        for by_number in families(columns).values()
        for number, column in by_number.items()
    }
