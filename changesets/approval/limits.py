"""How many rows one person may apply or revert alone."""

from collections.abc import Iterator

from catalogs.models import CatalogVersion
from imports.customization import SECOND_PERSON
from imports.models import ImportRecord
from tabular.model.catalog import Guarded, SecondPerson
from tabular.model.catalog_findings import validated


def most_alone(record: ImportRecord, doing: Guarded) -> int | None:
    """
    Return how many rows of an import one person may apply or revert; None for any number.

    The strictest rule counts: that of the version the import uses, that of the published version,
    so that an import of an older one does not evade it, and that of the import's overlay.
    """
    limits = [rule.most_alone(doing) for rule in _rules(record)]
    return min((limit for limit in limits if limit is not None), default=None)


def _rules(record: ImportRecord) -> Iterator[SecondPerson]:
    version = record.catalog_version
    if version is None:
        return
    published = CatalogVersion.objects.filter(
        catalog=version.catalog_id, state=CatalogVersion.State.PUBLISHED
    ).exclude(pk=version.pk)
    for item in (version, *published):
        if rule := item.as_catalog().second_person:
            yield rule
    if given := (record.overlay or {}).get(SECOND_PERSON):
        yield validated(SecondPerson, given)
