"""
Which features an apply meets: what is known, hosts that are asked for it, full syncs.

What an import does not meet is not called. A question is asked where its answer counts, never
kept: another import, or a registration, may come meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from changesets.comparison.known_rows import compared_names, keyed_names
from changesets.models import FULL, Changeset
from deliveries import selectors as deliveries
from deliveries.services.registrations import LOOKUP
from imports.models import ImportRecord
from references import selectors as references
from staging.edits import entity_links

if TYPE_CHECKING:
    from deliveries.models import Registration
    from staging.columns import StagedTable


def sets_of(record: ImportRecord) -> dict[str, references.Sets]:
    """Return what an import sees; the page of an unknown visitor sees nothing."""
    return {} if record.from_page else references.sets_of(record.tenant, record.scope)


def answering(record: ImportRecord) -> Registration | None:
    """Return the registration that answers the lookups of an import, if there is one."""
    if record.purpose != ImportRecord.Purpose.IMPORT or record.from_page:
        return None  # the page of an unknown visitor sees nothing of what is known
    registrations = deliveries.registrations_for(
        record.tenant, LOOKUP, catalog_key=record.catalog_key
    )
    return registrations[0] if registrations else None


def may_wait(record: ImportRecord) -> bool:
    """Return whether any cell may wait for a decision, without planning the rows."""
    if not record.revision:
        return False
    asks = any(field.on_known == "ask" for field in record.target.live_fields.values())
    return asks or any(
        any(known.delivered_at is not None for known in sets)
        and any(known.told_at is not None for known in sets)
        for sets in sets_of(record).values()
    )


def meets_full_syncs(record: ImportRecord, mode: str) -> bool:
    """Return whether an apply in a mode is a full sync, or its tenant has others."""
    others = Changeset.objects.filter(tenant=record.tenant, mode=FULL).exclude(record=record)
    return mode == FULL or others.exists()


def is_compared(changeset: Changeset, table: StagedTable) -> bool:
    """Return whether rows name entities, or there are known ones to compare them with."""
    return entity_links.has_references(table.files) or bool(gathered_names(changeset, table))


def gathered_names(changeset: Changeset, table: StagedTable) -> list[str]:
    """Return the entities to gather: those to compare, or all with a key if a host asked."""
    if has_asked(changeset):
        return keyed_names(table.files.plan)
    return compared_names(table.files.plan, sets_of(changeset.record))


def has_asked(changeset: Changeset) -> bool:
    """Return whether a receiver asked for what changes."""
    return changeset.parts.filter(has_changes=True).exists()
