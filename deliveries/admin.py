"""The audit log of deliveries, and their registrations; rows change by actions only."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import CharField, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat, Left, StrIndex
from django.http import HttpRequest
from django.utils.safestring import SafeString

from common import clock
from deliveries import services
from deliveries.models import Attempt, Delivery, Registration
from licensing.selectors import actor_of
from licensing.staff_pages import (
    LookedAt,
    OfTenant,
    TenantRowsAdmin,
    found_in,
    moves_of,
    one_of,
    tag,
)

if TYPE_CHECKING:
    AttemptRows = admin.TabularInline[Attempt, Delivery]
else:
    AttemptRows = admin.TabularInline

State = Delivery.State
GOOD, BAD = {State.DELIVERED}, {State.REJECTED, State.EXHAUSTED}
MARK = Value("?")


class IsFailing(admin.SimpleListFilter):
    """Registrations whose last attempt failed."""

    title = "failing"
    parameter_name = "failing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the choices."""
        return [("yes", "Failing"), ("no", "Not failing")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Registration]
    ) -> QuerySet[Registration]:
        """Return the registrations of the choice."""
        match self.value():
            case "yes":
                return queryset.filter(consecutive_failures__gt=0)
            case "no":
                return queryset.filter(consecutive_failures=0)
        return queryset


@admin.register(Registration)
class RegistrationAdmin(TenantRowsAdmin):
    """Where deliveries go; signing secrets and the query of a URL are hidden."""

    unread = ("secret", "previous_secret", "url_key")
    list_display = (
        "public_id",
        "label",
        "tenant",
        "address",
        "works",
        "takes",
        "failing_since",
        "deleted_at",
    )
    list_filter = (IsFailing, ("deleted_at", admin.EmptyFieldListFilter), OfTenant)
    list_select_related = ("tenant",)
    search_fields = ("public_id", "label", "address", "tenant__public_id", "tenant__label")
    ordering = ("-public_id",)
    fields = (
        "public_id",
        "label",
        "tenant",
        "address",
        "works",
        "takes",
        "catalogs",
        "max_rows_per_delivery",
        "nested",
        "failing_since",
        "consecutive_failures",
        "previous_until",
        "created_at",
        "deleted_at",
    )
    readonly_fields = ("address", "works", "takes", "catalogs")
    actions = ("send_test", "take_away")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the queryset with URLs without their query, which may contain a secret."""
        before = StrIndex(Concat(F("url"), MARK), MARK) - 1
        rows = super().get_queryset(request)
        shown: QuerySet[Any] = rows.annotate(address=Left("url", before))
        return shown

    @admin.display(description="URL", ordering="address")
    def address(self, registration: Any) -> str:
        """Return the url without its query."""
        return str(registration.address)

    @admin.display(boolean=True, description="Healthy")
    def works(self, registration: Registration) -> bool:
        """Return whether the last attempt succeeded."""
        return not registration.is_failing

    @admin.display(description="Actions")
    def takes(self, registration: Registration) -> str:
        """Return the actions it accepts, and the notices it asks for."""
        return ", ".join([*registration.actions, *registration.events])

    @admin.display(description="Catalogs")
    def catalogs(self, registration: Registration) -> str:
        """Return the catalogs whose imports are sent to it."""
        return "any" if registration.catalog_keys is None else ", ".join(registration.catalog_keys)

    @admin.action(description="Send a test delivery, without rows", permissions=["act"])
    def send_test(self, request: HttpRequest, rows: "QuerySet[Registration]") -> None:
        """Send a test delivery to each selected registration that is not deleted."""
        there = rows.filter(deleted_at=None)
        self.carry_out(
            request,
            there,
            lambda registration: services.send_test(registration=registration, at=clock.now()),
            "Queued a test delivery for",
        )

    @admin.action(description="Delete, and cancel waiting deliveries", permissions=["act"])
    def take_away(self, request: HttpRequest, rows: "QuerySet[Registration]") -> None:
        """Delete the selected registrations; the audit log remains."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows.filter(deleted_at=None),
            lambda registration: services.delete_registration(
                registration=registration, actor=by, at=clock.now()
            ),
            "Deleted",
        )


class AttemptInline(LookedAt, AttemptRows):
    """Every POST of the delivery; the beginning of the answer is shown as the host sent it."""

    model = Attempt
    extra = 0
    fields = (
        "number",
        "started_at",
        "sent_to",
        "http_status",
        "error_class",
        "latency_ms",
        "response_head",
    )


