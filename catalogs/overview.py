"""All catalogs with their state: what is published, and what the draft changes."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from catalogs import selectors
from catalogs.models import Catalog, CatalogVersion
from licensing.models import Tenant
from tabular.model.catalog_findings import is_blocking

State = CatalogVersion.State
MOST_COUNTED = 1_000  # pairs of documents whose counts are cached
_counted: dict[tuple[str, str], int | None] = {}


@dataclass(frozen=True, slots=True)
class Standing:
    """One catalog, and its relevant versions."""

    catalog: Catalog
    published: CatalogVersion | None
    draft: CatalogVersion | None
    retired: CatalogVersion | None  # the newest of them

    @property
    def state(self) -> str:
        """Return whether it is published, retired, or was never published."""
        if self.published:
            return State.PUBLISHED
        return State.RETIRED if self.retired else State.DRAFT

    @property
    def shown(self) -> CatalogVersion | None:
        """Return the version that represents the catalog."""
        return self.published or self.draft or self.retired

    @property
    def fields(self) -> int:
        """The number of fields; a draft may contain anything."""
        return 0 if self.shown is None else _fields_in(json.loads(self.shown.document))

    @property
    def changed(self) -> int | None:
        """The number of changes in the draft; None without a draft, or if it is not publishable."""
        return None if self.draft is None else _changes(self.published, self.draft)


def all_catalogs(tenant: Tenant) -> "QuerySet[Catalog]":
    """Return every catalog of a tenant, published or not."""
    return Catalog.objects.filter(tenant=tenant)


def standings(catalogs: Iterable[Catalog]) -> list[Standing]:
    """Return the state of each catalog, in at most two queries."""
    listed = list(catalogs)
    newest = (
        CatalogVersion.objects.filter(catalog=OuterRef("catalog"), state=State.RETIRED)
        .values("catalog")
        .annotate(newest=Max("number"))
        .values("newest")
    )
    versions: dict[tuple[int, str], CatalogVersion] = {}
    counting = CatalogVersion.objects.filter(catalog__in=listed).filter(
        ~Q(state=State.RETIRED) | Q(number=Subquery(newest))
    )
    for version in counting:
        versions[version.catalog_id, version.state] = version
    return [
        Standing(
            catalog=catalog,
            published=versions.get((catalog.pk, State.PUBLISHED)),
            draft=versions.get((catalog.pk, State.DRAFT)),
            retired=versions.get((catalog.pk, State.RETIRED)),
        )
        for catalog in listed
    ]


def _fields_in(document: Any) -> int:
    entries = document.get("entries") if isinstance(document, dict) else None
    return sum(
        len(entry["fields"])
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("fields"), list)
    )


def _changes(published: CatalogVersion | None, draft: CatalogVersion) -> int | None:
    """Count the changes, once for each pair of documents, because parsing takes time."""
    pair = (published.etag if published else "", draft.etag)
    if pair not in _counted:
        if len(_counted) >= MOST_COUNTED:
            _counted.clear()
        fits = not any(map(is_blocking, selectors.findings(draft)))
        _counted[pair] = len(selectors.changes_between(published, draft)) if fits else None
    return _counted[pair]
