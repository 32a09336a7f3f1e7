"""The audit log of every tenant: who did what. It is read-only."""

import json

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString

from common.actors import name_of
from common.events import KINDS
from common.models import Event
from licensing.staff_pages import OfTenant, TenantRowsAdmin, found_in, one_of


@admin.register(Event)
class EventAdmin(TenantRowsAdmin):
    """Entries of the audit log; they name objects and contain no cell values."""

    to_tenant, tenant_key = "tenant", "public_id"
    list_display = ("at", "tenant", "kind", "subject", "record", "by", "rule")
    list_display_links = ("at", "kind")
    list_filter = (
        one_of("kind", "kind", [(kind, kind) for kind in KINDS]),
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
    fields = ("public_id", "at", "tenant", "kind", "subject", "of_import", "by", "rule", "details")
    readonly_fields = ("of_import", "by", "details")

    @admin.display(description="By")
    def by(self, event: Event) -> str:
        """Return who did it."""
        return f"{name_of(event.actor)} ({event.actor_kind})"

    @admin.display(description="Import")
    def of_import(self, event: Event) -> SafeString | str:
        """Return the import that it is about."""
        return found_in("imports_importrecord", event.record)

    @admin.display(description="About")
    def details(self, event: Event) -> str:
        """Return the other details."""
        return json.dumps(event.about, ensure_ascii=False) if event.about else "-"

    def may_change(self, request: HttpRequest) -> bool:
        """Return False: the log is read-only."""
        return False