@admin.register(Delivery)
class DeliveryAdmin(TenantRowsAdmin):
    """Every delivery and its attempts; hosts' reports about rows are hidden, as they have cells."""

    unread = ("host_results", "body_head")
    list_display = (
        "public_id",
        "tenant",
        "standing",
        "attempts",
        "last_answer",
        "of_import",
        "action",
        "row_count",
        "created_at",
        "next_attempt",
    )
    list_filter = (
        one_of("state", "state", State.choices),
        "is_test",
        ("created_at", admin.DateFieldListFilter),
        OfTenant,
    )
    search_fields = (
        "public_id",
        "record_id",
        "changeset_id",
        "registration__public_id",
        "tenant__public_id",
    )
    ordering = ("-public_id",)
    fields = (
        "public_id",
        "tenant",
        "registration_id_shown",
        "standing",
        "of_import",
        "of_changeset",
        "action",
        "is_test",
        "row_count",
        "body_size",
        "body_sha256",
        "attempts",
        "next_attempt",
        "created_at",
        "settled_at",
        "hint",
        "host_results_note",
        "moves",
    )
    readonly_fields = (
        "standing", "registration_id_shown", "of_import", "of_changeset", "next_attempt", "moves",
    )  # fmt: skip
    inlines: ClassVar[list[type[Any]]] = [AttemptInline]
    actions = ("redeliver", "redeliver_reverted")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the queryset with the last answer of each delivery."""
        last = Attempt.objects.filter(delivery=OuterRef("pk")).order_by("-number")
        answer = Coalesce(Cast("http_status", CharField()), "error_class")
        rows = super().get_queryset(request)
        rows = rows.select_related("tenant", "registration")
        rows = rows.defer("registration__secret", "registration__previous_secret")
        shown: QuerySet[Any] = rows.annotate(
            last_answer_text=Subquery(last.values_list(answer)[:1])
        )
        return shown

    @admin.display(description="State", ordering="state")
    def standing(self, delivery: Delivery) -> SafeString:
        """Return the state, and whether a receiver did not take what is tried again."""
        if delivery.attempts > 0 and delivery.state in {State.PENDING, State.SENDING}:
            failing = f"{delivery.state}, not delivered"
            return tag(failing, bad={failing})
        return tag(delivery.state, good=GOOD, bad=BAD)

    @admin.display(description="Import", ordering="record_id")
    def of_import(self, delivery: Delivery) -> SafeString | str:
        """Return the import whose rows it has."""
        return found_in("imports_importrecord", delivery.record_id)

    @admin.display(description="Changeset")
    def of_changeset(self, delivery: Delivery) -> SafeString | str:
        """Return the apply that made it."""
        return found_in("changesets_changeset", delivery.changeset_id)

    @admin.display(description="Last answer")
    def last_answer(self, delivery: Any) -> str:
        """Return the status of the last attempt, or what prevented one."""
        return delivery.last_answer_text or ""

    @admin.display(description="Registration")
    def registration_id_shown(self, delivery: Delivery) -> str:
        """Return its registration, without the query of the URL."""
        to = delivery.registration
        return f"{to.public_id} {to.url.partition('?')[0]}"

    @admin.display(description="Next attempt", ordering="due_at")
    def next_attempt(self, delivery: Delivery) -> datetime | None:
        """Return the moment of the next attempt."""
        return delivery.due_at

    @admin.display(description="History")
    def moves(self, delivery: Delivery) -> SafeString | str:
        """Return the state transitions."""
        return moves_of(delivery)

    @admin.action(description="Redeliver: same id, same bytes", permissions=["act"])
    def redeliver(self, request: HttpRequest, rows: "QuerySet[Delivery]") -> None:
        """Send the selected deliveries again; reverted rows are refused."""
        self._send_again(request, rows, send_reverted=False)

    @admin.action(
        description="Redeliver, even if reverted: same id, same bytes", permissions=["act"]
    )
    def redeliver_reverted(self, request: HttpRequest, rows: "QuerySet[Delivery]") -> None:
        """Send the selected deliveries again, including reverted rows."""
        self._send_again(request, rows, send_reverted=True)

    def _send_again(
        self, request: HttpRequest, rows: "QuerySet[Delivery]", *, send_reverted: bool
    ) -> None:
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda delivery: services.redeliver(
                delivery=delivery, actor=by, at=clock.now(), send_reverted=send_reverted
            ),
            "Queued again:",
        )
