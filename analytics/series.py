"""Stored sums: add to them, and read them."""

import json
from collections.abc import Iterator

from django.db import transaction

from analytics.models import Series
from analytics.tally import Labels, Sum, Tally


def add(tally: Tally) -> None:
    """Add the sums of a tally to the stored ones, in one transaction."""
    if not tally.sums:
        return
    added = {(name, json.dumps(labels)): sums for (name, labels), sums in tally.sums.items()}
    with transaction.atomic():
        Series.objects.bulk_create(
            [Series(name=name, labels=labels) for name, labels in added], ignore_conflicts=True
        )
        names = {name for name, _ in added}
        # In the order of their keys: two processes that add at once wait, and never for each other.
        stored = Series.objects.select_for_update().filter(name__in=names).order_by("pk")
        changed = [row for row in stored if (row.name, row.labels) in added]
        for row in changed:
            sums = Sum(row.count, row.total, row.buckets)
            sums.add(added[row.name, row.labels])
            row.count, row.total, row.buckets = sums.count, sums.total, sums.buckets
        Series.objects.bulk_update(changed, ["count", "total", "buckets"])


def stored() -> Iterator[tuple[str, Labels, Sum]]:
    """Yield the name, labels and sum of each stored series, by name."""
    rows = Series.objects.order_by("name", "labels")
    for name, labels, *sums in rows.values_list("name", "labels", "count", "total", "buckets"):
        pairs = tuple((str(label), str(value)) for label, value in json.loads(labels))
        yield name, pairs, Sum(*sums)
