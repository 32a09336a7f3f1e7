"""
What is kept of a table to compare later ones with: a picture, as values and as JSON.

A picture has no cell of a column that differs from row to row: of values it keeps only the most
frequent ones of columns with few distinct values, and 32 bits of the hashes of some.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Self

import numpy as np
from pydantic import PlainSerializer, PlainValidator

from tabular.protocol import forms

VERSION = 1
MOST = 0.8  # of a column's texts
BINS = 20  # of a histogram, for each power of ten


def _packed(sample: tuple[int, ...]) -> str:
    return b64encode(np.array(sample, "<u4").tobytes()).decode()


def _unpacked(packed: Any) -> tuple[int, ...]:
    if isinstance(packed, tuple):
        return packed
    return tuple(np.frombuffer(b64decode(packed, validate=True), "<u4").tolist())


Sample = Annotated[tuple[int, ...], PlainValidator(_unpacked), PlainSerializer(_packed)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """
    The numbers of a column.

    sizes: how many have an absolute value of about 10^(bin / BINS), by bin, ascending.
    """

    count: int
    least: float
    greatest: float
    total: float
    negative: int
    sizes: tuple[tuple[int, int], ...]

    @property
    def mean(self) -> float:
        """The arithmetic mean."""
        return self.total / self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The days of a column. early, late: a twentieth is earlier, a twentieth is later."""

    count: int
    first: date
    last: date
    early: date
    late: date

    @property
    def span(self) -> int:
        """The days from early to late."""
        return (self.late - self.early).days


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPicture:
    """
    One column of the file.

    place: its position. path: the field that its values feed as they are. kinds: what some of its
    distinct texts are, the most frequent first, or the type of its field. filled: cells with a
    text. unread: cells with a text and without a value. distinct: estimated above the size of
    ``sample``, the least hashes. top: the most frequent values, if the column has few distinct
    ones. length: mean characters of texts. content: equal for columns with the same values, in any
    order.
    """

    header: str
    place: int
    path: str | None = None
    kinds: tuple[tuple[str, int], ...] = ()
    rows: int
    filled: int
    unread: int = 0
    distinct: int = 0
    sample: Sample = ()
    top: tuple[tuple[str, int], ...] = ()
    length: float = 0.0
    numbers: Numbers | None = None
    dates: Dates | None = None
    content: str = ""

    @property
    def kind(self) -> str:
        """What most of its texts are; "" if it has none, or of several kinds."""
        if not self.kinds:
            return ""
        kind = self.kinds[0][0]
        return kind if self.share_of(kind) >= MOST else ""

    def share_of(self, kind: str) -> float:
        """Return the share of a kind among its distinct texts."""
        total = sum(count for _, count in self.kinds)
        return dict(self.kinds).get(kind, 0) / total if total else 0.0

    @property
    def empty_share(self) -> float:
        """Empty cells over all."""
        return 1 - self.filled / self.rows if self.rows else 0.0

    @property
    def unread_share(self) -> float:
        """Cells with a text and without a value, over those with a text."""
        return self.unread / self.filled if self.filled else 0.0

    @property
    def uniqueness(self) -> float:
        """Distinct values over filled cells, 0 to 1."""
        return min(1.0, self.distinct / self.filled) if self.filled else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A table as it is remembered. day: when its file arrived."""

    rows: int
    columns: tuple[ColumnPicture, ...]
    day: date | None = None
    version: int = VERSION

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self | None:
        """Read a picture as it is stored; None if another version of the engine took it."""
        if document.get("version") != VERSION:
            return None
        return forms.read_kept(cls, document)

    def as_json(self) -> dict[str, Any]:
        """Return it as it is stored."""
        return forms.as_json(self)
