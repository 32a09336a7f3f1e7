"""
Find near-duplicates among 100,000 names with addresses, and measure the time.

One row in twenty is another one with a typing error.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

import django

from bench.figures.figure import Figure

if TYPE_CHECKING:
    import pyarrow as pa

ROWS, SLIPS, LIMIT_S = 100_000, 20, 3.0
FIRST = ("Anna", "Bert", "Carla", "Dieter", "Eva", "Frank", "Gerda", "Hans", "Ingrid", "Jonas")
SYLLABLES = tuple(consonant + vowel for consonant in "bdfgklmnprstw" for vowel in "aeiou")


def people(rows: int) -> dict[str, list[str]]:
    """Return names and streets; one row in ``SLIPS`` repeats another with a wrong letter."""
    chance = random.Random(7)

    def word() -> str:
        return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize()

    surnames, streets = [word() for _ in range(8_000)], [f"{word()}straße" for _ in range(3_000)]
    names = [f"{chance.choice(FIRST)} {chance.choice(surnames)}" for _ in range(rows)]
    places = [f"{chance.choice(streets)} {chance.randint(1, 200)}" for _ in range(rows)]
    for row in range(0, rows - SLIPS, SLIPS):
        at = chance.randrange(len(names[row]))
        names[row + 1] = f"{names[row][:at]}{chance.choice('xyz')}{names[row][at + 1 :]}"
        places[row + 1] = places[row]
    return {"name": names, "street": places}


class _Table:
    """Rows that are staged nowhere: what a comparison reads of a table."""

    def __init__(self, columns: dict[str, list[str]]) -> None:
        import pyarrow as pa

        from staging.models import Revision

        self.revision = Revision()
        self._columns = {name: pa.chunked_array([texts]) for name, texts in columns.items()}

    def values(self, path: str) -> pa.ChunkedArray:
        """Return the values of a field."""
        return self._columns[path]


def main() -> None:
    """Print the figures by one field and by two."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")
    with TemporaryDirectory() as folder:
        os.environ["IMPORT_DATA_DIR"] = folder
        django.setup()
        for figure in figures(ROWS):
            figure.show()


def figures(rows: int) -> Iterator[Figure]:
    """Yield the CPU seconds by one field and by two, and how much was found."""
    import numpy as np

    from staging.columns import StagedTable
    from staging.duplicates.grouping import Grouping
    from staging.duplicates.near import near

    table = cast(StagedTable, _Table(people(rows)))
    for fields in (("name",), ("name", "street")):
        cpu = time.process_time()
        groups = near(table, Grouping("near", fields), np.arange(rows))
        busy = time.process_time() - cpu
        what = f"near-duplicates of {rows:,} rows by {' and '.join(fields)}"
        yield Figure(f"{what}, CPU", busy, "s", LIMIT_S)
        yield Figure(f"{what}, groups", len(groups), "groups")


if __name__ == "__main__":
    main()
