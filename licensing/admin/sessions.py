"""View and end sessions of pages; their tokens are not stored."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from common import clock
from licensing.models import PageSession
from licensing.selectors import actor_of
from licensing.sessions import end_session
from licensing.staff_pages import OfTenant, TenantRowsAdmin, one_of, tag


class IsOpen(admin.SimpleListFilter):
    """Sessions whose token is accepted now."""

    title = "standing"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """Return the choices."""
        return [("open", "Open"), ("over", "Ended")]

    def queryset(
        self, request: HttpRequest, queryset: "QuerySet[PageSession]"
    ) -> "QuerySet[PageSession]":
        """Return the chosen sessions."""
        is_open = Q(ended_at=None, expires_at__gt=clock.now(), license__revoked_at=None)
        match self.value():
            case "open":
                return queryset.filter(is_open)
            case "over":
                return queryset.exclude(is_open)
        return queryset


@admin.register(PageSession)
class PageSessionAdmin(TenantRowsAdmin):
    """What each page may do; ``meta``, the host's data about a person's import, is hidden."""

    unread = ("token_sha256", "meta")
    list_display = (
        "public_id",
        "tenant",
        "standing",
        "catalog_key",
        "scope",
        "apply_mode",
        "created_at",
        "expires_at",
    )
    list_filter = (
        IsOpen,
        one_of("mode", "apply_mode", PageSession.ApplyMode.choices),
        ("created_at", admin.DateFieldListFilter),
        OfTenant,
    )
    list_select_related = ("tenant", "license")
    search_fields = ("public_id__startswith", "scope", "tenant__public_id", "license__public_id")
    ordering = ("-public_id",)
    fields = (
        "public_id",
        "tenant",
        "license",
        "standing",
        "catalog_key",
        "scope",
        "region",
        "apply_mode",
        "invalid_rows",
        "rights",
        "origin",
        "actor_id",
        "actor_label",
        "created_at",
        "expires_at",
        "ended_at",
    )
    readonly_fields = ("standing",)
    actions = ("end",)

    @admin.display(description="Status")
    def standing(self, session: PageSession) -> str:
        """Return whether the token is accepted."""
        if session.ended_at is not None:
            return tag("ended")
        if session.license.revoked_at is not None:
            return tag("license revoked", bad={"license revoked"})
        return tag("ended") if session.expires_at <= clock.now() else tag("open", good={"open"})

    @admin.action(description="End: their tokens are not accepted any more", permissions=["act"])
    def end(self, request: HttpRequest, rows: "QuerySet[PageSession]") -> None:
        """End the selected sessions."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda session: end_session(session=session, actor=by, at=clock.now()),
            "Ended",
        )
