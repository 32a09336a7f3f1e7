"""Which tables can stand one below the other as one."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabular.model.places import named_place
from tabular.model.table import folded_name

_GENERATED = re.compile(r"Column \d+")
_LEAST_COMMON = 2  # columns that stacked tables must share


def fault(tables: Sequence[Mapping[str, Any]]) -> tuple[str, str] | None:
    """
    Say why tables cannot be stacked: a code and a sentence; None where they can be.

    tables: ``columns`` and the place of each. The headers may differ in order, and one of two may
    have one column more.
    """
    if any(table["page"] is not None for table in tables):
        return "unstackable_tables", "The tables of a PDF cannot be stacked. Choose one of them."
    for table in tables:
        if len({*map(folded_name, table["columns"])}) < len(table["columns"]):
            sentence = f"{named_place(table)} has two columns of the same name but for its case."
            return "unstackable_tables", sentence
    first, *others = tables
    known = frozenset(map(folded_name, first["columns"]))
    for table in others:
        names = frozenset(map(folded_name, table["columns"]))
        if are_alike(known, names) and not _are_generated(first["columns"]):
            continue
        apart = sorted(known ^ names)
        what = "they name no columns" if not apart else f"these differ: {', '.join(apart)[:200]}"
        sentence = (
            f"{named_place(table)} has not the same columns as {named_place(first)}; {what}. "
            "Stack tables with the same header; one column more or fewer is allowed."
        )
        return "unlike_headers", sentence
    return None


def are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two headers are the same, but for their order and one column more."""
    return len(one ^ other) <= 1 and len(one & other) >= _LEAST_COMMON


def _are_generated(columns: Sequence[str]) -> bool:
    return all(_GENERATED.fullmatch(name) for name in columns)
