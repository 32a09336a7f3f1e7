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


class CatalogDay(models.Model):
    """What became of the imports of one day into one catalog. See ``analytics.by_catalog``."""

    tenant = models.CharField(max_length=64)  # public id
    catalog = models.CharField(max_length=64)  # key
    day = models.DateField(db_index=True)  # of the uploads (UTC)
    counts = models.JSONField(default=dict)  # by name

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "catalog", "day"], name="a_day_of_a_catalog_is_kept_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.tenant} {self.catalog}"


class CorrectedHeader(models.Model):
    """A header that people corrected. See ``analytics.by_catalog.corrected_headers``."""

    digest = models.CharField(max_length=64, unique=True)  # of the next five members
    tenant = models.CharField(max_length=64)  # public id
    scope = models.CharField(max_length=200, blank=True)
    catalog = models.CharField(max_length=64)  # key
    header = models.CharField(max_length=200, blank=True)  # empty: the column had none
    field = models.TextField(blank=True)  # field path; empty: it feeds none
    imports = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "catalog", "-last_at"], name="corrections_of_a_catalog"),
            models.Index(fields=["tenant", "scope"], name="corrections_of_a_scope"),
        ]

    def __str__(self) -> str:
        return f"{self.tenant} {self.catalog} {self.header}"


class Cursor(models.Model):
    """How far a history was counted, by primary key. See ``analytics.history_counts``."""

    source = models.CharField(max_length=40, unique=True)
    counted = models.PositiveBigIntegerField(default=0)  # all rows up to it are counted
    complete = models.PositiveBigIntegerField(default=0)  # all rows up to it are committed
    seen_at = models.DateTimeField()  # when the row of `complete` was the newest one

    def __str__(self) -> str:
        return f"{self.source} {self.counted}"
