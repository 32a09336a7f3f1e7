"""Read-only admin pages of changesets: what each apply froze, and its state."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from changesets import reversal, staged
from changesets.approval.persons import who_prepared
from changesets.models import Changeset
from common import clock
from licensing.selectors import actor_of
from licensing.staff_pages import OfTenant, TenantRowsAdmin, found_in, moves_of, one_of, tag, who

State = Changeset.State
AWAITS = {
    "approval": "Approval",
    "secondPerson": "Approval by a second person",
    "revert": "A second person to revert it",
}
UNREAD = {"changed_fields", "revert_notes", "request_key"}


@admin.register(Changeset)
class ChangesetAdmin(TenantRowsAdmin):
    """
    Applies; what waits is approved or rejected here.

    They are reverted in the widget or by the API, which show the consequences.
    """

    list_display = (
        "public_id",
        "tenant",
        "standing",
        "waits",
        "import_id",
        "imported",
        "apply_mode",
        "by",
        "occurred_at",
    )
    list_filter = (
        one_of("state", "state", State.choices),
        one_of("mode", "apply_mode", [("webhook", "Webhook"), ("browser", "Browser")]),
        ("occurred_at", admin.DateFieldListFilter),
        OfTenant,
    )
    search_fields = ("public_id", "record__public_id", "tenant__public_id", "tenant__label")
    ordering = ("-public_id",)
    fields = (
        "public_id", "tenant", "standing", "import_id", "revision", "apply_mode", "invalid_rows",
        "empty_cells", "only", "mode", "waits", "preparers", "counted", "deliveries", "by",
        "occurred_at", "acknowledged_at", "taken_back_by", "is_forced", "moves",
    )  # fmt: skip
    readonly_fields = (
        "standing", "import_id", "waits", "preparers", "counted", "deliveries", "by",
        "taken_back_by", "moves",
    )  # fmt: skip

    actions = ("approve", "reject")

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the queryset with only the id of the import, because its rows are wide."""
        own = (
            field.attname for field in Changeset._meta.concrete_fields if field.name not in UNREAD
        )
        named = ("tenant__public_id", "tenant__label", "tenant__test_of", "record__public_id")
        rows = super().get_queryset(request).select_related("tenant", "record")
        return rows.only(*own, *named)

    @admin.display(description="State", ordering="state")
    def standing(self, changeset: Changeset) -> SafeString:
        """Return the state."""
        return tag(changeset.state, good={State.APPLIED}, bad=())

    @admin.display(description="Import")
    def import_id(self, changeset: Changeset) -> SafeString | str:
        """Return the import."""
        return found_in("imports_importrecord", changeset.record.public_id)

    @admin.display(description="Waits for")
    def waits(self, changeset: Changeset) -> str:
        """Return what a person has to approve."""
        return AWAITS.get(changeset.awaits or "", "-")

    @admin.display(description="Prepared by")
    def preparers(self, changeset: Changeset) -> str:
        """Return who is not a second person."""
        return ", ".join(who(item) for item in who_prepared(changeset)) or "-"

    @admin.display(description="Rows")
    def imported(self, changeset: Changeset) -> str:
        """Return the number of imported rows, and what a full sync deletes."""
        deleted = changeset.counts.get("deleted")
        rows = str(changeset.counts.get("imported", "-"))
        return f"{rows}, deletes {deleted:,}" if deleted else rows

    @admin.display(description="Counts")
    def counted(self, changeset: Changeset) -> str:
        """Return the counts."""
        numbers = {name: n for name, n in changeset.counts.items() if isinstance(n, int)}
        return ", ".join(f"{name} {n:,}" for name, n in numbers.items()) or "-"

    @admin.display(description="Deliveries")
    def deliveries(self, changeset: Changeset) -> SafeString | str:
        """Return the deliveries."""
        ids = changeset.parts.values_list("delivery_id", flat=True)
        return (
            format_html_join(
                ", ", "{}", ((found_in("deliveries_delivery", public_id),) for public_id in ids)
            )
            or "-"
        )

    @admin.display(description="Applied by")
    def by(self, changeset: Changeset) -> str:
        """Return who applied it."""
        return who(changeset.applied_by)

    @admin.display(description="Reverted by")
    def taken_back_by(self, changeset: Changeset) -> str:
        """Return who reverted it."""
        return who(changeset.reverted_by)

    @admin.display(description="History")
    def moves(self, changeset: Changeset) -> SafeString | str:
        """Return the state transitions."""
        return moves_of(changeset)

    @admin.action(description="Approve: apply, or start the requested revert", permissions=["act"])
    def approve(self, request: HttpRequest, rows: "QuerySet[Changeset]") -> None:
        """Approve the selected changesets that wait; a second person is needed here, too."""
        by = actor_of(request.user)

        def act(row: Changeset) -> Changeset:
            changeset, at = _whole(row), clock.now()
            if changeset.awaits == "revert":
                return reversal.revert(
                    changeset=changeset, force=False, actor=by, is_page=False, at=at
                )
            return staged.apply_staged(changeset=changeset, actor=by, is_page=False, at=at)

        self.carry_out(request, rows, act, "Approved")

    @admin.action(description="Reject: back to review, or keep it applied", permissions=["act"])
    def reject(self, request: HttpRequest, rows: "QuerySet[Changeset]") -> None:
        """Discard the selected changesets that wait, and requests to revert one."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda row: staged.discard(changeset=_whole(row), actor=by, at=clock.now()),
            "Rejected",
        )


def _whole(row: Changeset) -> Changeset:
    """Return a row with every column, those of its import as well."""
    related = ("tenant", "record__tenant", "record__catalog_version__catalog")
    return Changeset.objects.select_related(*related).get(pk=row.pk)
