"""
The common base of admin pages with tenants' rows. docs/admin.md.

A group defines what a user may do there, a membership for which tenant; a superuser may do all of
it for every tenant. Rows are read-only except for actions, which call the services.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common import clock
from common.actors import name_of
from common.errors import ServiceError
from common.models import Move
from licensing.models import TEST_SUFFIX, Tenant
from licensing.selectors import tenants_of, tenants_to_act_for
from tabular.model.sentences import counted

if TYPE_CHECKING:
    OfAny = admin.ModelAdmin[Any]
else:
    OfAny = admin.ModelAdmin

MOST_TENANTS = 50  # in the list of a filter
MOST_MOVES = 100


class LookedAt:
    """A mixin for rows that only the engine writes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: the engine adds them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: history is not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: history is not deleted here."""
        return False


class TenantRowsAdmin(LookedAt, OfAny):
    """Lists the rows of the user's tenants; shows ``fields`` and nothing else."""

    to_tenant: ClassVar[str] = "tenant"  # the lookup from a row to its tenant
    tenant_key: ClassVar[str] = "pk"  # public_id, if rows name their tenant that way
    unread: ClassVar[tuple[str, ...]] = ()  # columns that no page shows: wide ones, and secrets
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    view_on_site = False

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Return the columns; that of a tenant marks what test keys made."""
        columns = list(super().get_list_display(request))
        if self.to_tenant != "tenant":  # the page has a column of its own
            return columns
        return ["whose" if column == "tenant" else column for column in columns]

    def get_list_select_related(self, request: HttpRequest) -> Any:
        """Read the tenants with their rows; Django does so only for columns that are fields."""
        related = super().get_list_select_related(request)
        is_column = self.to_tenant == "tenant" and self.tenant_key == "pk"
        if not related and is_column and "tenant" in self.list_display:
            return ["tenant"]
        return related

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Return the filters, with live and test rows wherever tenants are told apart."""
        filters = list(super().get_list_filter(request))
        return [*filters, OfKeys] if OfTenant in filters else filters

    @admin.display(description="Tenant", ordering="tenant")
    def whose(self, row: Any) -> SafeString | str:
        """Return the tenant of a row, with a badge if a test key made it."""
        tenant: Tenant | str = row.tenant
        if isinstance(tenant, str):  # rows that name it by its id
            is_test, name = tenant.endswith(TEST_SUFFIX), tenant.removesuffix(TEST_SUFFIX)
        else:
            is_test, name = tenant.is_test, tenant.label or tenant.host_id
        return format_html("{} {}", name, tag("test")) if is_test else name

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the rows of the user's tenants."""
        rows = super().get_queryset(request).defer(*self.unread)
        if request.user.is_superuser:
            return rows
        mine = tenants_of(request.user).values(self.tenant_key)
        return rows.filter(**{f"{self.to_tenant}__in": mine})

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only the filters' lookups in a URL; others could be used to guess hidden values."""
        return any(_is_asked_by(item, lookup) for item in self.get_list_filter(request))

    def may_change(self, request: HttpRequest) -> bool:
        """Return whether the user's groups let them act on such rows."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Return whether ``permissions=["act"]`` of an action is fulfilled."""
        return self.may_change(request)

    def carry_out(
        self,
        request: HttpRequest,
        rows: "QuerySet[Any]",
        act: Callable[[Any], Any],
        done: str,
    ) -> None:
        """
        Act on each row of a tenant that the user may act for, and report the result.

        done: what was done, as written before a count. A viewer's rows are skipped and reported.
        """
        chosen = list(rows if request.user.is_superuser else self._to_act_on(request, rows))
        left = rows.count() - len(chosen)
        refused: dict[str, str] = {}
        carried_out = 0
        for row in chosen:
            name = getattr(row, "public_id", str(row))
            try:
                carried_out += act(row) is not False
            except ServiceError as error:
                refused[name] = error.sentence
        noun = (str(self.opts.verbose_name), str(self.opts.verbose_name_plural))
        if carried_out:
            self.message_user(request, f"{done} {counted(carried_out, *noun)}.")
        for name, sentence in refused.items():
            self.message_user(request, f"Not done for {name}: {sentence}", messages.ERROR)
        if left:
            message = f"{counted(left, *noun)} unchanged: your role for this tenant is read-only."
            self.message_user(request, message, messages.WARNING)

    def _to_act_on(self, request: HttpRequest, rows: "QuerySet[Any]") -> "QuerySet[Any]":
        theirs = tenants_to_act_for(request.user).values(self.tenant_key)
        return rows.filter(**{f"{self.to_tenant}__in": theirs})


