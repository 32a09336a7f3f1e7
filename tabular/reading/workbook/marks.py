"""What the file says of single cells beyond their values: their format, digits a double loses."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tabular.model.kinds import NumberText
from tabular.reading.workbook.formats import Shown


@dataclass(slots=True)
class _Marked:
    """Rows of one column, ascending, with a number each."""

    rows: array[int] = field(default_factory=lambda: array("I"))
    numbers: array[int] = field(default_factory=lambda: array("I"))

    def add(self, row: int, number: int) -> None:
        if self.rows and row < self.rows[-1]:  # no program writes rows out of order
            place = bisect_left(self.rows, row)
            self.rows.insert(place, row)
            self.numbers.insert(place, number)
            return
        self.rows.append(row)
        self.numbers.append(number)


class Marks:
    """The marked cells of one sheet, by column and row."""

    def __init__(self, styles: dict[int, Shown] | None = None) -> None:
        self.styles = styles or {}
        self._styled: dict[int, _Marked] = {}
        self._exact: dict[int, _Marked] = {}
        self._digits: list[bytes] = []

    def add_style(self, row: int, column: int, style: int) -> None:
        """Note a cell whose style says more than "number"."""
        self._styled.setdefault(column, _Marked()).add(row, style)

    def add_digits(self, row: int, column: int, digits: bytes) -> None:
        """Note a whole number with more digits than a double holds."""
        self._exact.setdefault(column, _Marked()).add(row, len(self._digits))
        self._digits.append(digits)

    def applied(self, texts: Sequence[str], column: int, start: int) -> Sequence[str]:
        """Give the texts of a column from row ``start`` on, as their marks say."""
        texts = _changed(texts, self._exact.get(column), start, self._in_full)
        return _changed(texts, self._styled.get(column), start, self._as_shown)

    def _in_full(self, text: str, number: int) -> str:
        is_number = type(text) is NumberText
        return NumberText(self._digits[number].decode("ascii")) if is_number else text

    def _as_shown(self, text: str, style: int) -> str:
        return self.styles[style].text(text)


def _changed(
    texts: Sequence[str], marked: _Marked | None, start: int, change: Callable[[str, int], str]
) -> Sequence[str]:
    if marked is None:
        return texts
    first, last = bisect_left(marked.rows, start), bisect_left(marked.rows, start + len(texts))
    if first == last:
        return texts
    changed = list(texts)
    for row, number in zip(marked.rows[first:last], marked.numbers[first:last], strict=True):
        changed[row - start] = change(changed[row - start], number)
    return changed
