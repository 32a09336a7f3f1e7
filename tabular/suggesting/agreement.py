"""How many cells of a column agree on a type if not all do, and which ones differ."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tabular.model.catalog import ColumnType
from tabular.suggesting.kinds import Found, Texts, kind_of
from tabular.values import Kind, judge
from tabular.values.doubt import is_doubted

FEW = 4  # cells that agree, at least: fewer say little
MOST = 2 / 3  # share of agreeing cells from which a type is worth mentioning
TELLING = (Kind.EMAIL, Kind.URL, Kind.PHONE, Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.CODE)
EMPTY = (Kind.BLANK, Kind.PLACEHOLDER, Kind.ERROR)
FORMED: frozenset[ColumnType] = frozenset(  # what a digit in an odd value was meant to be
    {"phone", "iban", "gtin", "date", "date_dmy", "date_mdy", "datetime", "time_hm", "time_hms"}
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """
    The type of most cells.

    cells: of the type, of so many. odd: the texts of the others. is_clear: the others are clearly
    broken values of the type, so the column has that type.
    """

    kind: Found
    cells: int
    of: int
    odd: tuple[str, ...]
    is_clear: bool


def agreement(texts: Texts) -> Agreement | None:
    """Return the type that most cells of a column agree on, if ``kind_of`` finds none."""
    counts: Counter[Kind] = Counter()
    kinds = list(map(_kind, texts.values))
    for kind, count in zip(kinds, texts.counts.tolist(), strict=True):
        counts[kind] += count
    main = max(TELLING, key=lambda kind: counts[kind])
    of = counts.total()
    if counts[main] < FEW or counts[main] < MOST * of or counts[main] == of:
        return None
    main_kind = kind_of(_only(texts, [kind is main for kind in kinds]))
    if main_kind.column_type == "string":
        return None
    odd = tuple(t for t, kind in zip(texts.values, kinds, strict=True) if kind is not main)
    is_clear = all(_is_broken(text, main_kind.column_type) for text in odd)
    return Agreement(main_kind, counts[main], of, odd, is_clear)


def _kind(text: str) -> Kind:
    kind = judge(text).kind  # brackets around a number are its sign
    return Kind.WORD if kind is not Kind.NUMBER and is_doubted(text) else kind


def _only(texts: Texts, chosen: Sequence[bool]) -> Texts:
    mask = np.array(chosen, bool)
    values = tuple(text for text, is_one in zip(texts.values, chosen, strict=True) if is_one)
    return replace(texts, values=values, counts=texts.counts[mask])


def _is_broken(text: str, column_type: ColumnType) -> bool:
    """Return whether a text is empty of meaning, doubtful, or a broken value of the type."""
    if judge(text).kind in EMPTY or not any(map(str.isalnum, text)) or is_doubted(text):
        return True
    if column_type == "email":
        return "@" in text or "(at)" in text.casefold()
    return column_type in FORMED and any(map(str.isdigit, text))
