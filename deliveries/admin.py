"""The audit log of deliveries, and the registrations they go to. Nothing is edited here."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from deliveries.models import Attempt, Delivery, Registration

if TYPE_CHECKING:
    OfRegistration = admin.ModelAdmin[Registration]
    OfDelivery = admin.ModelAdmin[Delivery]
    AttemptRows = admin.TabularInline[Attempt, Delivery]
else:
    OfRegistration = OfDelivery = admin.ModelAdmin
    AttemptRows = admin.TabularInline


class ReadOnly:
    """Shows rows that only the engine writes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows come from the API and from applied imports."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An audit log is not edited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An audit log is not shortened."""
        return False


class IsFailing(admin.SimpleListFilter):
    """Registrations whose last attempt failed."""

    title = "failing"
    parameter_name = "failing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Give the choices."""
        return [("yes", "Failing"), ("no", "Not failing")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Registration]
    ) -> QuerySet[Registration]:
        """Narrow to the choice."""
        match self.value():
            case "yes":
                return queryset.filter(consecutive_failures__gt=0)
            case "no":
                return queryset.filter(consecutive_failures=0)
        return queryset


@admin.register(Registration)
class RegistrationAdmin(ReadOnly, OfRegistration):
    """Where deliveries go; the signing secrets are not shown."""

    list_display = ("public_id", "tenant", "url", "failing", "failing_since", "deleted_at")
    list_filter = (IsFailing, ("deleted_at", admin.EmptyFieldListFilter), "tenant")
    list_select_related = ("tenant",)
    search_fields = ("public_id", "url", "tenant__public_id")
    ordering = ("-public_id",)
    exclude = ("secret", "previous_secret")

    @admin.display(boolean=True, description="Works")
    def failing(self, registration: Registration) -> bool:
        """Whether the last attempt succeeded."""
        return not registration.is_failing


class AttemptInline(ReadOnly, AttemptRows):
    """Every POST of the delivery."""

    model = Attempt
    extra = 0
    fields = ("number", "started_at", "http_status", "error_class", "latency_ms", "response_head")


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, OfDelivery):
    """Every delivery and its attempts."""

    list_display = (
        "public_id",
        "tenant",
        "state",
        "attempts",
        "last_status",
        "record_id",
        "row_count",
        "created_at",
        "next_attempt",
    )
    list_filter = ("state", "action", "is_test", "created_at", "tenant")
    list_select_related = ("tenant", "registration")
    search_fields = ("public_id", "record_id", "changeset_id", "registration__public_id")
    ordering = ("-public_id",)
    inlines: ClassVar[list[type[Any]]] = [AttemptInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        """Read the attempts with the deliveries."""
        return super().get_queryset(request).prefetch_related("history")

    @admin.display(description="Last answer")
    def last_status(self, delivery: Delivery) -> str:
        """Give the status of the last attempt, or what prevented one."""
        attempts = list(delivery.history.all())
        return str(attempts[-1].http_status or attempts[-1].error_class) if attempts else ""

    @admin.display(description="Next attempt", ordering="due_at")
    def next_attempt(self, delivery: Delivery) -> datetime | None:
        """Give the moment of the next attempt."""
        return delivery.due_at
