"""How many rows one person may apply or revert alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from catalogs.models import CatalogVersion
from imports.customization import SECOND_PERSON
from tabular.model.catalog import Guarded, SecondPerson
from tabular.model.catalog_findings import validated


def most_alone(
    version: CatalogVersion | None, doing: Guarded, *overlays: Mapping[str, Any] | None
) -> int | None:
    """
    Return how many rows one person may apply or revert; None for any number.

    The strictest rule counts: that of the version the import uses, that of the newest version,
    published or retired, so that an import of an older one does not evade it, and those of the
    overlays.

    version: the import's. overlays: its own, and that of the session that asks.
    """
    limits = [rule.most_alone(doing) for rule in _rules(version, overlays)]
    return min((limit for limit in limits if limit is not None), default=None)


def stricter(former: int | None, now: int | None) -> int | None:
    """
    Return the lower of two limits; None is any number.

    >>> stricter(None, 5), stricter(2, 5), stricter(2, None)
    (5, 2, 2)
    """
    return min((limit for limit in (former, now) if limit is not None), default=None)


def _rules(
    version: CatalogVersion | None, overlays: Iterable[Mapping[str, Any] | None]
) -> Iterator[SecondPerson]:
    if version is None:
        return
    versions = CatalogVersion.objects.filter(catalog=version.catalog_id)
    newest = versions.exclude(state=CatalogVersion.State.DRAFT).order_by("-number").first()
    for item in (version, newest):
        if item and (rule := item.as_catalog().second_person):
            yield rule
    for given in overlays:
        if wanted := (given or {}).get(SECOND_PERSON):
            yield validated(SecondPerson, wanted)
