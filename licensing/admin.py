"""Licenses to see and revoke, tenants to name, memberships to give; keys are minted elsewhere."""

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest

from common import clock
from licensing import services
from licensing.models import License, Membership, Tenant
from tabular.model.wording import counted

if TYPE_CHECKING:
    OfLicense = admin.ModelAdmin[License]
    OfTenant = admin.ModelAdmin[Tenant]
    OfMembership = admin.ModelAdmin[Membership]
    MembershipRows = admin.TabularInline[Membership, Tenant]
else:
    OfLicense = OfTenant = OfMembership = admin.ModelAdmin
    MembershipRows = admin.TabularInline


class RevokeForm(ActionForm):
    """Asks for a reason beside the action."""

    reason = forms.CharField(
        required=False, max_length=services.REASON_LENGTH, label="Reason for revoking:"
    )


@admin.register(License)
class LicenseAdmin(OfLicense):
    """What is known of every key; the only change is to revoke."""

    list_display = ("public_id", "tenant", "plan", "granted", "expires_at", "revoked_at")
    list_filter = ("plan", ("revoked_at", admin.EmptyFieldListFilter))
    list_select_related = ("tenant",)
    search_fields = ("public_id", "tenant__public_id", "tenant__label")
    ordering = ("-issued_at",)
    action_form = RevokeForm
    actions = ("revoke",)

    @admin.display(description="Entitlements")
    def granted(self, license: License) -> str:
        """List the entitlements that are on."""
        return ", ".join(sorted(license.entitlements)) or "none"

    @admin.action(description="Revoke selected licenses", permissions=["revoke"])
    def revoke(self, request: HttpRequest, licenses: "QuerySet[License]") -> None:
        """Revoke from the next call on; a reason is asked for, because it stays."""
        reason = request.POST.get("reason", "").strip()
        if not reason:
            self.message_user(request, "Give a reason for revoking.", messages.ERROR)
            return
        revoked = [
            services.revoke_license(license=license, reason=reason, at=clock.now())
            for license in licenses
        ]
        self.message_user(request, f"Revoked {sum(revoked)} of {counted(len(revoked), 'license')}.")

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Whoever might change licenses may revoke them."""
        return request.user.has_perm("licensing.change_license")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Minting is a command, which shows the key once."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: License | None = None) -> bool:
        """A license says what its key says."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: License | None = None) -> bool:
        """Whoever may revoke may look."""
        return super().has_view_permission(request, obj) or self.has_revoke_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: License | None = None) -> bool:
        """A deleted license would forget its revocation."""
        return False


class MembershipInline(MembershipRows):
    """Who may act for the tenant."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Tenant)
class TenantAdmin(OfTenant):
    """Tenants come from keys; people only name them."""

    list_display = ("public_id", "label", "created_at")
    search_fields = ("public_id", "label")
    readonly_fields = ("public_id", "created_at")
    inlines: ClassVar[list[type[Any]]] = [MembershipInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The first accepted key makes the tenant."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Tenant | None = None) -> bool:
        """Everything a tenant owns hangs on it."""
        return False


@admin.register(Membership)
class MembershipAdmin(OfMembership):
    """Which staff user may act for which tenant, and how."""

    list_display = ("user", "tenant", "role")
    list_filter = ("role",)
    list_select_related = ("user", "tenant")
    search_fields = ("user__username", "tenant__public_id", "tenant__label")
    autocomplete_fields = ("user", "tenant")
