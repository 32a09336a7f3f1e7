"""View and revoke links; their addresses, codes and the host's data are not shown."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common import clock
from licensing.selectors import actor_of
from licensing.staff_pages import OfTenant, TenantRowsAdmin, found_in, moves_of, one_of, tag
from links.models import Link
from links.selectors import events_of, imports_of
from links.services import revoke_link
from links.standing import state_of

MOST_IMPORTS = 100


class IsOver(admin.SimpleListFilter):
    """Links that opened, open or do so no more."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        """Return the choices."""
        return [(state.value, str(state.label)) for state in Link.State]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Link]") -> "QuerySet[Link]":
        """Return the links of the choice."""
        in_time = Q(expires_at__gt=clock.now())
        match self.value():
            case Link.State.OPEN | Link.State.USED as state:
                return queryset.filter(in_time, state=state)
            case Link.State.REVOKED as state:
                return queryset.filter(state=state)
            case Link.State.EXPIRED as state:
                return queryset.filter(~in_time | Q(state=state)).exclude(state=Link.State.REVOKED)
        return queryset


@admin.register(Link)
class LinkAdmin(TenantRowsAdmin):
    """Each link, who it is for, and what came of it."""

    unread = ("token_sha256", "code_hash", "terms", "logo")
    list_display = (
        "public_id",
        "tenant",
        "standing",
        "kind",
        "catalog_key",
        "scope",
        "created_at",
        "expires_at",
    )
    list_filter = (
        IsOver,
        one_of("kind", "kind", Link.Kind.choices),
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
        "kind",
        "catalog_key",
        "scope",
        "corrected",
        "most_imports",
        "code_tries",
        "created_at",
        "expires_at",
        "ended_at",
        "locked_at",
        "imports",
        "happened",
        "moves",
    )
    readonly_fields = ("standing", "corrected", "imports", "happened", "moves")
    actions = ("revoke",)

    @admin.display(description="State")
    def standing(self, link: Link) -> str:
        """Return whether the address opens."""
        state = state_of(link, at=clock.now())
        if link.locked_at is not None and state == Link.State.OPEN:
            return tag("locked", bad={"locked"})
        return tag(state, good={Link.State.OPEN, Link.State.USED})

    @admin.display(description="Corrects")
    def corrected(self, link: Link) -> SafeString | str:
        """Return the import whose rows with errors its page corrects."""
        if link.corrects is None:
            return "None: it starts imports"
        return found_in("imports_importrecord", link.corrects.public_id)

    @admin.display(description="Imports")
    def imports(self, link: Link) -> SafeString | str:
        """Return the imports that were started from it, newest first."""
        records = imports_of(link)[:MOST_IMPORTS]
        lines = [
            (found_in("imports_importrecord", record.public_id), record.state) for record in records
        ]
        listed = format_html_join("", "<li>{} {}</li>", lines)
        return format_html('<ol class="moves">{}</ol>', listed) if lines else "None"

    @admin.display(description="Events")
    def happened(self, link: Link) -> SafeString | str:
        """Return what the audit log says of it, newest first."""
        lines = [(clock.iso(event.at), event.kind) for event in events_of(link)]
        listed = format_html_join("", "<li><code>{}</code> {}</li>", lines)
        return format_html('<ol class="moves">{}</ol>', listed) if lines else "None"

    @admin.display(description="History")
    def moves(self, link: Link) -> SafeString | str:
        """Return its state transitions, newest first."""
        return moves_of(link)

    @admin.action(description="Revoke: their pages open no more", permissions=["act"])
    def revoke(self, request: HttpRequest, rows: "QuerySet[Link]") -> None:
        """Revoke the selected links."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda link: revoke_link(link=link, actor=by, at=clock.now()),
            "Revoked",
        )