def _is_asked_by(list_filter: Any, lookup: str) -> bool:
    """Return whether a filter uses this lookup in a URL: its own name, or a column in some way."""
    if isinstance(list_filter, str | tuple):
        return lookup.split("__")[0] == (
            list_filter if isinstance(list_filter, str) else list_filter[0]
        )
    return bool(lookup == list_filter.parameter_name)  # otherwise a name could lead to other tables


class OfTenant(admin.SimpleListFilter):
    """A filter for the rows of one tenant; shown to users who see several."""

    title = "tenant"
    parameter_name = "tenant"

    def __init__(
        self, request: HttpRequest, params: Any, model: type[Model], model_admin: TenantRowsAdmin
    ) -> None:
        super().__init__(request, params, model, model_admin)
        self._way, self._key = model_admin.to_tenant, model_admin.tenant_key
        self._mine = tenants_of(request.user)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the first tenants by name; the search finds the others."""
        mine = list(tenants_of(request.user).order_by("label", "public_id")[:MOST_TENANTS])
        return [(tenant.public_id, str(tenant)) for tenant in mine] if len(mine) > 1 else []

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        """Return the rows of the chosen tenant."""
        if (wanted := self.value()) is None:
            return queryset
        chosen = self._mine.filter(public_id=wanted).values(self._key)
        return queryset.filter(**{f"{self._way}__in": chosen})


class OfKeys(admin.SimpleListFilter):
    """A filter for what live keys or test keys made; shown where there are test keys."""

    title = parameter_name = "keys"

    def __init__(
        self, request: HttpRequest, params: Any, model: type[Model], model_admin: TenantRowsAdmin
    ) -> None:
        super().__init__(request, params, model, model_admin)
        self._way, self._key = model_admin.to_tenant, model_admin.tenant_key

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return both kinds."""
        is_there = tenants_of(request.user).filter(test_of__isnull=False).exists()
        return [("live", "Live"), ("test", "Test")] if is_there else []

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        """Return the rows of one kind."""
        if (wanted := self.value()) is None:
            return queryset
        chosen = Tenant.objects.filter(test_of__isnull=wanted != "test").values(self._key)
        return queryset.filter(**{f"{self._way}__in": chosen})


def one_of(title: str, name: str, choices: Iterable[tuple[str, str]]) -> type[Any]:
    """Return a filter by a column of few known values; it makes no query."""
    offered = [(value, str(label)) for value, label in choices]

    class OneOf(admin.SimpleListFilter):
        """A filter for the rows with one value."""

        parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            """Return the values."""
            return offered

        def queryset(self, request: HttpRequest, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
            """Return the rows with the chosen value."""
            wanted = self.value()
            return queryset if wanted is None else queryset.filter(**{name: wanted})

    OneOf.title = title
    return OneOf


def who(actor: Mapping[str, str] | None) -> str:
    """
    Return the name of an actor as stored in a history row.

    >>> who({"kind": "person", "id": "user:1", "label": "Ada"})
    'Ada (person)'
    >>> who({"kind": "system", "id": "lic_01j8zq7fq2", "label": ""})
    'Key …7fq2 (system)'
    """
    if not actor:
        return "-"
    return f"{name_of(actor)} ({actor.get('kind', '')})"


def tag(text: str, *, good: Collection[str] = (), bad: Collection[str] = ()) -> SafeString:
    """Return a state as a coloured label."""
    kind = "ok" if text in good else "error" if text in bad else "plain"
    return format_html('<span class="tag {}">{}</span>', kind, text)


def found_in(model: str, public_id: str, text: str = "") -> SafeString | str:
    """Return a link to the row of another list, by its id. model: ``app_model``."""
    if not public_id:
        return text or "-"
    address = reverse(f"admin:{model}_changelist", query={"q": public_id})
    return format_html('<a href="{}">{}</a>', address, text or public_id)


def moves_of(row: Model) -> SafeString | str:
    """Return the state transitions of a row, newest first."""
    order = Move.objects.filter(subject=getattr(row, "public_id", "")).order_by("-version")
    lines = [
        (clock.iso(move.at), move.from_state, move.to_state, who(move.actor), move.reason)
        for move in order[:MOST_MOVES]
    ]
    if not lines:
        return "No history"
    listed = format_html_join("", "<li><code>{}</code> {} → {}, {} {}</li>", lines)
    return format_html('<ol class="moves">{}</ol>', listed)
