"""Tables of one file that feed different entries of a catalog: which feeds which, and how."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.matching import Learned, propose
from tabular.model.catalog import Catalog
from tabular.model.mapping import ColumnProposal, MappingProposal
from tabular.model.table import Reading
from tabular.step.known_headers import share_of

_FEEDS = 0.5  # share of its columns that an entry must know of a table to be fed by it
_MOST = 30  # tables that are compared


def feeding(reading: Reading, catalog: Mapping[str, Any], learned: Learned) -> dict[str, int]:
    """
    Say which table of a file seems to feed which entry; {} unless several tables do.

    catalog: its JSON. Each entry gets the table of which it knows most, each table one entry.
    """
    entries = [entry["id"] for entry in catalog["entries"]]
    tables = [n for n, table in enumerate(reading.tables[:_MOST]) if not table.stacked]
    if len(entries) < 2 or len(tables) < 2:
        return {}
    shares = {
        (entry, n): share_of(reading.tables[n], _only(catalog, [entry]), learned)
        for entry in entries
        for n in tables
    }
    found: dict[str, int] = {}
    for (entry, n), share in sorted(shares.items(), key=lambda one: (-one[1], one[0][1])):
        if share >= _FEEDS and entry not in found and n not in found.values():
            found[entry] = n
    return {entry: found[entry] for entry in entries if entry in found} if len(found) > 1 else {}


def propose_apart(
    sample: pa.Table,
    reading: Reading,
    entries: Mapping[str, int],
    catalog: Mapping[str, Any],
    learned: Learned,
) -> MappingProposal:
    """
    Propose for each table of a file with the entries that it feeds.

    sample: rows of the tables side by side. entries: entry to number of a table.
    """
    chosen = reading.tables[reading.chosen]
    numbers = chosen.stacked or (reading.chosen,)
    columns: list[ColumnProposal] = []
    questions = []
    if chosen.stacked:
        columns.append(ColumnProposal(chosen.columns[0], None, 0, "says where each row stands"))
    names = list(chosen.columns[1:] if chosen.stacked else chosen.columns)
    for number in numbers:
        own = reading.tables[number].columns
        here, names = names[: len(own)], names[len(own) :]
        rows = sample.select(here).rename_columns(list(own))
        filled = [pc.is_valid(column) for column in rows.columns]
        mine = rows.filter(_any(filled)) if filled else rows
        fed = [entry for entry, n in entries.items() if n == number]
        found = propose(own, mine, catalog=_only(catalog, fed), learned=learned)
        name_of = dict(zip(own, here, strict=True))
        columns += [replace(one, column=name_of[one.column]) for one in found.columns]
        questions += [
            replace(one, columns=tuple(name_of[name] for name in one.columns))
            for one in found.questions
        ]
    return MappingProposal(tuple(columns), tuple(questions))


def _any(masks: list[Any]) -> Any:
    found = masks[0]
    for mask in masks[1:]:
        found = pc.or_(found, mask)
    return found


def _only(catalog: Mapping[str, Any], entries: list[str]) -> Catalog:
    """Give a catalog with some of its entries."""
    kept = [entry for entry in catalog["entries"] if entry["id"] in entries]
    return Catalog.model_validate_json(json.dumps({**catalog, "entries": kept}))
