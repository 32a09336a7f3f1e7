"""The audit list of every tenant: who did what. Nothing in it is changed."""

import json

from django.contrib import admin
from django.http import HttpRequest

from common.actors import name_of
from common.events import KINDS
from common.models import Event
from licensing.staff_pages import OfTenant, TenantRowsAdmin, one_of


@admin.register(Event)
class EventAdmin(TenantRowsAdmin):
    """Lines of the audit list; they name things and hold no cell values."""

    to_tenant, tenant_key = "tenant", "public_id"
    list_display = ("at", "tenant", "kind", "subject", "record", "by", "rule")
    list_display_links = ("at", "kind")
    list_filter = (
        one_of("kind", "kind", [(one, one) for one in KINDS]),
        ("at", admin.DateFieldListFilter),
        OfTenant,
    )
    search_fields = (
        "public_id__exact",
        "tenant__exact",
        "subject__startswith",
        "record__startswith",
        "actor_label",
    )
    ordering = ("-public_id",)
    fields = ("public_id", "at", "tenant", "kind", "subject", "record", "by", "rule", "told")
    readonly_fields = ("by", "told")

    @admin.display(description="By")
    def by(self, event: Event) -> str:
        """Name who it was."""
        return f"{name_of(event.actor)} ({event.actor_kind})"

    @admin.display(description="About")
    def told(self, event: Event) -> str:
        """Give what else is told."""
        return json.dumps(event.about, ensure_ascii=False) if event.about else "-"

    def may_change(self, request: HttpRequest) -> bool:
        """Nobody changes the list."""
        return False
