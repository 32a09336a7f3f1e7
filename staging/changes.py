"""What somebody wants to change, in which fields, and what the table says about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import orjson

from common import storage
from common.errors import Conflict, Unprocessable
from staging.columns import SEVERITIES, StagedTable
from staging.manifest import Manifest, RowCounts
from staging.models import CellEdit, Revision
from staging.overlay import Patch


class UnknownField(Conflict):
    """The rows have no such field."""

    code = "unknown_field"


def require_fields(table: StagedTable, named: Mapping[str, str | None]) -> None:
    """
    Raise UnknownField for fields the rows do not have.

    named: pointer to the member that names a field, to its path; None names none.
    """
    wrong = {
        pointer: path
        for pointer, path in named.items()
        if path is not None and path not in table.files.by_field
    }
    if wrong:
        said = {pointer: f"The rows have no field {path!r}." for pointer, path in wrong.items()}
        raise UnknownField(
            next(iter(said.values())),
            field=next(iter(wrong.values())),
            errors=[{"pointer": pointer, "detail": text} for pointer, text in said.items()],
        )


Cell = tuple[int, str]  # row number, field path
NAMED = 100  # places that a problem lists
ROW_BYTES = 200  # of a row of the database, beside its texts
MAX_BATCH = 10_000  # edits in one request
MAX_CHANGED = 100_000_000  # characters that one change writes
MAX_CELL = 32_767  # characters of an edited cell; a sheet takes no more
# Changed rows over the files of one base. More become new files, for which whole columns are read
# and written: seconds of CPU. A change in bulk that needs them is made by a worker.
MAX_OVERLAY = 10_000
# Cells that one call looks at to find what it changes: some seconds of CPU. Beyond them a worker
# looks, and a preview stops.
LOOKED_AT = 5_000_000


class OverlappingEdits(Conflict):
    """Somebody else changed these cells first. Take theirs, or send yours again."""

    code = "overlapping_edits"


class UnknownCells(Conflict):
    """Some cells are not there."""

    code = "unknown_cells"


class ChangeTooLarge(Unprocessable):
    """The change would write too much at once. Change fewer rows, or with a shorter text."""

    code = "change_too_large"


def refuse_larger(characters: int) -> None:
    """Raise ChangeTooLarge for a change that writes more than the engine keeps at once."""
    if characters > MAX_CHANGED:
        raise ChangeTooLarge(characters=characters, allowed=MAX_CHANGED)


class BeyondEffort(Exception):
    """A change takes more than one call may spend on it."""


def silent(_stage: str, _done: int, _total: int) -> None:
    """Tell no one how far it is."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much one call may look at and change, and who hears how far it is. None: all."""

    cells: int | None = None
    changes: int | None = None
    note: Callable[[str, int, int], None] = silent  # stage, rows done, rows in all

    def refuse_looking(self, cells: int) -> None:
        """Raise BeyondEffort for more cells than are looked at."""
        if self.cells is not None and cells > self.cells:
            raise BeyondEffort

    def refuse_changing(self, changes: int) -> None:
        """Raise BeyondEffort for more changes than are made."""
        if self.changes is not None and changes > self.changes:
            raise BeyondEffort


UNLIMITED = Effort()


class ContradictoryBatch(Conflict):
    """The batch asks for two things that exclude each other, or for nothing."""

    code = "contradictory_batch"


@dataclass(frozen=True)
class Changes:
    """New texts of cells, and rows to leave out or to put back."""

    texts: Mapping[Cell, str | None] = field(default_factory=dict)
    exclude: frozenset[int] = frozenset()
    include: frozenset[int] = frozenset()
    places: Mapping[str, Cell] = field(default_factory=dict)  # by pointer; a row has no field

    @property
    def rows(self) -> set[int]:
        """Every row that is named."""
        return {row for row, _ in self.texts} | self.exclude | self.include


def changes_of(
    *, edits: Iterable[Mapping[str, Any]], exclude: Iterable[int], include: Iterable[int]
) -> Changes:
    """
    Read a batch. edits: each with ``row``, ``field`` and ``text``.

    ContradictoryBatch when one cell gets two texts, or one row is left out and put back.
    """
    texts: dict[Cell, str | None] = {}
    places: dict[str, Cell] = {}
    for number, one in enumerate(edits):
        cell = one["row"], one["field"]
        places[f"/edits/{number}"] = cell
        if texts.setdefault(cell, one["text"]) != one["text"]:
            raise _contradiction(
                f"Row {cell[0]} gets two texts for {cell[1]}.", f"/edits/{number}/text"
            )
    exclude, include = tuple(exclude), tuple(include)
    places |= {f"/exclude/{number}": (row, "") for number, row in enumerate(exclude)}
    places |= {f"/include/{number}": (row, "") for number, row in enumerate(include)}
    changes = Changes(texts, frozenset(exclude), frozenset(include), places)
    for number, row in enumerate(include):
        if row in changes.exclude:
            raise _contradiction(f"Row {row} is both left out and put back.", f"/include/{number}")
    if not changes.rows:
        raise ContradictoryBatch("The batch changes nothing.")
    return changes


