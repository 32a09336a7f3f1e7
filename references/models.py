"""Known entities: what references of later imports may name. Spec: reference."""

from typing import ClassVar

from django.db import models

from common.json_text import JsonTextField
from licensing.models import Tenant
from references.value_lists.model import ListVersion as ListVersion
from references.value_lists.model import ValueList as ValueList


class KnownSet(models.Model):
    """All known entities of one name, of one tenant and scope."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="known_sets")
    scope = models.CharField(max_length=200, blank=True)  # one customer of the host
    entity = models.CharField(max_length=200)  # the id of a catalog entry, or any name
    indexed = JsonTextField(default=dict)  # field to its existing keys, see indexing
    version = models.PositiveBigIntegerField(default=0)  # raised by each change of its entities
    delivered_at = models.DateTimeField(null=True)  # when an applied import was last learned
    told_at = models.DateTimeField(null=True)  # when the host last said what it has
    forgotten_at = models.DateTimeField(null=True)  # when entities were last deleted by a call

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "scope", "entity"], name="a_scope_has_one_set_of_an_entity"
            )
        ]

    def __str__(self) -> str:
        return self.entity


class KnownEntity(models.Model):
    """One entity, by the name that host and engine use for it."""

    known_set = models.ForeignKey(KnownSet, on_delete=models.CASCADE, related_name="entities")
    ref = models.CharField(max_length=200)
    values = JsonTextField()  # {field key: value}, as delivered
    delivered = JsonTextField(null=True)  # the values that applied imports delivered last
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["known_set", "ref"], name="a_ref_names_one_entity")
        ]
        verbose_name_plural = "known entities"

    def __str__(self) -> str:
        return self.ref


class KnownKey(models.Model):
    """A number that finds an entity: an exact key or a blocking key of a field."""

    known_set = models.ForeignKey(
        KnownSet, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    known = models.ForeignKey(KnownEntity, on_delete=models.CASCADE, related_name="keys")
    digest = models.BigIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["known_set", "digest", "known"], name="an_entity_has_a_key_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.digest} {self.known_id}"


class HeavyBlock(models.Model):
    """A blocking key that so many entities share that it is not stored for each of them."""

    known_set = models.ForeignKey(KnownSet, on_delete=models.CASCADE, related_name="heavy_blocks")
    field = models.CharField(max_length=200)
    digest = models.BigIntegerField()
    spare = models.BigIntegerField()  # how many entities at least may lose it before it is light

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["known_set", "digest"], name="a_set_has_a_heavy_block_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.field} {self.digest}"


class LearnedText(models.Model):
    """A text that an applied import resolved to an entity; the newest one counts."""

    known_set = models.ForeignKey(KnownSet, on_delete=models.CASCADE, related_name="texts")
    text = models.CharField(max_length=200)
    ref = models.CharField(max_length=200)
    taught_by = models.CharField(max_length=40, db_index=True)  # public id of a changeset

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["known_set", "text", "taught_by"], name="a_changeset_teaches_a_text_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.text}: {self.ref}"


class KnownChange(models.Model):
    """The journal: what one changeset made of one entity, and its former values."""

    known_set = models.ForeignKey(KnownSet, on_delete=models.CASCADE, related_name="changes")
    changeset_id = models.CharField(max_length=40)
    ref = models.CharField(max_length=200)
    before = JsonTextField(null=True)  # former values; null: it was not known
    after = JsonTextField(null=True)
    delivered = JsonTextField(null=True)  # what had been delivered last before it
    is_restored = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["changeset_id", "known_set", "ref"], name="a_changeset_changes_a_ref_once"
            )
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["known_set", "ref"], name="changes_of_a_ref")
        ]

    def __str__(self) -> str:
        return f"{self.changeset_id} {self.ref}"
