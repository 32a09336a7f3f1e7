"""History of every state move, for any stateful object, and each tenant's audit log."""

from typing import ClassVar

from django.db import models

from common.json_text import WordedField, WordedJsonField


class Move(models.Model):
    """One state move of one object: what, who, why, when."""

    subject = models.CharField(max_length=40)  # public id
    from_state = models.CharField(max_length=16)
    to_state = models.CharField(max_length=16)
    version = models.PositiveBigIntegerField()  # the object's version after the move
    actor = models.JSONField()
    reason = WordedField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "version"], name="a_version_is_reached_by_one_move"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.from_state} -> {self.to_state}"


class Event(models.Model):
    """One line of a tenant's audit log; it outlives the object that it names."""

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    tenant = models.CharField(max_length=64)  # public id
    kind = models.CharField(max_length=32)
    subject = models.CharField(max_length=80)  # public id, or the key of a catalog
    record = models.CharField(max_length=40, blank=True)  # the import it happened in
    actor_kind = models.CharField(max_length=16)
    actor_id = models.CharField(max_length=200)
    actor_label = models.CharField(max_length=400, blank=True)
    rule = WordedField(max_length=200, blank=True)  # the rule that caused it, if no person did
    about = WordedJsonField(default=dict)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "-public_id"], name="events_of_a_tenant"),
            models.Index(fields=["tenant", "kind", "-public_id"], name="events_by_kind"),
            models.Index(fields=["tenant", "record", "-public_id"], name="events_of_an_import"),
            models.Index(fields=["tenant", "at"], name="events_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.at} {self.kind} {self.subject}"

    @property
    def actor(self) -> dict[str, str]:
        """Who did it."""
        return {"kind": self.actor_kind, "id": self.actor_id, "label": self.actor_label}


class Installation(models.Model):
    """This database's own identity, in one row; a bucket of files names it."""

    identifier = models.CharField(max_length=32)

    def __str__(self) -> str:
        return self.identifier
