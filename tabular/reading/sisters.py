"""
Which tables of a file belong together, and whether they are likelier one table than several.

Evidence for one: the same columns, in whatever order, and places that form a series (months, years,
numbers). Evidence against it: rows that stand in two of them, as in a sheet with all the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tabular.model.stacks import are_alike, fault
from tabular.model.table import Table, folded_name
from tabular.reading.stacking import tables_as_given

_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"[^\W\d_]+")
_EXTENSION = re.compile(r"\.\w{1,5}$")


def sisters(tables: Sequence[Table]) -> tuple[int, ...]:
    """Give the numbers of the tables with the header of the first; () where it has no sister."""
    if not tables or tables[0].page is not None:
        return ()
    names = [frozenset(map(folded_name, table.columns)) for table in tables]
    found = tuple(
        number
        for number, table in enumerate(tables)
        if not number or (_is_seen(table) and are_alike(names[0], names[number]))
    )
    if len(found) < 2 or fault(tables_as_given(tables[number] for number in found)):
        return ()
    return found


def _is_seen(table: Table) -> bool:
    return not table.is_hidden and table.row_count != 0


def are_one_table(tables: Sequence[Table]) -> bool:
    """Say whether tables that can be stacked are likelier parts of one."""
    if len({frozenset(map(folded_name, table.columns)) for table in tables}) > 1:
        return False
    return _are_series(tables) and not share_rows(tables)


def share_rows(tables: Sequence[Table]) -> bool:
    """Say whether the first rows of one table stand in another one, too."""
    seen: set[tuple[str | None, ...]] = set()
    for table in tables:
        rows = [row for row in table.preview if sum(map(bool, row)) > 1]
        if rows and 2 * sum(row in seen for row in rows) >= len(rows):
            return True
        seen.update(rows)
    return False


def _are_series(tables: Sequence[Table]) -> bool:
    """Say whether the places are named after days, months or years, or by a running number."""
    files = {table.file for table in tables}
    places = [(table.sheet if len(files) == 1 else table.file) or "" for table in tables]
    stems = {_DIGITS.sub("0", place.casefold()) for place in places}
    if len(stems) == 1 and len(set(places)) == len(places):
        return True
    return all(_names_a_time(_EXTENSION.sub("", place)) for place in places)


def _names_a_time(place: str) -> bool:
    from tabular.values import Kind, judge
    from tabular.values.months import month_number

    return judge(place).kind in {Kind.DATE, Kind.PERIOD} or any(
        month_number(word) is not None for word in _WORDS.findall(place)
    )
