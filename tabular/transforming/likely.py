"""How an undecided column of numbers is probably written, by the rest of its file."""

from dataclasses import dataclass

import pyarrow as pa

from tabular.transforming.plan import Plan
from tabular.transforming.worked import Worked
from tabular.types.kinds import said
from tabular.types.number_formats import NumberTally, tally_numbers
from tabular.types.parsed import tidy
from tabular.values import NumberFormat
from tabular.values.locales import decimal_mark

_MARKS: dict[str, NumberFormat] = {",": "eu", ".": "us"}
_WRITTEN = {"eu": "a comma", "us": "a point"}


@dataclass(frozen=True, slots=True)
class Likely:
    """The format that the rest of the file speaks for, and why."""

    format: NumberFormat
    reasons: tuple[str, ...] = ()


def clear_formats(worked: Worked) -> dict[str, NumberFormat]:
    """Give the columns of a batch whose numbers can be read in one way only, with that way."""
    found: dict[str, NumberFormat] = {}
    for name, texts in worked.columns.items():
        written = said(tidy(texts), worked.kinds.get(name)).drop_null()
        tally = tally_numbers(written)
        if _is_clear(tally, written):
            found[name] = tally.likelier
    return found


def _is_clear(tally: NumberTally, written: pa.Array) -> bool:
    """Whether every text with a mark is a number, and all in one way."""
    marked = sum(any(c in text for c in ".,") for text in written.to_pylist())
    return max(tally.eu, tally.us) > 0 == min(tally.eu, tally.us) and (
        tally.eu + tally.us + tally.either == marked
    )


def likely_format(
    column: str, tally: NumberTally, clear: dict[str, NumberFormat], plan: Plan
) -> Likely:
    """
    Say how an undecided column is probably written.

    Its own texts count first, then the other columns of the file, then what parts the cells, then
    where the import comes from.
    """
    if tally.eu != tally.us:
        return Likely(tally.likelier)
    others = {name: fmt for name, fmt in clear.items() if name != column}
    for fmt in ("eu", "us"):
        if others and set(others.values()) == {fmt}:
            names = ", ".join(f"“{name}”" for name in list(others)[:3])
            return Likely(fmt, (f"{names}: {_WRITTEN[fmt]} before the decimals",))
    if plan.delimiter == ";":
        return Likely("eu", ("The cells are parted by semicolons, as where a comma is decimal",))
    if plan.delimiter == ",":
        return Likely("us", ("The cells are parted by commas, so a comma is rarely decimal",))
    mark = decimal_mark(plan.context.region) if plan.context.region else None
    if mark in _MARKS:
        fmt = _MARKS[mark]
        return Likely(fmt, (f"{_WRITTEN[fmt]} is usual in {plan.context.region}".capitalize(),))
    return Likely("us")
