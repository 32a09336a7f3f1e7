"""Stored sums: add to them, and read them."""

import json
from collections.abc import Collection, Iterator

from django.db import transaction

from analytics.models import Series
from analytics.tally import Labels, Sum, Tally


def add(tally: Tally) -> None:
    """Add the sums of a tally to the stored ones, in one transaction."""
    if not tally.sums:
        return
    added = {(name, json.dumps(labels)): sums for (name, labels), sums in tally.sums.items()}
    with transaction.atomic():
        changed = _locked(added.keys())
        if new := added.keys() - {(row.name, row.labels) for row in changed}:
            Series.objects.bulk_create(
                [Series(name=name, labels=labels) for name, labels in new], ignore_conflicts=True
            )
            changed = _locked(added.keys())
        # bulk_update says CASE WHEN for each column and row, and takes three times as long.
        Series.objects.bulk_create(
            [_with(row, added[row.name, row.labels]) for row in changed],
            update_conflicts=True,
            unique_fields=["name", "labels"],
            update_fields=["count", "total", "buckets"],
        )


def _with(row: Series, added: Sum) -> Series:
    sums = Sum(row.count, row.total, row.buckets)
    sums.add(added)
    return Series(
        name=row.name,
        labels=row.labels,
        count=sums.count,
        total=sums.total,
        buckets=sums.buckets,
    )


def _locked(keys: Collection[tuple[str, str]]) -> list[Series]:
    """
    Return the stored series of these names and labels.

    In the order of their keys: two processes that add at once wait, and never for each other.
    """
    rows = Series.objects.select_for_update().filter(name__in={name for name, _ in keys})
    return [row for row in rows.order_by("pk") if (row.name, row.labels) in keys]


def stored() -> Iterator[tuple[str, Labels, Sum]]:
    """Yield the name, labels and sum of each stored series, by name."""
    rows = Series.objects.order_by("name", "labels")
    for name, labels, *sums in rows.values_list("name", "labels", "count", "total", "buckets"):
        pairs = tuple((str(label), str(value)) for label, value in json.loads(labels))
        yield name, pairs, Sum(*sums)
