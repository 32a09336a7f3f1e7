"""Changes that a user requests, the fields they name, and the table's limits on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import orjson

from common import storage
from common.errors import Conflict, Unprocessable
from common.wording.messages import Message
from staging.columns import SEVERITIES, StagedTable
from staging.manifest import Manifest, RowCounts
from staging.models import CellEdit, Revision
from staging.overlay import Patch


class UnknownField(Conflict):
    """The rows have no such field."""

    code = "unknown_field"


def require_fields(table: StagedTable, named: Mapping[str, str | None]) -> None:
    """
    Raise UnknownField if the rows lack a named field.

    named: maps the pointer of a member that names a field to the field's path; None names no field.
    """
    wrong = {
        pointer: path
        for pointer, path in named.items()
        if path is not None and path not in table.files.by_field
    }
    if wrong:
        first = next(iter(wrong.values()))
        errors = [
            {"pointer": pointer, "detail": Message("unknown_field.path", field=path)}
            for pointer, path in wrong.items()
        ]
        raise UnknownField(
            "unknown_field.path", field=first, members={"field": first, "errors": errors}
        )


Cell = tuple[int, str]  # row number, field path
NAMED = 100  # places that one problem lists
ROW_BYTES = 200  # of a row of the database, besides its texts
MAX_BATCH = 10_000  # edits in one request
MAX_CHANGED = 100_000_000  # characters that one change writes
MAX_CELL = 32_767  # characters of an edited cell; a spreadsheet allows no more
# The most rows changed over the files of one base. More become new files, which means reading and
# writing whole columns: seconds of CPU. A worker makes a bulk change of that size.
MAX_OVERLAY = 10_000
# Cells that one call examines to find what it changes: some seconds of CPU. A larger change goes to
# a worker, and a preview stops there.
LOOKED_AT = 5_000_000


class OverlappingEdits(Conflict):
    """These cells changed in the meantime. Accept the new values, or send yours again."""

    code = "overlapping_edits"


class UnknownCells(Conflict):
    """Some cells do not exist."""

    code = "unknown_cells"


class FieldReadOnly(Conflict):
    """The values of this field cannot be changed."""

    code = "read_only_field"


class ChangeTooLarge(Unprocessable):
    """The change is too large. Change fewer rows, or use a shorter text."""

    code = "change_too_large"


def refuse_larger(characters: int) -> None:
    """Raise ChangeTooLarge if a change writes more than the engine keeps at once."""
    if characters > MAX_CHANGED:
        raise ChangeTooLarge(members={"characters": characters, "allowed": MAX_CHANGED})


class BeyondEffort(Exception):
    """A change needs more work than one call may do."""


def silent(_stage: str, _done: int, _total: int) -> None:
    """Report no progress."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much one call may examine and change, and a progress callback. None: no limit."""

    cells: int | None = None
    changes: int | None = None
    note: Callable[[str, int, int], None] = silent  # stage, rows done, total rows

    def refuse_looking(self, cells: int) -> None:
        """Raise BeyondEffort if more cells would be examined than allowed."""
        if self.cells is not None and cells > self.cells:
            raise BeyondEffort

    def refuse_changing(self, changes: int) -> None:
        """Raise BeyondEffort if more changes would be made than allowed."""
        if self.changes is not None and changes > self.changes:
            raise BeyondEffort


UNLIMITED = Effort()


class ContradictoryBatch(Conflict):
    """The batch is empty or contradicts itself."""

    code = "contradictory_batch"


@dataclass(frozen=True)
class Changes:
    """New texts of cells, and rows to exclude or include."""

    texts: Mapping[Cell, str | None] = field(default_factory=dict)
    exclude: frozenset[int] = frozenset()
    include: frozenset[int] = frozenset()
    places: Mapping[str, Cell] = field(default_factory=dict)  # by pointer; a row has no field
    proposals: Mapping[Cell, Any] = field(default_factory=dict)  # values that may be refused

    @property
    def rows(self) -> set[int]:
        """Every row that the changes name."""
        named = {row for row, _ in (*self.texts, *self.proposals)}
        return named | self.exclude | self.include


def changes_of(
    *,
    edits: Iterable[Mapping[str, Any]],
    exclude: Iterable[int],
    include: Iterable[int],
    proposals: Iterable[Mapping[str, Any]] = (),
) -> Changes:
    """
    Read a batch of changes.

    edits: each with ``row``, ``field`` and ``text``; proposals: each with ``value`` instead. Raise
    ContradictoryBatch if one cell gets two texts, or one row is excluded and included.
    """
    texts: dict[Cell, str | None] = {}
    places: dict[str, Cell] = {}
    for number, edit in enumerate(edits):
        cell = edit["row"], edit["field"]
        places[f"/edits/{number}"] = cell
        if texts.setdefault(cell, edit["text"]) != edit["text"]:
            two = Message("contradictory_batch.two_values", row=cell[0], field=cell[1])
            raise _contradiction(two, f"/edits/{number}/text")
    values: dict[Cell, Any] = {}
    for number, proposal in enumerate(proposals):
        cell = proposal["row"], proposal["field"]
        places[f"/proposals/{number}"] = cell
        if cell in texts or values.setdefault(cell, proposal["value"]) != proposal["value"]:
            two = Message("contradictory_batch.two_values", row=cell[0], field=cell[1])
            raise _contradiction(two, f"/proposals/{number}/value")
    exclude, include = tuple(exclude), tuple(include)
    places |= {f"/exclude/{number}": (row, "") for number, row in enumerate(exclude)}
    places |= {f"/include/{number}": (row, "") for number, row in enumerate(include)}
    changes = Changes(texts, frozenset(exclude), frozenset(include), places, values)
    for number, row in enumerate(include):
        if row in changes.exclude:
            both = Message("contradictory_batch.both", row=row)
            raise _contradiction(both, f"/include/{number}")
    if not changes.rows:
        raise ContradictoryBatch("contradictory_batch.empty")
    return changes


