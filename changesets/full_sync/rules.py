"""What catalogs and files allow a full sync to delete, and when a person has to confirm it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from catalogs.models import CatalogVersion
from imports.rows.left_out import skipped_rows_of

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from tabular.model.catalog import FullSync

Rules = dict[str, "list[FullSync]"]  # by entity, in the catalog's order; each of them counts
ABOVE = frozenset({"preamble", "units"})  # titles, or rows above a header that was chosen too low


def rules_of(record: ImportRecord) -> Rules:
    """
    Return the rules of the entries of which a full sync may delete entities.

    Those of the version that the import uses and of the newest one, published or retired: an import
    of an older version does not evade what a newer one withdrew.
    """
    rules: Rules = {
        entry.id: [entry.full_sync]
        for entry in record.target.entries
        if entry.full_sync is not None
    }
    version = record.catalog_version
    if not rules or version is None:
        return rules
    versions = CatalogVersion.objects.filter(catalog=version.catalog_id)
    newest = versions.exclude(state=CatalogVersion.State.DRAFT).order_by("-number").first()
    if newest is None or newest.pk == version.pk:
        return rules
    now = {entry.id: entry.full_sync for entry in newest.as_catalog().entries}
    return {
        name: [*mine, rule] for name, mine in rules.items() if (rule := now.get(name)) is not None
    }


def needs_confirmation(rules: list[FullSync], *, known: int, missing: int) -> bool:
    """Return whether a person has to confirm the deletions of one entry."""
    return any(rule.needs_confirmation(known=known, missing=missing) for rule in rules)


def has_rows_above(record: ImportRecord) -> bool:
    """Return whether rows above the table were skipped, which are data if the header is wrong."""
    counts = skipped_rows_of(record).counts if record.source else {}
    return any(counts.get(reason) for reason in ABOVE)
