"""What a careful person would deliver from a file, and which cells keep a row from delivery."""

import math
from collections.abc import Callable
from datetime import date, datetime
from typing import TypedDict

from examples.making.source import Row

Value = str | int | float | None
Read = Callable[[str], Value]  # ValueError for a text that is not one


class Failed(TypedDict):
    """A cell that keeps its row from being delivered."""

    bodyRow: int  # 1-based, counted below the header
    field: str
    value: str


class Expectation(TypedDict):
    """The content of ``expected/*.json``."""

    file: str
    catalog: str
    mapping: dict[str, str]  # source column to field path
    unmapped: list[str]
    counts: dict[str, int]
    failed: list[Failed]
    rows: list[dict[str, Value]]  # delivered, in the file's order


def text(value: str) -> Value:
    """Keep text; nothing is null."""
    return value or None


def required(value: str) -> Value:
    """Keep text that must be there."""
    if not value:
        raise ValueError
    return value


def whole(value: str) -> Value:
    """Read a whole number."""
    return int(value) if value else None


def number_us(value: str) -> Value:
    """Read 1,249.50."""
    return float(value.replace(",", ""))


def number_eu(value: str) -> Value:
    """Read 1.249,50."""
    return number_us(value.translate(str.maketrans(",.", ".,")))


def date_iso(value: str) -> Value:
    """Read 2026-02-28."""
    return date.fromisoformat(value).isoformat()


def date_dmy(value: str) -> Value:
    """Read 28.02.2026."""
    return datetime.strptime(value, "%d.%m.%Y").date().isoformat()  # noqa: DTZ007 - a bare day


def email(value: str) -> Value:
    """Read an e-mail address; these have an @ or are plainly none."""
    if value and "@" not in value:
        raise ValueError
    return value or None


def gtin(value: str) -> Value:
    """Read a GTIN-13 by its check digit (GS1 General Specifications 7.9)."""
    digits = [int(digit) for digit in value]
    if (sum(digits[0::2]) + 3 * sum(digits[1::2])) % 10:
        raise ValueError
    return value


def expect(
    *, file: str, entity: str, columns: dict[str, str], readers: dict[str, Read], rows: list[Row]
) -> Expectation:
    """
    Read the rows of a file as its catalog asks.

    columns: source column to field key, or to "" for a column that no field wants. readers: one
    per field key, in the catalog's order.
    """
    failed: list[Failed] = []
    delivered = []
    for at, row in enumerate(rows, start=1):
        values, wrong = _read(row, readers, entity)
        failed += [Failed(bodyRow=at, field=path, value=value) for path, value in wrong.items()]
        if not wrong:
            delivered.append(values)
    counts = {"rows": len(rows), "imported": len(delivered), "failed": len(rows) - len(delivered)}
    return Expectation(
        file=file,
        catalog=entity,
        mapping={column: f"{entity}.{key}" for column, key in columns.items() if key},
        unmapped=[column for column, key in columns.items() if not key],
        counts=counts,
        failed=failed,
        rows=delivered,
    )


def _read(
    row: Row, readers: dict[str, Read], entity: str
) -> tuple[dict[str, Value], dict[str, str]]:
    values: dict[str, Value] = {}
    wrong = {}
    for key, read in readers.items():
        try:
            values[f"{entity}.{key}"] = read(row[key])
        except ValueError:
            wrong[f"{entity}.{key}"] = row[key]
    return values, wrong


def rounded(amount: float) -> float:
    """Round to cents, halves up, as an invoice does."""
    return math.floor(amount * 100 + 0.5) / 100
