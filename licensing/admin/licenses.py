"""View, mint and revoke licenses; a key is shown once, when it is minted."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from common import clock
from licensing import services
from licensing.admin.mint_form import MintForm, Ticket
from licensing.models import License
from licensing.selectors import actor_of
from licensing.staff_pages import OfTenant, TenantRowsAdmin, tag
from licensing.tokens import key_options


class RevokeForm(ActionForm):
    """Asks for a reason next to the action."""

    reason = forms.CharField(
        required=False, max_length=services.REASON_LENGTH, label="Reason for revoking:"
    )


class Standing(admin.SimpleListFilter):
    """Valid, expired or revoked licenses."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the choices."""
        return [("good", "Valid"), ("expired", "Expired"), ("revoked", "Revoked")]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[License]") -> "QuerySet[License]":
        """Return the chosen licenses."""
        ahead = Q(expires_at__gt=clock.now())
        match self.value():
            case "good":
                return queryset.filter(ahead, revoked_at=None)
            case "expired":
                return queryset.filter(~ahead, revoked_at=None)
            case "revoked":
                return queryset.exclude(revoked_at=None)
        return queryset


class Plan(admin.SimpleListFilter):
    """Licenses of one plan."""

    title = parameter_name = "plan"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the existing plans of the visible tenants."""
        seen = model_admin.get_queryset(request).order_by("plan")
        return [(plan, plan or "none") for plan in seen.values_list("plan", flat=True).distinct()]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[License]") -> "QuerySet[License]":
        """Return the licenses of the chosen plan."""
        wanted = self.value()
        return queryset if wanted is None else queryset.filter(plan=wanted)


@admin.register(License)
class LicenseAdmin(TenantRowsAdmin):
    """What is stored about every key, never the key; licenses can only be revoked."""

    unread = ("key_sha256",)
    list_display = (
        "public_id",
        "label",
        "tenant",
        "standing",
        "plan",
        "granted",
        "pages",
        "issued_at",
        "expires_at",
    )
    list_filter = (Standing, Plan, ("expires_at", admin.DateFieldListFilter), OfTenant)
    list_select_related = ("tenant",)
    search_fields = ("public_id", "label", "tenant__public_id", "tenant__label")
    ordering = ("-issued_at", "-pk")
    fields = (
        *list_display,
        "revoked_at",
        "revoked_reason",
    )
    readonly_fields = ("standing", "granted", "pages")
    action_form = RevokeForm
    actions = ("revoke",)

    @admin.display(description="Status")
    def standing(self, license: License) -> str:
        """Return whether the key is accepted."""
        if license.revoked_at is not None:
            return tag("revoked", bad={"revoked"})
        return tag("expired") if license.expires_at <= clock.now() else tag("valid", good={"valid"})

    @admin.display(description="Entitlements")
    def granted(self, license: License) -> str:
        """Return the granted entitlements."""
        return ", ".join(sorted(license.entitlements)) or "none"

    @admin.display(description="Pages")
    def pages(self, license: License) -> str:
        """Return the page origins that a key is valid for."""
        return ", ".join(license.origins) or "none named"

    @admin.action(description="Revoke selected licenses", permissions=["act"])
    def revoke(self, request: HttpRequest, licenses: "QuerySet[License]") -> None:
        """Revoke licenses from the next call on; the reason is required, because it is kept."""
        reason = request.POST.get("reason", "").strip()
        if not reason:
            self.message_user(request, "Enter a reason for revoking.", messages.ERROR)
            return
        by = actor_of(request.user)
        self.carry_out(
            request,
            licenses,
            lambda key: services.revoke_license(
                license=key, reason=reason, at=clock.now(), actor=by
            ),
            "Revoked",
        )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may mint, which requires the permission to add licenses."""
        return request.user.has_perm("licensing.add_license")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Mint a key and show it once; without a signing key, name the command."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        signing_key = key_options.development_key()
        if signing_key is None and request.method == "POST":
            raise PermissionDenied
        ticket, issued = Ticket(request), None
        form = MintForm(request.user, request.POST or None)
        if signing_key is not None and request.method == "POST" and form.is_valid():
            if ticket.is_used():
                form.add_error(None, "This form was already sent. Open it again for another key.")
            else:
                issued = form.mint(signing_key, actor=actor_of(request.user))
        context = {
            **self.admin_site.each_context(request),
            "title": "Mint a license key",
            "opts": self.opts,
            "form": form,
            "can_mint": signing_key is not None,
            "issued": issued,
            "ticket": ticket.given(),
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/licensing/license/mint.html", context)
