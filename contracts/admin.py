"""Contracts and signing keys to see; keys to rotate and revoke. Private keys are never shown."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from common import clock
from contracts import services
from contracts.models import IssuedContract, SigningKey

if TYPE_CHECKING:
    OfContract = admin.ModelAdmin[IssuedContract]
    OfKey = admin.ModelAdmin[SigningKey]
else:
    OfContract = OfKey = admin.ModelAdmin


@admin.register(IssuedContract)
class IssuedContractAdmin(OfContract):
    """Contracts as they were signed; they are made through the API or by ``contract export``."""

    list_display = ("contract_id", "title", "tenant", "catalog_version", "created_at", "expires_at")
    list_filter = (("expires_at", admin.EmptyFieldListFilter),)
    list_select_related = ("tenant", "catalog_version__catalog")
    search_fields = ("contract_id", "title", "tenant__public_id")
    ordering = ("-created_at",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A contract is signed, not typed."""
        return False

    def has_change_permission(
        self, request: HttpRequest, obj: IssuedContract | None = None
    ) -> bool:
        """What was signed stays as it is."""
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: IssuedContract | None = None
    ) -> bool:
        """Imports and deliveries name it."""
        return False


@admin.register(SigningKey)
class SigningKeyAdmin(OfKey):
    """The keys that sign contracts; the only change is to revoke one."""

    list_display = ("kid", "tenant", "created_at", "retired_at", "revoked_at")
    list_select_related = ("tenant",)
    search_fields = ("kid", "tenant__public_id")
    ordering = ("-created_at",)
    exclude = ("private_pem",)
    actions = ("rotate", "revoke")

    @admin.action(description="Sign with a new key", permissions=["replace"])
    def rotate(self, request: HttpRequest, keys: "QuerySet[SigningKey]") -> None:
        """Make a new key for each tenant of the selected ones."""
        tenants = {key.tenant for key in keys.select_related("tenant")}
        for tenant in tenants:
            services.rotate_key(tenant=tenant, at=clock.now())
        self.message_user(request, f"New keys: {len(tenants)}. What the former signed stays good.")

    @admin.action(description="Revoke: nothing these keys signed holds", permissions=["replace"])
    def revoke(self, request: HttpRequest, keys: "QuerySet[SigningKey]") -> None:
        """Revoke the selected keys."""
        revoked = [services.revoke_key(key=key, at=clock.now()) for key in keys]
        self.message_user(request, f"Revoked keys: {len(revoked)}.")

    def has_replace_permission(self, request: HttpRequest) -> bool:
        """Whoever might change keys may replace them."""
        return request.user.has_perm("contracts.change_signingkey")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The engine makes keys."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A key is what it is."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may replace may look."""
        return super().has_view_permission(request, obj) or self.has_replace_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A deleted key would make what it signed unknown without saying why."""
        return False
