"""History of every state move, for any stateful object."""

from typing import ClassVar

from django.db import models


class Move(models.Model):
    """One state move of one object: what, who, why, when."""

    subject = models.CharField(max_length=40)  # public id
    from_state = models.CharField(max_length=16)
    to_state = models.CharField(max_length=16)
    version = models.PositiveBigIntegerField()  # the object's version after the move
    actor = models.JSONField()
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "version"], name="a_version_is_reached_by_one_move"
            )
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.from_state} -> {self.to_state}"
