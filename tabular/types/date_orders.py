"""Whether a column writes the day or the month first."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.values.arrays import where
from tabular.values.dates import DateOrder, numeric_parts

HELD = 200_000  # distinct texts that wait for their tally


@dataclass(frozen=True, slots=True)
class DateTally:
    """How many dates can only be day first, only month first, or either (03/04/2024)."""

    dmy: int = 0
    mdy: int = 0
    either: int = 0
    dotted: int = 0  # of either: written 3.4.2024, which nobody does month first

    def __add__(self, other: "DateTally") -> "DateTally":
        return DateTally(
            self.dmy + other.dmy,
            self.mdy + other.mdy,
            self.either + other.either,
            self.dotted + other.dotted,
        )

    @property
    def likelier(self) -> DateOrder:
        """The order with more dates on its side; without any, the one most of the world uses."""
        return "mdy" if self.mdy > self.dmy else "dmy"

    @property
    def is_decided(self) -> bool:
        """Whether the column needs no question: one side prevails, or no date depends on it."""
        less, more = sorted((self.dmy, self.mdy))
        if more == 0:
            return self.either == self.dotted
        return less * 10 <= more


class DateCounter:
    """Counts the distinct dates of a column, batch by batch, and tallies each once."""

    def __init__(self) -> None:
        self._counted: list[pa.Table] = []
        self._tally = DateTally()
        self._size = 0

    def add(self, texts: pa.Array) -> None:
        """Count one batch. texts: n tidy strings."""
        counted = texts.value_counts()
        self._counted.append(pa.table({n: counted.field(n) for n in ("values", "counts")}))
        self._size += len(counted)
        if self._size > HELD:
            self.tally()

    def tally(self) -> DateTally:
        """Say what the dates counted so far mean."""
        if not self._counted:
            return self._tally
        table = pa.concat_tables(self._counted)
        if len(self._counted) > 1:
            grouped = table.group_by("values").aggregate([("counts", "sum")])
            table = grouped.rename_columns(["values", "counts"])
        distinct = table["values"].combine_chunks()
        self._tally += tally_dates(distinct, table["counts"].to_numpy())
        self._counted, self._size = [], 0
        return self._tally


def tally_dates(distinct: pa.Array, counts: NDArray[np.int64]) -> DateTally:
    """Count what dates say. distinct: n tidy strings. counts: how often each occurs."""
    (a, b, c), _ = numeric_parts(distinct)
    dated = (a >= 1) & (a <= 31) & (b >= 1) & (b <= 31) & (c >= 0)
    either = dated & (a <= 12) & (b <= 12) & (a != b)
    dots = np.zeros(len(distinct), dtype=bool)
    dots[where(pc.match_substring(distinct, "."))] = True

    def count(mask: np.ndarray) -> int:
        return int(counts[mask].sum())

    return DateTally(
        dmy=count(dated & (a > 12) & (b <= 12)),
        mdy=count(dated & (b > 12) & (a <= 12)),
        either=count(either),
        dotted=count(either & dots),
    )
