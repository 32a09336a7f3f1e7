"""Bulk changes: previewed first, then made; large ones by a worker."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from django.conf import settings
from django.db import IntegrityError, transaction

from common.actors import Actor
from common.errors import Conflict, StaleState
from common.ids import new_id
from common.work.wakeups import wake_on_commit
from imports.allowances import TooManyImports
from imports.bulk_changes.model import BulkChange
from imports.customization import read_only_fields
from imports.models import ImportRecord
from imports.services.review import Changed, carry_out, rows_as_of, rows_of
from imports.transitions import refuse_while_changing
from staging.changes import (
    LOOKED_AT,
    BeyondEffort,
    Effort,
    Prepared,
    refuse_fields_read_only,
    require_fields,
)
from staging.columns import StagedTable
from staging.duplicates.grouping import Grouping
from staging.duplicates.resolving import Keeping, resolved
from staging.edits import fixes, replacement
from staging.edits.preparation import at_once, prepare
from staging.edits.replacement import Search
from staging.edits.rewrite import BulkChanges
from staging.models import Revision
from staging.views import View, resolve

if TYPE_CHECKING:
    from staging.arrays import Rows

MAKE = "workflow.tasks.make_change"  # by name, because the task is in a higher layer


class RowsChanged(Conflict):
    """The rows have changed. Check the preview again."""

    code = "rows_changed"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a change would do, and the first cells it would change."""

    revision: int
    cells: int
    of: int  # rows looked at, or rows with the issue
    samples: list[dict[str, Any]] = field(default_factory=list)
    byField: dict[str, int] = field(default_factory=dict)  # noqa: N815 - as the wire has it
    complete: bool = True  # whether all rows were looked at


class Wish(Protocol):
    """A bulk change as requested."""

    KIND: ClassVar[Revision.Kind]

    @property
    def seen(self) -> int:
        """The revision that the caller saw."""

    @property
    def details(self) -> dict[str, Any]:
        """The part that a revision stores."""

    def changes(self, record: ImportRecord, table: StagedTable, effort: Effort) -> BulkChanges:
        """Return the changes. Raise BeyondEffort if that takes more than the effort allows."""

    @classmethod
    def kept(cls, request: Mapping[str, Any]) -> Self:
        """Return the wish from its stored JSON."""


@dataclass(frozen=True, slots=True)
class Replace:
    """
    Find and replace in every row of a view.

    as_of: the revision in which the rows of the view were selected, if not ``seen``.
    """

    KIND: ClassVar = Revision.Kind.REPLACE
    seen: int
    search: Search
    view: View
    as_of: int | None = None

    @property
    def details(self) -> dict[str, Any]:
        """The search and its replacement."""
        return self.search.details

    def changes(self, record: ImportRecord, table: StagedTable, effort: Effort) -> BulkChanges:
        """Return the replacements, as far as the effort allows."""
        rows = self.rows(record, table)
        return replacement.find_and_replace(table, self.search, rows, effort)

    def rows(self, record: ImportRecord, table: StagedTable) -> Rows | None:
        """Return the selected rows; None for all. Raise UnknownField for an unknown field."""
        named = {f"/inFields/{n}": path for n, path in enumerate(self.search.fields)}
        refuse_fields_read_only(named.items(), read_only_fields(record))
        require_fields(table, named | self.view.named)
        chosen = rows_as_of(record, table, self.as_of)
        return None if self.view.is_whole else resolve(chosen, self.view)

    @classmethod
    def kept(cls, request: Mapping[str, Any]) -> Self:
        """Return the wish from its stored JSON."""
        search = {**request["search"], "fields": tuple(request["search"]["fields"])}
        return cls(request["seen"], Search(**search), View.kept(request["view"]), request["as_of"])


@dataclass(frozen=True, slots=True)
class FixGroup:
    """Fix the issues of one code in one field."""

    KIND: ClassVar = Revision.Kind.FIX
    seen: int
    field: str
    code: str
    fix: fixes.Fix

    @property
    def details(self) -> dict[str, Any]:
        """The issues and their fix."""
        return {"field": self.field, "code": self.code, **self.fix.details}

    def changes(self, record: ImportRecord, table: StagedTable, effort: Effort) -> BulkChanges:
        """Return the fixes, as far as the effort allows."""
        require_fields(table, {"/field": self.field})
        return fixes.fix_group(table, field=self.field, code=self.code, fix=self.fix, effort=effort)

    @classmethod
    def kept(cls, request: Mapping[str, Any]) -> Self:
        """Return the wish from its stored JSON."""
        fix = fixes.Fix(**request["fix"])
        return cls(request["seen"], request["field"], request["code"], fix)


@dataclass(frozen=True, slots=True)
class ResolveDuplicates:
    """Keep one row of each group of duplicates, or all rows as no duplicates."""

    KIND: ClassVar = Revision.Kind.FIX
    seen: int
    grouping: Grouping
    keeping: Keeping

    @property
    def details(self) -> dict[str, Any]:
        """Nothing: the rows show what it did."""
        return {}

    def changes(self, record: ImportRecord, table: StagedTable, effort: Effort) -> BulkChanges:
        """Return the changes, as far as the effort allows."""
        return resolved(table, self.grouping, self.keeping, effort).changes

    @classmethod
    def kept(cls, request: Mapping[str, Any]) -> Self:
        """Return the wish from its stored JSON."""
        grouping, keeping = request["grouping"], request["keeping"]
        return cls(
            request["seen"],
            Grouping(**{**grouping, "fields": tuple(grouping["fields"])}),
            Keeping(**{**keeping, "group": tuple(keeping["group"])}),
        )


