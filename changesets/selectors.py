"""Queries for changesets of a tenant, and their rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import QuerySet

from changesets.bodies import delivered
from changesets.comparison.outcome import prepared_of
from changesets.models import Changeset
from common.errors import Conflict, NotFound
from common.rows import the_only
from imports.models import ImportRecord
from imports.selectors import imports_for
from licensing.caller import Caller
from licensing.models import Tenant

_S = ImportRecord.State
BEFORE_APPLY = frozenset({_S.RECEIVED, _S.READING, _S.MAPPING, _S.TRANSFORMING})


class UnknownChangeset(NotFound):
    """There is no such changeset."""

    code = "unknown_changeset"


class RowsPurged(Conflict):
    """The rows of this changeset were purged."""

    code = "rows_purged"


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One row of a changeset: its status, and how it differs from what was known."""

    row: int  # counts the delivered rows from 0
    status: str
    differences: list[dict[str, Any]]  # {field, before, after}


def changesets_of(tenant: Tenant) -> "QuerySet[Changeset]":
    """Return a tenant's changesets."""
    mine = Changeset.objects.filter(tenant=tenant)
    whole = mine.select_related("record__catalog_version__catalog", "record__tenant", "tenant")
    return whole.prefetch_related("revert_parts")


def changeset(tenant: Tenant, changeset_id: str) -> Changeset:
    """Return a changeset of a tenant. Raise UnknownChangeset if it has no such changeset."""
    row = the_only(changesets_of(tenant).filter(public_id=changeset_id))
    if row is None:
        raise UnknownChangeset
    return row


def changesets_for(caller: Caller) -> "QuerySet[Changeset]":
    """Return the changesets of the imports that a caller may access."""
    mine = changesets_of(caller.tenant)
    return mine.filter(record__in=imports_for(caller)) if caller.is_page else mine


def changeset_for(caller: Caller, changeset_id: str) -> Changeset:
    """Return a changeset of an import that a caller may access. Raise UnknownChangeset if none."""
    row = the_only(changesets_for(caller).filter(public_id=changeset_id))
    if row is None:
        raise UnknownChangeset
    return row


def last_changesets(records: Iterable[ImportRecord]) -> dict[str, str]:
    """Return the changeset of the last apply of each of some imports, if any."""
    applied = [record.pk for record in records if record.state not in BEFORE_APPLY]
    order = Changeset.objects.filter(record__in=applied).order_by("pk")
    return dict(order.values_list("record__public_id", "public_id"))


def rows_of(
    changeset: Changeset, *, status: str | None, offset: int, limit: int, sees_known: bool
) -> tuple[list[ChangedRow], int]:
    """
    Return some rows of a changeset, of one status or all, and their total number.

    If nothing was compared, all rows are new. sees_known: whether the caller may see what is known;
    without, the differences, which show it, are left out. Raise RowsPurged if they are gone.
    """
    import numpy as np

    if changeset.record.purged_at is not None:
        raise RowsPurged
    prepared = prepared_of(changeset.prepared)
    if prepared is None:
        total = len(delivered(changeset)) if status in {None, "new"} else 0
        shown = range(offset, min(offset + limit, total))
        return [ChangedRow(row, "new", []) for row in shown], total
    statuses = prepared.table("rows")["status"].combine_chunks()
    words = np.array(statuses.to_pylist(), dtype=object)
    rows = np.arange(len(words)) if status is None else np.flatnonzero(words == status)
    page = rows[offset : offset + limit]
    differences = _differences(prepared.table("differences"), page) if sees_known else {}
    changed = [ChangedRow(int(row), str(words[row]), differences.get(int(row), [])) for row in page]
    return changed, len(rows)


def _differences(table: Any, rows: Any) -> dict[int, list[dict[str, Any]]]:
    import numpy as np
    import pyarrow as pa

    about = table.filter(pa.array(np.isin(table["row"].to_numpy(), rows)))
    by_row: dict[int, list[dict[str, Any]]] = {}
    for item in about.to_pylist():
        sides = {side: None if item[side] is None else orjson.loads(item[side]) for side in SIDES}
        by_row.setdefault(item["row"], []).append({"field": item["field"], **sides})
    return by_row


SIDES = ("before", "after")


def references_of(
    changeset: Changeset, *, offset: int, limit: int, sees_known: bool
) -> dict[str, Any]:
    """
    Return ``entities`` and ``links`` of some delivered rows, as in their deliveries.

    sees_known: whether the caller may see what is known; without, entities have no values.
    """
    if changeset.record.purged_at is not None:
        raise RowsPurged
    prepared = prepared_of(changeset.prepared)
    entities, links = prepared.graph(offset, offset + limit) if prepared else ({}, [])
    if not sees_known:
        entities = {
            name: [{**entity, "values": {}} for entity in some] for name, some in entities.items()
        }
    return {"entities": entities, "links": links}
