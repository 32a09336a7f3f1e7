"""A value list, and the versions that imports were made with."""

import zlib
from typing import ClassVar

import orjson
from django.db import models

from common.json_text import JsonTextField
from licensing.models import Tenant
from tabular.protocol.plan import ValueList as Columns


class ListVersion(models.Model):
    """What a value list holds at one time. Equal content is one version."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="list_versions")
    digest = models.CharField(max_length=64, db_index=True)  # SHA-256 of the columns as JSON
    row_count = models.PositiveIntegerField()
    content = models.BinaryField()  # the columns as JSON, deflated
    created_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)  # when no list had it any more

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "digest"], name="a_tenant_has_a_list_version_once"
            )
        ]

    def __str__(self) -> str:
        return self.digest

    @property
    def columns(self) -> Columns:
        """The keys and their values."""
        keys, values = orjson.loads(zlib.decompress(self.content))
        return Columns(tuple(keys), tuple(values))


class ValueList(models.Model):
    """A list by the key that recipes name; another content is another version."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="value_lists")
    key = models.CharField(max_length=100)
    version = models.ForeignKey(ListVersion, on_delete=models.RESTRICT, related_name="lists")
    changed_at = models.DateTimeField()
    changed_by = JsonTextField()  # an Actor

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tenant", "key"], name="a_tenant_has_a_value_list_once")
        ]

    def __str__(self) -> str:
        return self.key