KINDS: Mapping[str, type[Wish]] = MappingProxyType(
    {"replace": Replace, "fix": FixGroup, "duplicates": ResolveDuplicates}
)
_NAMES = {wish: name for name, wish in KINDS.items()}


def preview_replace(*, record: ImportRecord, wish: Replace) -> Preview:
    """Count the cells that a replacement would change; in a large table, only in its first rows."""
    table = rows_of(record, wish.seen)
    rows = wish.rows(record, table)
    count = replacement.count(table, wish.search, rows, most_cells=LOOKED_AT)
    return Preview(
        revision=wish.seen,
        cells=count.cells,
        of=count.looked,
        samples=count.samples,
        byField=count.by_field,
        complete=count.is_complete,
    )


def preview_fix(*, record: ImportRecord, wish: FixGroup) -> Preview:
    """Count the issues of a group that a fix would resolve."""
    table = rows_of(record, wish.seen)
    require_fields(table, {"/field": wish.field})
    if not wish.fix.exclude:
        refuse_fields_read_only([("/field", wish.field)], read_only_fields(record))
    count = fixes.count_fix(
        table, field=wish.field, code=wish.code, fix=wish.fix, samples=replacement.SAMPLES
    )
    return Preview(
        revision=wish.seen,
        cells=count.fixes,
        of=count.of,
        samples=replacement.samples(table, count.changes),
        byField={wish.field: count.fixes},
    )


def change_rows(
    *, record: ImportRecord, wish: Wish, actor: Actor, at: datetime
) -> Changed | BulkChange:
    """
    Change rows in bulk. Raise RowsChanged if they are not those the caller saw.

    A change that is too large for one call is left to a worker: its row is returned and shows the
    progress. Until it is over, other changes of the rows raise RowsChanging.
    """

    def prepared(table: StagedTable) -> Prepared:
        return prepared_by(wish, record, table, at_once(table), actor=actor, at=at)

    try:
        return carry_out(record=record, prepare=prepared, actor=actor, at=at)
    except BeyondEffort:
        return _requested(record, wish, actor=actor, at=at)


def prepared_by(
    wish: Wish,
    record: ImportRecord,
    table: StagedTable,
    effort: Effort,
    *,
    actor: Actor,
    at: datetime,
) -> Prepared:
    """
    Return a wish prepared against the newest rows.

    Raise FieldReadOnly for a field whose values cannot be changed.
    """
    require_seen(table, wish.seen)
    changes = wish.changes(record, table, effort)
    locked = read_only_fields(record)
    refuse_fields_read_only([("", path) for path in changes.texts], locked)
    prepared = prepare(table, changes, kind=wish.KIND, actor=actor, at=at, effort=effort)
    return dataclasses.replace(prepared, about={**wish.details, **changes.about})


def wish_of(change: BulkChange) -> Wish:
    """Return the wish that a worker was given."""
    return KINDS[change.kind].kept(change.request)


def _requested(record: ImportRecord, wish: Wish, *, actor: Actor, at: datetime) -> BulkChange:
    """Create a change for a worker."""
    _refuse_beyond(record)
    change = BulkChange(
        public_id=new_id("blk_"),
        state=BulkChange.State.RUNNING,
        record=record,
        kind=_NAMES[type(wish)],
        request=dataclasses.asdict(wish),  # type: ignore[call-overload]  # each wish is a dataclass
        actor=actor.as_dict(),
        created_at=at,
        due_at=at,
        total=record.counts.get("rows", 0),
    )
    try:
        with transaction.atomic():
            mine = ImportRecord.objects.filter(
                pk=record.pk, state=ImportRecord.State.REVIEW, revision=wish.seen
            )
            if not list(mine.select_for_update().values_list("pk", flat=True)):
                raise StaleState("stale_state.rows")
            change.save(force_insert=True)
            wake_on_commit(MAKE, change.public_id)
    except IntegrityError:  # another change started at the same moment
        refuse_while_changing(record)
        raise
    return change


def _refuse_beyond(record: ImportRecord) -> None:
    """Raise TooManyImports if a tenant has as many changes running as it may have jobs."""
    running = BulkChange.objects.filter(
        record__tenant=record.tenant_id, state=BulkChange.State.RUNNING
    )
    if running.count() >= settings.TENANT_IMPORTS_AT_WORK:
        raise TooManyImports(members={"retryAfter": 10})


def require_seen(table: StagedTable, seen: int) -> None:
    """Raise if the rows are no longer those the caller saw."""
    if table.revision.number != seen:
        raise RowsChanged(
            members={
                "revision": table.revision.number,
                "by": table.revision.actor,
                "at": table.revision.created_at.isoformat(),
            },
        )
