"""Tenants, the licenses they were issued, and the staff who may act for them."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class Tenant(models.Model):
    """One company on this engine; made at mint or by the first accepted key."""

    public_id = models.CharField(max_length=64, unique=True)  # a key's ``sub``, not always ours
    label = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.label or self.public_id


class License(models.Model):
    """What is known of a license key: its id and claims, never the key itself."""

    public_id = models.CharField(max_length=64, unique=True)  # the key's ``jti``
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="licenses")
    plan = models.CharField(max_length=40, blank=True)
    entitlements = models.JSONField(default=dict)
    origins = models.JSONField(default=list)
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    key_sha256 = models.CharField(max_length=64, blank=True)  # of a key that was minted here
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_reason = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.public_id


class Membership(models.Model):
    """A staff user who may act for a tenant in the browser."""

    class Role(models.TextChoices):
        """What a member may do."""

        EDITOR = "editor"  # edits and publishes catalogs
        VIEWER = "viewer"  # looks

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role, default=Role.EDITOR)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["user", "tenant"], name="a_user_is_a_member_of_a_tenant_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.tenant}"