def _contradiction(sentence: str, pointer: str) -> ContradictoryBatch:
    return ContradictoryBatch(sentence, errors=[{"pointer": pointer, "detail": sentence}])


@dataclass(frozen=True)
class Prepared:
    """A worked-out operation, not yet committed: over its parent's files, or with its own."""

    kind: str
    parent: Revision
    counts: RowCounts
    cells: int  # changed
    patches: Mapping[int, Patch] = field(default_factory=dict)
    edits: tuple[CellEdit, ...] = ()
    manifest: Manifest | None = None
    folder: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)  # what was asked for, in bulk

    @cached_property
    def stored_bytes(self) -> int:
        """How much of the database it takes, or of the storage."""
        if self.folder:
            return storage.size_of(self.folder)
        states = sum(len(orjson.dumps(patch.as_json())) for patch in self.patches.values())
        texts = (text for edit in self.edits for text in (edit.text, edit.previous))
        rows = ROW_BYTES * (len(self.patches) + len(self.edits))
        return states + sum(len(text.encode()) for text in texts if text) + rows


def check_cells(table: StagedTable, changes: Changes) -> None:
    """Raise UnknownCells, naming each, for rows and fields the table does not have."""
    wrong = [
        {"pointer": pointer, "code": code, "detail": sentence}
        for place, cell in _places(changes)
        for pointer, code, sentence in _unknown(table, place, cell)
    ]
    if wrong:
        raise UnknownCells(errors=wrong[:NAMED])


def _places(changes: Changes) -> Iterable[tuple[str, Cell]]:
    """Give each cell and row that is named, where the request names it, if one does."""
    if changes.places:
        return changes.places.items()
    return [("", cell) for cell in [*changes.texts, *((row, "") for row in sorted(changes.rows))]]


def _unknown(table: StagedTable, place: str, cell: Cell) -> Iterable[tuple[str, str, str]]:
    row, path = cell
    if not 0 <= row < table.row_count:
        yield f"{place}/row" if path else place, "unknown_row", f"There is no row {row}."
    if path and path not in table.files.by_field:
        yield f"{place}/field", "unknown_field", f"The rows have no field {path!r}."


def refuse_overlaps(
    *, seen: StagedTable, now: StagedTable, changes: Changes, history: Iterable[Revision]
) -> None:
    """Raise OverlappingEdits when a cell was changed since ``seen`` to something else."""
    found: list[dict[str, Any]] = []
    for (row, path), mine in sorted(changes.texts.items()):
        theirs = now.patch(row).texts.get(path)
        had = path in seen.patch(row).texts, seen.patch(row).texts.get(path)
        if had != (path in now.patch(row).texts, theirs) and theirs != mine:
            found.append({"row": row, "field": path, "yours": mine, "theirs": theirs})
    if found:
        who = _who(now.revision, found, list(history))
        raise OverlappingEdits(conflicts=[c | who[c["row"], c["field"]] for c in found])


def _who(
    revision: Revision, found: list[dict[str, Any]], history: list[Revision]
) -> dict[Cell, dict[str, Any]]:
    """Say who changed each cell last and when: in an edit, else in the newest operation."""
    edits = CellEdit.objects.filter(
        subject=revision.subject,
        revision__in=[r.number for r in history],
        row__in={c["row"] for c in found},
    )
    by_cell: dict[Cell, tuple[Any, Any]] = {
        (e.row, e.field): (e.actor, e.at) for e in edits.order_by("revision")
    }
    newest = history[-1] if history else revision
    fallback = (newest.actor, newest.created_at)
    return {
        (c["row"], c["field"]): {"by": actor, "at": at.isoformat()}
        for c in found
        for actor, at in [by_cell.get((c["row"], c["field"]), fallback)]
    }


def counted(counts: RowCounts, former: Iterable[Patch], now: Iterable[Patch]) -> RowCounts:
    """Bring the counts up to date: take the former states of some rows off, add the new ones."""
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