def _contradiction(wrong: Message, pointer: str) -> ContradictoryBatch:
    return ContradictoryBatch(wrong, errors=[{"pointer": pointer, "detail": wrong}])


@dataclass(frozen=True)
class Prepared:
    """An operation ready to commit, over its parent's files or with its own."""

    kind: str
    parent: Revision
    counts: RowCounts
    cells: int  # changed
    patches: Mapping[int, Patch] = field(default_factory=dict)
    edits: tuple[CellEdit, ...] = ()
    manifest: Manifest | None = None
    folder: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)  # parameters of a bulk change

    @cached_property
    def stored_bytes(self) -> int:
        """The bytes it takes in the database or in storage."""
        kept = len(orjson.dumps(dict(self.about)))
        if self.folder:
            return storage.size_of(self.folder) + kept
        states = sum(len(orjson.dumps(patch.as_json())) for patch in self.patches.values())
        texts = (text for edit in self.edits for text in (edit.text, edit.previous))
        rows = ROW_BYTES * (len(self.patches) + len(self.edits))
        return states + sum(len(text.encode()) for text in texts if text) + rows + kept


def check_cells(table: StagedTable, changes: Changes) -> None:
    """Raise UnknownCells, naming each, for rows and fields the table does not have."""
    wrong = [
        {"pointer": pointer, "code": code, "detail": sentence}
        for place, cell in _places(changes)
        for pointer, code, sentence in _unknown(table, place, cell)
    ]
    if wrong:
        raise UnknownCells(errors=wrong[:NAMED])


def refuse_read_only(changes: Changes, fields: Collection[str]) -> None:
    """Raise FieldReadOnly, naming each cell, for changed texts of fields that cannot be changed."""
    named = ((f"{place}/field" if place else "", path) for place, (_, path) in _places(changes))
    refuse_fields_read_only(named, fields)


def refuse_fields_read_only(named: Iterable[tuple[str, str]], fields: Collection[str]) -> None:
    """Raise FieldReadOnly for fields that cannot be changed. named: pointers with paths."""
    wrong = [
        {"pointer": pointer, "detail": Message("read_only_field.named", field=path)}
        for pointer, path in named
        if path in fields
    ]
    if wrong:
        raise FieldReadOnly(errors=wrong[:NAMED])


def _places(changes: Changes) -> Iterable[tuple[str, Cell]]:
    """Return each named cell and row with its pointer in the request, or without one."""
    if changes.places:
        return changes.places.items()
    return [("", cell) for cell in [*changes.texts, *((row, "") for row in sorted(changes.rows))]]


def _unknown(table: StagedTable, place: str, cell: Cell) -> Iterable[tuple[str, str, Message]]:
    row, path = cell
    if not 0 <= row < table.row_count:
        yield (
            f"{place}/row" if path else place,
            "unknown_row",
            Message("unknown_row.number", row=row),
        )
    if path and path not in table.files.by_field:
        wrong = Message("unknown_field.path", field=path)
        yield f"{place}/field", "unknown_field", wrong


def refuse_overlaps(
    *, seen: StagedTable, now: StagedTable, changes: Changes, history: Iterable[Revision]
) -> None:
    """Raise OverlappingEdits if a cell has been changed since ``seen`` to a different text."""
    conflicts: list[dict[str, Any]] = []
    for (row, path), mine in sorted(changes.texts.items()):
        theirs = now.patch(row).texts.get(path)
        had = path in seen.patch(row).texts, seen.patch(row).texts.get(path)
        if had != (path in now.patch(row).texts, theirs) and theirs != mine:
            conflicts.append({"row": row, "field": path, "yours": mine, "theirs": theirs})
    if conflicts:
        who = _who(now.revision, conflicts, list(history))
        raise OverlappingEdits(
            members={"conflicts": [c | who[c["row"], c["field"]] for c in conflicts]}
        )


def _who(
    revision: Revision, conflicts: list[dict[str, Any]], history: list[Revision]
) -> dict[Cell, dict[str, Any]]:
    """Return who last changed each cell, and when: by its edit, else by the newest operation."""
    edits = CellEdit.objects.filter(
        subject=revision.subject,
        revision__in=[r.number for r in history],
        row__in={c["row"] for c in conflicts},
    )
    by_cell: dict[Cell, tuple[Any, Any]] = {
        (e.row, e.field): (e.actor, e.at) for e in edits.order_by("revision")
    }
    newest = history[-1] if history else revision
    fallback = (newest.actor, newest.created_at)
    return {
        (c["row"], c["field"]): {"by": actor, "at": at.isoformat()}
        for c in conflicts
        for actor, at in [by_cell.get((c["row"], c["field"]), fallback)]
    }


def counted(counts: RowCounts, former: Iterable[Patch], now: Iterable[Patch]) -> RowCounts:
    """Return updated counts: without the former states of some rows, with the new ones."""
    rows, codes = Counter[str](), Counter[str](counts.by_code)
    for sign, patches in ((-1, former), (1, now)):
        for patch in patches:
            rows["excluded" if patch.is_excluded else SEVERITIES[patch.severity]] += sign
            for issue in () if patch.is_excluded else patch.issues:
                codes[issue["code"]] += sign
    return replace(
        counts,
        valid=counts.valid + rows["valid"],
        warning=counts.warning + rows["warning"],
        error=counts.error + rows["error"],
        excluded=counts.excluded + rows["excluded"],
        by_code={code: count for code, count in codes.items() if count},
    )
