"""Sessions of pages on the wire."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from common import clock
from imports.customization import region_fault
from imports.page_policy import PAGE
from licensing.models import PageSession
from licensing.rights.model import INVALID_ROWS, RIGHTS
from licensing.tokens.keys import ORIGIN
from schemas.modes import ModeField
from schemas.moments import MomentField
from schemas.shapes.changesets import APPLY_MODES
from schemas.shapes.context import CustomerIn, OverlayOut
from schemas.shapes.strict import ListIn, Meta, StrictIn

# As people write an origin: with capitals, or a stroke at its end.
SAID_ORIGIN = f"^{ORIGIN.pattern.replace('a-z', 'A-Za-z').replace('a-f', 'A-Fa-f')}/?$"


class HostMeta(Meta):
    """What the host says of imports; ``page`` is reserved for what a browser says."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse the member that marks what a browser said."""
        read = super().to_internal_value(data)
        if PAGE in read:
            raise serializers.ValidationError({PAGE: ["{member} is reserved for the page itself."]})
        return read


class PersonIn(StrictIn):
    """Who uses the page, as the host knows them; named in the history of their imports."""

    id = serializers.CharField(required=False, max_length=120)
    label = serializers.CharField(required=False, max_length=120)  # type: ignore[assignment]  # the wire's name for it


class SessionIn(CustomerIn):
    """What a host lets one page do; every member may be left out."""

    scope = serializers.CharField(
        required=False,
        max_length=200,
        trim_whitespace=False,
        help_text="One customer of the host. The page reaches the imports of this scope, and "
        "what is remembered is remembered for it. Without one, the page reaches what it made.",
    )
    meta = HostMeta(
        required=False,
        allow_null=True,
        help_text="Delivered with each import; what the page adds is separate, in `meta.page`. "
        "At most 16 KiB of JSON.",
    )
    catalogKey = serializers.CharField(
        required=False,
        max_length=200,
        trim_whitespace=False,
        help_text="The only catalog of this page; absent: any that is published.",
    )
    region = serializers.CharField(
        required=False,
        max_length=2,
        help_text="The country (ISO 3166) of phone numbers without a country code, such as CH. The "
        "`context.region` of an import counts more, the catalog's `region` less.",
    )
    keepUnmapped = serializers.BooleanField(
        required=False,
        help_text="Whether unmapped columns are delivered, too; absent: as each import asks.",
    )
    applyMode = serializers.ChoiceField(choices=APPLY_MODES, default="webhook")
    invalidRows = ListIn(
        child=serializers.ChoiceField(choices=INVALID_ROWS),
        default=list(INVALID_ROWS),
        max_length=len(INVALID_ROWS),
        help_text="What the page may do to rows with errors: change rows (fix), leave rows out "
        "(exclude), send them anyway (include). Empty: nothing, the file must be right.",
    )
    rights = ListIn(
        child=serializers.ChoiceField(choices=list(RIGHTS)),
        default=list,
        max_length=len(RIGHTS),
        help_text="What else the page may do, by name; absent: nothing. "
        + " ".join(f"{name}: {what}." for name, what in RIGHTS.items()),
    )
    origin = serializers.RegexField(
        SAID_ORIGIN,
        required=False,
        max_length=220,
        error_messages={
            "invalid": (
                "Write an origin as scheme, host and optional port: https://app.example.com."
            )
        },
        help_text="The origin of the page, such as https://app.example.com; absent: any.",
    )
    actor = PersonIn(required=False)
    expiresAt = serializers.DateTimeField(
        required=False,
        help_text="When it ends: an hour from now, a day at most, never after the license.",
    )

    def validate_region(self, code: str) -> str:
        """Refuse what is not a country code with telephone numbers."""
        if fault := region_fault(code):
            raise serializers.ValidationError(str(fault))
        return code

    def validate_origin(self, text: str) -> str:
        """Spell an origin as a browser sends it."""
        return text.lower().removesuffix("/")


class ActingOut(serializers.Serializer[Any]):
    """Who uses the page."""

    id = serializers.CharField(source="actor_id", allow_blank=True)
    label = serializers.CharField(source="actor_label", allow_blank=True)  # type: ignore[assignment]


class SessionOut(serializers.Serializer[Any]):
    """One session; its token is never part of it."""

    id = serializers.CharField(source="public_id")
    state = serializers.SerializerMethodField(help_text="open or ended.")
    mode = ModeField()
    scope = serializers.CharField(allow_blank=True)
    meta = serializers.JSONField(allow_null=True)
    catalogKey = serializers.SerializerMethodField()
    catalogVersion = serializers.IntegerField(
        source="catalog_number",
        allow_null=True,
        help_text="The version that the overlay was checked against, and that imports of the "
        "session use; null without an overlay: the published one.",
    )
    region = serializers.SerializerMethodField()
    context = serializers.JSONField(
        allow_null=True, help_text="What every import of the session is sent with."
    )  # type: ignore[assignment]  # the wire's name for it
    overlay = OverlayOut(allow_null=True)
    keepUnmapped = serializers.BooleanField(source="keep_unmapped", allow_null=True)
    applyMode = serializers.ChoiceField(source="apply_mode", choices=APPLY_MODES)
    invalidRows = serializers.ListField(
        source="invalid_rows", child=serializers.ChoiceField(choices=INVALID_ROWS)
    )
    rights = serializers.ListField(child=serializers.ChoiceField(choices=list(RIGHTS)))
    origin = serializers.SerializerMethodField()
    actor = ActingOut(source="*")
    createdAt = MomentField(source="created_at")
    expiresAt = MomentField(source="expires_at")
    endedAt = MomentField(source="ended_at", allow_null=True)

    def get_state(self, session: PageSession) -> str:
        """Return whether the session lets its token be accepted."""
        now: datetime = clock.now()
        return "open" if session.ended_at is None and session.expires_at > now else "ended"

    def get_catalogKey(self, session: PageSession) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Name the catalog, where one is settled."""
        return session.catalog_key or None

    def get_region(self, session: PageSession) -> str | None:
        """Name the region, where one is settled."""
        return session.region or None

    def get_origin(self, session: PageSession) -> str | None:
        """Name the origin, where one is settled."""
        return session.origin or None


class OpenedSessionOut(SessionOut):
    """A new session, and its token."""

    token = serializers.CharField(
        required=False,
        help_text="`imp_ses_...`, shown once, here: what `fetchKey` of the element gives. Absent "
        "when an Idempotency-Key replays the answer.",
    )
