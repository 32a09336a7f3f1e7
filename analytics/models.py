"""Counts that every process adds to, and how far the histories were counted."""

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


class Cursor(models.Model):
    """How far a history was counted, by primary key. See ``analytics.history_counts``."""

    source = models.CharField(max_length=40, unique=True)
    counted = models.PositiveBigIntegerField(default=0)  # all rows up to it are counted
    complete = models.PositiveBigIntegerField(default=0)  # all rows up to it are committed
    seen_at = models.DateTimeField()  # when the row of `complete` was the newest one

    def __str__(self) -> str:
        return f"{self.source} {self.counted}"
