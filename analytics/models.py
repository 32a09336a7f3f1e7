"""Counts that every process adds to, counts of days, and how far histories were counted."""

from typing import ClassVar

from django.db import models


class Series(models.Model):
    """A sum that only grows, of one name and one set of labels. See ``analytics.tally``."""

    name = models.CharField(max_length=40)
    labels = models.CharField(max_length=400)  # JSON: pairs, sorted by name
    count = models.PositiveBigIntegerField(default=0)
    total = models.FloatField(default=0.0)
    buckets = models.JSONField(default=list)  # counts between the bounds; empty if only counted

    class Meta:
        verbose_name_plural = "series"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["name", "labels"], name="a_series_is_stored_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.labels}"


class Day(models.Model):
    """What happened on a day (UTC) to one tenant, or to all of them. See ``analytics.days``."""

    tenant = models.CharField(max_length=64)  # public id; empty: all tenants
    day = models.DateField(db_index=True)
    counts = models.JSONField(default=dict)  # by name

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tenant", "day"], name="a_day_of_a_tenant_is_kept_once")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.tenant or 'all tenants'}"


class Cursor(models.Model):
    """How far a history was counted, by primary key. See ``analytics.history_counts``."""

    source = models.CharField(max_length=40, unique=True)
    counted = models.PositiveBigIntegerField(default=0)  # all rows up to it are counted
    complete = models.PositiveBigIntegerField(default=0)  # all rows up to it are committed
    seen_at = models.DateTimeField()  # when the row of `complete` was the newest one

    def __str__(self) -> str:
        return f"{self.source} {self.counted}"
