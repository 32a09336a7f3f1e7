"""Small weekly tables of orders, drawn from a seed, and their pictures."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pyarrow as pa

from feeds.drift.measuring import ColumnValues, picture_of
from feeds.drift.picture import Picture
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column

START = date(2026, 1, 5)
TYPES = {"Number": "int", "Day": "date_iso", "State": "string", "Total": "currency_eur"}
Table = dict[str, list[str | None]]


def orders(week: int, *, rows: int = 200, seed: int = 1) -> Table:
    """Return the orders of one week, in the order of their days."""
    drawn = random.Random(f"{seed}/{week}")
    days = sorted(START + timedelta(days=7 * week + drawn.randrange(7)) for _ in range(rows))
    return {
        "Number": [str(10_000 + week * 5_000 + at) for at in range(rows)],
        "Day": [day.isoformat() for day in days],
        "State": [drawn.choice(("paid", "open", "sent")) for _ in range(rows)],
        "Total": [f"{drawn.lognormvariate(4, 0.5):.2f}" for _ in range(rows)],
        "Remark": [drawn.choice((None, None, "call first")) for _ in range(rows)],
    }


def pictured(
    table: Table, *, types: dict[str, Any] | None = None, day: date | None = None
) -> Picture:
    """Return the picture of a table whose columns feed fields of some types."""
    columns = []
    for place, (header, cells) in enumerate(table.items()):
        texts = pa.array(cells, pa.string())
        kind = (TYPES if types is None else types).get(header)
        read = None if kind is None else read_column(texts, kind, ParseOptions()).values
        columns.append(
            ColumnValues(
                header,
                place,
                pa.chunked_array([texts], pa.string()),
                path=kind and header.lower(),
                column_type=kind or "",
                values=None if read is None else pa.chunked_array([read]),
            )
        )
    return picture_of(columns, rows=len(next(iter(table.values()))), day=day)


def weeks(count: int, **about: Any) -> list[Picture]:
    """Return the pictures of some weeks, the oldest first."""
    return [pictured(orders(week, **about)) for week in range(count)]
