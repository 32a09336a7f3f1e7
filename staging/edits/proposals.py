"""Proposed values: typed as they are delivered, and accepted only where the catalog takes them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson

from common.actors import Actor
from staging.changes import Cell, Changes
from staging.columns import StagedTable, decoded
from staging.edits.cell_edits import prepare_edit
from staging.edits.replacement import NOTED, NUMERIC, as_read
from staging.models import Revision

if TYPE_CHECKING:
    from staging.changes import Prepared
    from staging.columns import StagedColumn

READ_OTHERWISE = "read_otherwise"  # the field reads another value from the text of a proposal
COMPARED = NOTED | {"boolean"}  # column types whose texts can be read as another value


@dataclass(frozen=True, slots=True)
class Refused:
    """A proposed value that the catalog does not take, and the code of the reason."""

    row: int
    field: str
    code: str


def as_texts(table: StagedTable, changes: Changes) -> Changes:
    """Return changes with the texts of all their proposals."""
    texts = {cell: text_of(table, cell[1], value) for cell, value in changes.proposals.items()}
    return replace(changes, texts={**changes.texts, **texts})


def accepted(
    table: StagedTable, changes: Changes, *, actor: Actor, at: datetime
) -> tuple[Changes, list[Refused]]:
    """
    Return changes with the proposals that cause no error, and those that are refused.

    A proposal is refused if its row gets an error that it did not have, if another row gets one in
    its field, or if the field reads a different value.
    """
    proposals, whole = changes.proposals, as_texts(table, changes)
    texts = {cell: whole.texts[cell] for cell in proposals}
    refused: dict[Cell, str] = {}
    while texts:
        whole = replace(changes, texts={**changes.texts, **texts})
        prepared = prepare_edit(table, whole, actor=actor, at=at, kind=Revision.Kind.EDIT)
        wrong = _with_errors(table, prepared, texts) or _read_otherwise(
            table, prepared, {cell: proposals[cell] for cell in texts}
        )
        if not wrong:
            break
        refused |= wrong
        texts = {cell: text for cell, text in texts.items() if cell not in wrong}
    whole = replace(changes, texts={**changes.texts, **texts})
    return whole, [Refused(*cell, code) for cell, code in sorted(refused.items())]


def text_of(table: StagedTable, path: str, value: Any) -> str | None:
    """Return a proposed value as a text that its field reads as this value."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(text_of(table, path, item) or "" for item in value)
    text = f"{Decimal(str(value)):f}"
    options = table.files.inferred.parse_options.get(path)
    type_ = _column(table, path).column_type
    return as_read(text, value, type_, options) if options and type_ in NUMERIC else text


def _column(table: StagedTable, path: str) -> StagedColumn:
    return next(column for column in table.columns if column.field == path)


def _with_errors(
    table: StagedTable, prepared: Prepared, texts: Mapping[Cell, str | None]
) -> dict[Cell, str]:
    """Return the proposals that have an error, or lead to one that was not there before."""
    wrong: dict[Cell, str] = {}
    for row, patch in prepared.patches.items():
        before = {(issue["field"], issue["code"]) for issue in table.patch(row).issues}
        for issue in patch.issues:
            path, code = issue["field"], issue["code"]
            if issue["severity"] != "error":
                continue
            if (row, path) in texts:
                wrong[row, path] = code
            elif (path, code) not in before:
                wrong |= dict.fromkeys(_causes(texts, row, path), code)
    return wrong


def _causes(texts: Collection[Cell], row: int, path: str) -> Collection[Cell]:
    """Return what may have led to an error elsewhere: in its row, else its field, else anything."""
    in_row = [cell for cell in texts if cell[0] == row]
    return in_row or [cell for cell in texts if cell[1] == path] or texts


def _read_otherwise(
    table: StagedTable, prepared: Prepared, proposals: Mapping[Cell, Any]
) -> dict[Cell, str]:
    """Return the proposals whose text the field reads as a different value."""
    wrong: dict[Cell, str] = {}
    for path in sorted({path for _, path in proposals}):
        column = _column(table, path)
        if column.column_type not in COMPARED:
            continue
        rows = [row for row, field in proposals if field == path]
        encoded = [prepared.patches[row].values[path] for row in rows]
        texts = column.json_texts(decoded(encoded, table.values(path).type)).to_pylist()
        for row, text in zip(rows, texts, strict=True):
            if not is_same(proposals[row, path], orjson.loads(text or "null")):
                wrong[row, path] = READ_OTHERWISE
    return wrong


def is_same(proposed: Any, read: Any) -> bool:
    """Return whether a proposed value is the one that a field has, as it is delivered."""
    if isinstance(proposed, bool) or isinstance(read, bool) or not isinstance(read, int | float):
        return bool((proposed or None) == read if proposed == "" else proposed == read)
    if isinstance(proposed, str):
        return False  # numbers are proposed as numbers: a text can be read in two ways
    return proposed is not None and Decimal(str(proposed)) == Decimal(str(read))
