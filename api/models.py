"""What the API stores itself: the answers of idempotent calls, and nothing about imports."""

from typing import ClassVar

from django.db import models

from licensing.models import Tenant


class StoredResponse(models.Model):
    """The stored answer of a creating call, so that sending the call again creates nothing."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="+")
    caller = models.CharField(max_length=64)  # license id, or the staff session's actor
    key = models.CharField(max_length=255)  # the Idempotency-Key
    fingerprint = models.CharField(max_length=64)  # sha256 of the request
    claim_no = models.PositiveIntegerField(default=1)
    claimed_until = models.DateTimeField()  # until then, a call with this key is running
    expires_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)  # null: still running
    body = models.TextField(blank=True)  # JSON without secrets
    location = models.CharField(max_length=255, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "caller", "key"], name="a_key_of_a_caller_is_kept_once"
            )
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["expires_at"], name="answers_by_expiry")
        ]

    def __str__(self) -> str:
        return f"{self.caller} {self.key}"
