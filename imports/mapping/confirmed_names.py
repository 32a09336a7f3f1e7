"""Headers that people mapped to the fields of a catalog, and that the catalog does not name."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from imports.models import Profile
from licensing.models import Tenant
from tabular.model.catalog import Catalog, Field

MOST = 2_000  # how many profiles are examined, the newest


@dataclass(slots=True)
class ConfirmedName:
    """One header of one field."""

    field: str
    name: str
    count: int  # how many imports it was learned from
    last_at: datetime


def confirmed_names(tenant: Tenant, catalog: Catalog, path: str | None) -> list[ConfirmedName]:
    """Return them, of one field or of all, the most frequent first, without a field's own names."""
    by_name: dict[tuple[str, str], ConfirmedName] = {}
    known = {p: _names(field) for p, field in catalog.fields_by_path.items() if path in {None, p}}
    for name in _taught(tenant, catalog.key):
        if name.field not in known or name.name.casefold() in known[name.field]:
            continue
        first = by_name.setdefault((name.field, name.name.casefold()), name)
        if first is not name:
            first.count += name.count
            first.last_at = max(first.last_at, name.last_at)
    return sorted(by_name.values(), key=lambda item: (-item.count, item.field, item.name))


def mapped_headers(tenant: Tenant, key: str) -> Iterator[tuple[str, str]]:
    """Yield each header and field of the newest profiles, also where the catalog names it."""
    for name in _taught(tenant, key):
        yield name.name, name.field


def _taught(tenant: Tenant, key: str) -> Iterator[ConfirmedName]:
    profiles = Profile.objects.filter(tenant=tenant, catalog_key=key).order_by("-saved_at")
    for profile in profiles.only("columns", "mapping", "saved_at", "taught_by")[:MOST]:
        taught = max(1, len(profile.taught_by))
        for column, path in profile.mapping.items():
            if column in profile.columns:  # otherwise a step of the recipe made it
                yield ConfirmedName(path, column.strip(), taught, profile.saved_at)


def _names(field: Field) -> set[str]:
    return {
        name.strip().casefold()
        for name in (field.key, field.label, *(field.alternative_matches or ()))
        if name
    }
