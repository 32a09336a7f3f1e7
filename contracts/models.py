"""Signing keys of tenants, and the contracts they signed. Spec: Portable import contract."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from catalogs.models import CatalogVersion
from common.json_text import JsonTextField
from common.secrets import SealedTextField
from licensing.models import Tenant


class SigningKey(models.Model):
    """
    A tenant's key pair; the newest that is neither retired nor revoked signs.

    A retired key no longer signs, and its signatures remain valid. No signature of a revoked key is
    accepted.
    """

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="signing_keys")
    kid = models.CharField(max_length=64, unique=True)  # RFC 7638 thumbprint
    private_pem = SealedTextField(blank=True)  # empty once it no longer signs
    public_jwk = JsonTextField()
    created_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant"], condition=Q(retired_at=None), name="a_tenant_signs_with_one_key"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at=None) | ~Q(retired_at=None),
                name="a_revoked_key_signs_no_more",
            ),
        ]

    def __str__(self) -> str:
        return self.kid


class IssuedContract(models.Model):
    """A bundle as it was sealed: text, served byte for byte."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="issued_contracts")
    contract_id = models.CharField(max_length=71)  # sha256:...
    bundle = models.TextField()
    title = models.CharField(max_length=200, blank=True)
    key = models.ForeignKey(SigningKey, on_delete=models.RESTRICT, related_name="contracts")
    catalog_version = models.ForeignKey(
        CatalogVersion, on_delete=models.RESTRICT, related_name="contracts"
    )
    overlay_digest = models.CharField(max_length=64, blank=True)  # of a customer; empty: of none
    profile_id = models.CharField(max_length=40, blank=True)  # prf_..., empty without one
    created_at = models.DateTimeField()
    created_by = JsonTextField()  # an Actor
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "contract_id"], name="a_tenant_has_a_contract_once"
            )
        ]

    def __str__(self) -> str:
        return self.contract_id
