"""Values that a host sets in rows in review: those that the catalog takes, marked as the host's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson

from common.actors import Actor
from staging import arrays
from staging.changes import MAX_OVERLAY, Cell, Changes, Prepared, counted
from staging.columns import SEVERITIES, StagedTable
from staging.edits.cell_edits import VALUE_LENGTH, prepare_edit
from staging.edits.preparation import in_bulk
from staging.edits.proposals import Refused, accepted, is_same
from staging.edits.rewrite import prepare_rewrite
from staging.models import Revision
from staging.overlay import RowIssue

if TYPE_CHECKING:
    from tabular.types.rows import Finding

MARK = "host_set"  # the code of the issue that names the former value


@dataclass(frozen=True, slots=True)
class HostValues:
    """What becomes of the values that a host sets."""

    prepared: Prepared | None  # None: no cell changes
    cells: frozenset[Cell] = frozenset()  # that change
    refused: tuple[Refused, ...] = ()


def prepare_values(
    table: StagedTable, values: Mapping[Cell, Any], *, actor: Actor, at: datetime
) -> HostValues:
    """
    Prepare the revision in which a host's values replace those of cells.

    values: typed as they are delivered. A value that leads to an error, or that its field reads as
    another one, is refused. A cell that already has its value stays as it is.
    """
    former = _values_of(table, values)
    new = {cell: value for cell, value in values.items() if not is_same(value, former[cell])}
    made, wrong = accepted(table, Changes(proposals=new), actor=actor, at=at)
    refused = tuple(wrong)
    if not made.texts:
        return HostValues(None, refused=refused)
    marks = {cell: _mark(cell[1], former[cell], values[cell]) for cell in made.texts}
    plain, kind = Changes(texts=made.texts), Revision.Kind.HOST
    if len(table.overlay) + len(plain.rows) > MAX_OVERLAY:
        findings = [_as_finding(row, mark) for (row, _), mark in marks.items()]
        prepared = prepare_rewrite(table, in_bulk(plain), kind=kind, more=findings)
    else:
        prepared = _marked(table, prepare_edit(table, plain, actor=actor, at=at, kind=kind), marks)
    return HostValues(prepared, frozenset(marks), refused)


def shown(value: Any) -> str:
    """
    Return a delivered value as a text for people.

    >>> shown(None), shown(7.5), shown(True), shown(["a", "b"])
    ('', '7.5', 'true', 'a, b')
    """
    if value is None or isinstance(value, str):
        text = value or ""
    elif isinstance(value, list):
        text = ", ".join(map(shown, value))
    else:
        text = orjson.dumps(value).decode()
    return text[:VALUE_LENGTH]


def _values_of(table: StagedTable, cells: Mapping[Cell, Any]) -> dict[Cell, Any]:
    """Return the present values of cells, as they are delivered."""
    import numpy as np

    by_field: dict[str, list[int]] = {}
    for row, path in cells:
        by_field.setdefault(path, []).append(row)
    values: dict[Cell, Any] = {}
    for path, rows in by_field.items():
        column = table.files.by_field[path]
        texts = column.json_texts(arrays.take(table.values(path), np.array(rows, np.int64)))
        for row, text in zip(rows, texts.to_pylist(), strict=True):
            values[row, path] = None if text is None else orjson.loads(text)
    return values


def _mark(path: str, before: Any, after: Any) -> RowIssue:
    return RowIssue(
        field=path,
        code=MARK,
        severity="warning",
        value=shown(before),
        params={"other": shown(after)},
    )


def _marked(table: StagedTable, prepared: Prepared, marks: Mapping[Cell, RowIssue]) -> Prepared:
    """Add the marks to the changed rows."""
    patches = dict(prepared.patches)
    for (row, _), mark in marks.items():
        issues = (*patches[row].issues, mark)
        severity = max(patches[row].severity, SEVERITIES.index("warning"))
        patches[row] = replace(patches[row], issues=issues, severity=severity)
    former = [table.patch(row) for row in patches]
    counts = counted(table.revision.row_counts, former, patches.values())
    return replace(prepared, patches=patches, counts=counts)


def _as_finding(row: int, mark: RowIssue) -> Finding:
    import numpy as np
    import pyarrow as pa

    from tabular.types.rows import Finding

    return Finding(
        mark["field"],
        mark["code"],
        mark["severity"],
        np.array([row], np.int64),
        pa.array([mark["value"]], pa.string()),
        orjson.dumps(mark["params"]).decode(),
    )
