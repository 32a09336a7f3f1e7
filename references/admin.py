"""Known entities per tenant and scope: counts, search by key, and forgetting them."""

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import Count, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from common import clock
from licensing.selectors import actor_of
from licensing.staff_pages import OfTenant, TenantRowsAdmin
from references import services
from references.models import KnownEntity, KnownSet, ValueList
from references.value_lists import services as value_lists

SHOWN_ROWS = 20  # of a value list


class ConfirmForm(ActionForm):
    """Adds a confirmation to the action."""

    confirmed = forms.BooleanField(required=False, label="Yes, delete them permanently")


class ForgettingAdmin(TenantRowsAdmin):
    """An admin page whose rows, like known entities, can be deleted after a confirmation."""

    action_form = ConfirmForm
    actions = ("forget",)

    @admin.action(description="Delete: later imports do not know them", permissions=["act"])
    def forget(self, request: HttpRequest, rows: "QuerySet[Any]") -> None:
        """Forget the entities of the selected rows, but only if confirmed."""
        if "confirmed" not in request.POST:
            sentence = "Nothing was deleted. Tick the box next to the action to confirm."
            self.message_user(request, sentence, messages.ERROR)
            return
        self.carry_out(request, rows, lambda row: self.forget_one(request, row), "Deleted:")

    def forget_one(self, request: HttpRequest, row: Any) -> object:
        """Forget the entities of a row."""
        raise NotImplementedError  # each page defines what it deletes


@admin.register(KnownSet)
class KnownSetAdmin(ForgettingAdmin):
    """The number of known entities per name and scope."""

    list_display = ("entity", "shown_scope", "tenant", "entities")
    list_filter = (OfTenant,)
    list_select_related = ("tenant",)
    search_fields = ("entity", "scope", "tenant__public_id", "tenant__label")
    ordering = ("tenant", "entity", "scope")
    unread = ("indexed",)
    fields = ("entity", "shown_scope", "tenant", "entities")
    readonly_fields = ("shown_scope", "entities")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the sets with their number of entities."""
        counted: QuerySet[Any] = super().get_queryset(request).annotate(count=Count("entities"))
        return counted

    @admin.display(description="Scope", ordering="scope")
    def shown_scope(self, known_set: KnownSet) -> str:
        """Return the scope; entities without one are known in all scopes."""
        return known_set.scope or "every scope"

    @admin.display(description="Entities", ordering="count")
    def entities(self, known_set: Any) -> int:
        """Return the number of entities."""
        return int(known_set.count)

    def forget_one(self, request: HttpRequest, row: KnownSet) -> object:
        """Forget every entity of the set."""
        return services.delete(
            tenant=row.tenant,
            scope=row.scope,
            entity=row.entity,
            refs=None,
            actor=actor_of(request.user),
            at=clock.now(),
        )


if TYPE_CHECKING:
    Found = tuple[QuerySet[KnownEntity], bool]


@admin.register(KnownEntity)
class KnownEntityAdmin(ForgettingAdmin):
    """Single entities by their ref; any of their values finds them, but values are not shown."""

    to_tenant = "known_set__tenant"
    list_display = ("ref", "entity", "shown_scope", "tenant", "changed_at")
    list_filter = (OfTenant,)
    list_select_related = ("known_set__tenant",)
    search_fields = ("ref",)
    ordering = ("pk",)
    unread = ("values",)
    fields = ("ref", "entity", "shown_scope", "tenant", "changed_at")
    readonly_fields = ("entity", "shown_scope", "tenant")

    def get_search_results(
        self, request: HttpRequest, queryset: "QuerySet[KnownEntity]", search_term: str
    ) -> "Found":
        """Return the entities with a ref, or with a whole value, equal to the search term."""
        if not search_term:
            return queryset, False
        term = search_term.strip()
        value = f": {json.dumps(term, ensure_ascii=False)}"  # as written in the JSON of the values
        meant = Q(ref=term) | Q(text__contains=value)
        for end in ",}":
            meant |= Q(text__contains=f": {term}{end}")  # a number
        return queryset.annotate(text=Cast("values", TextField())).filter(meant), False

    @admin.display(description="Entity", ordering="known_set__entity")
    def entity(self, known: KnownEntity) -> str:
        """Return the kind of the entity."""
        return known.known_set.entity

    @admin.display(description="Scope", ordering="known_set__scope")
    def shown_scope(self, known: KnownEntity) -> str:
        """Return the scope; entities without one are known in all scopes."""
        return known.known_set.scope or "every scope"

    @admin.display(description="Tenant", ordering="known_set__tenant")
    def tenant(self, known: KnownEntity) -> str:
        """Return the tenant."""
        return str(known.known_set.tenant)

    def forget_one(self, request: HttpRequest, row: KnownEntity) -> object:
        """Forget this entity."""
        return services.delete(
            tenant=row.known_set.tenant,
            scope=row.known_set.scope,
            entity=row.known_set.entity,
            refs=[row.ref],
            actor=actor_of(request.user),
            at=clock.now(),
        )


@admin.register(ValueList)
class ValueListAdmin(ForgettingAdmin):
    """Lists of two columns that lookups of recipes name, with their first rows."""

    list_display = ("key", "tenant", "row_count", "changed_at")
    list_filter = (OfTenant,)
    list_select_related = ("tenant", "version")
    search_fields = ("key", "tenant__public_id", "tenant__label")
    ordering = ("tenant", "key")
    fields = ("key", "tenant", "row_count", "digest", "changed_at", "first_rows")
    readonly_fields = ("row_count", "digest", "first_rows")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the lists; only the page of one reads its rows."""
        rows: QuerySet[Any] = super().get_queryset(request).defer("version__content")
        return rows

    @admin.display(description="Rows", ordering="version__row_count")
    def row_count(self, row: ValueList) -> int:
        """Return the number of rows."""
        return row.version.row_count

    @admin.display(description="Version (SHA-256)")
    def digest(self, row: ValueList) -> str:
        """Return the digest that recipes are pinned to."""
        return row.version.digest

    @admin.display(description="First rows")
    def first_rows(self, row: ValueList) -> SafeString:
        """Return the first keys with their values."""
        columns = row.version.columns
        pairs = list(zip(columns.keys[:SHOWN_ROWS], columns.values[:SHOWN_ROWS], strict=True))
        return format_html_join("", "<div>{} → {}</div>", pairs)

    @admin.action(description="Delete: no further import can use them", permissions=["act"])
    def forget(self, request: HttpRequest, rows: "QuerySet[Any]") -> None:
        """Delete the selected lists, but only if confirmed."""
        super().forget(request, rows)

    def forget_one(self, request: HttpRequest, row: ValueList) -> object:
        """Delete this list; imports keep the version they were made with."""
        value_lists.delete(
            tenant=row.tenant, key=row.key, actor=actor_of(request.user), at=clock.now()
        )
        return None
