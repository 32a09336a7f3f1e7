"""Links on the wire: addresses where people without an account import a file."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common import clock
from imports.models import IMPORT_STATES
from licensing.logo import DATA_URI, LONGEST, is_logo
from licensing.rights.model import CONTEXT, DISMISS, INVALID_ROWS, RIGHTS
from links.colours import COLOUR
from links.models import Link
from links.selectors import events_of, imports_of
from links.services import MOST_IMPORTS
from links.standing import state_of
from links.terms import wanted_by
from schemas.modes import ModeField
from schemas.moments import MomentField
from schemas.shapes.context import OverlayOut
from schemas.shapes.events import AuditEventOut
from schemas.shapes.sessions import SessionIn
from schemas.shapes.strict import ListIn, StrictIn
from tabular.model.sentences import LANGUAGES

LINK_RIGHTS = (CONTEXT, DISMISS)  # a stranger reverts, cancels and deletes nothing
MOST_TEXT = 2_000  # characters


class LogoField(serializers.CharField):
    """A picture as a data URI; what could contain a script is refused."""

    def to_internal_value(self, data: Any) -> str:
        """Refuse another kind of picture, and one that is too large."""
        text = str(super().to_internal_value(data))
        if not is_logo(text):
            raise serializers.ValidationError(
                "{member} must be a PNG, JPEG or WebP of at most 64 KiB, as a data URI."
            )
        return text


class HostedPageIn(StrictIn):
    """What the page of a link shows besides the widget."""

    name = serializers.CharField(max_length=80, help_text="Who asks for the file: your company.")
    title = serializers.CharField(
        required=False, max_length=120, help_text="The heading; absent: one in the page's language."
    )
    text = serializers.CharField(
        required=False,
        max_length=MOST_TEXT,
        help_text="What the person should know. Plain text; empty lines separate paragraphs.",
    )
    logo = LogoField(
        required=False,
        max_length=LONGEST,
        help_text=f"A PNG, JPEG or WebP of at most 64 KiB, as a data URI: `{DATA_URI.pattern}`.",
    )
    accent = serializers.RegexField(
        f"^{COLOUR.pattern}$",
        required=False,
        error_messages={"invalid": "Write a colour as six small hexadecimal digits: #2457d6."},
        help_text="The colour of buttons, such as #2457d6; made darker or lighter where text on it "
        "could not be read.",
    )
    language = serializers.ChoiceField(
        choices=list(LANGUAGES),
        required=False,
        help_text="The language of the page; absent: that of the browser.",
    )


class HostedLinkIn(SessionIn):
    """A link: its page, how often it opens, and what a session of its page may do."""

    applyMode = None  # type: ignore[assignment]  # rows always go to the webhooks
    origin = None  # type: ignore[assignment]  # the page is the engine's own
    page = HostedPageIn()
    catalogKey = serializers.CharField(
        max_length=200, trim_whitespace=False, help_text="The catalog of the page."
    )
    rights = ListIn(
        child=serializers.ChoiceField(choices=list(LINK_RIGHTS)),
        default=list,
        max_length=len(LINK_RIGHTS),
        help_text="What else the page may do, by name; absent: nothing. "
        + " ".join(f"{name}: {RIGHTS[name]}." for name in LINK_RIGHTS),
    )
    kind = serializers.ChoiceField(
        choices=Link.Kind.choices,
        default="single",
        help_text="single: the first browser that opens it may use it. dated: any browser may, "
        "until it expires.",
    )
    maxImports = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=MOST_IMPORTS,
        help_text="How many imports may be started; cancelled and failed ones do not count.",
    )
    withCode = serializers.BooleanField(
        default=False,
        help_text="Whether a code of six digits is needed to open it, which the answer shows once. "
        "Only for a single link; after five wrong codes the link is locked.",
    )
    expiresAt = serializers.DateTimeField(
        required=False,
        help_text="When it expires: in 7 days, 90 at most, never after the license.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse a code for a link that several browsers open."""
        if given["withCode"] and given["kind"] != "single":
            raise serializers.ValidationError(
                {"withCode": ["{member} needs the kind single: a code opens a link once."]}
            )
        return super().validate(given)


class HostedPageOut(serializers.Serializer[Any]):
    """What the page of a link shows besides the widget; the logo is not repeated."""

    name = serializers.CharField()
    title = serializers.CharField(default=None, allow_null=True)
    text = serializers.CharField(default=None, allow_null=True)
    accent = serializers.CharField(default=None, allow_null=True)
    language = serializers.ChoiceField(choices=list(LANGUAGES), default=None, allow_null=True)


class LinkTermsOut(serializers.Serializer[Any]):
    """What sessions of the page may do, as it was checked when the link was created."""

    scope = serializers.CharField(allow_blank=True)
    meta = serializers.JSONField(allow_null=True, help_text="Deleted once the link is over.")
    catalogVersion = serializers.IntegerField(source="catalog_number", allow_null=True)
    region = serializers.CharField(allow_blank=True)
    context = serializers.JSONField(allow_null=True)  # type: ignore[assignment]  # the wire's name for it
    overlay = OverlayOut(allow_null=True)
    keepUnmapped = serializers.BooleanField(source="keep_unmapped", allow_null=True)
    invalidRows = serializers.SerializerMethodField(method_name="invalid_rows")
    rights = serializers.SerializerMethodField(method_name="named_rights")

    def invalid_rows(self, terms: Any) -> list[str]:
        """Return what the page may do to rows with errors."""
        return [name for name in INVALID_ROWS if name in terms.invalid_rows]

    def named_rights(self, terms: Any) -> list[str]:
        """Return what else the page may do."""
        return sorted(terms.rights)


class HostedLinkOut(serializers.Serializer[Any]):
    """One link; its address and its code are never part of it."""

    id = serializers.CharField(source="public_id")
    state = serializers.SerializerMethodField()
    mode = ModeField()
    kind = serializers.ChoiceField(choices=Link.Kind.choices)
    catalogKey = serializers.CharField(source="catalog_key")
    corrects = serializers.CharField(
        source="corrects.public_id",
        default=None,
        allow_null=True,
        help_text="The import whose rows with errors its page corrects; null: it starts imports.",
    )
    page = HostedPageOut()
    hasLogo = serializers.SerializerMethodField(method_name="has_logo")
    terms = serializers.SerializerMethodField()
    maxImports = serializers.IntegerField(source="most_imports")
    importsStarted = serializers.IntegerField(
        source="imports_made", help_text="Without cancelled and failed ones."
    )
    withCode = serializers.SerializerMethodField(method_name="with_code")
    isLocked = serializers.SerializerMethodField(
        method_name="is_locked", help_text="Too many wrong codes were typed; create another link."
    )
    createdAt = MomentField(source="created_at")
    expiresAt = MomentField(source="expires_at")
    endedAt = MomentField(source="ended_at", allow_null=True)

    @extend_schema_field(
        serializers.ChoiceField(
            choices=Link.State.choices,
            help_text="open: a browser may open it. used: only browsers that opened it may go on. "
            "expired, revoked: it is over.",
        )
    )
    def get_state(self, link: Link) -> str:
        """Return whether the link opens."""
        return state_of(link, at=clock.now())

    def has_logo(self, link: Link) -> bool:
        """Return whether the page shows a logo."""
        return bool(link.page.get("hasLogo"))

    @extend_schema_field(LinkTermsOut)
    def get_terms(self, link: Link) -> dict[str, Any]:
        """Return what sessions of the page may do."""
        return dict(LinkTermsOut(wanted_by(link.terms)).data)

    def with_code(self, link: Link) -> bool:
        """Return whether a code is needed to open it."""
        return bool(link.code_hash)

    def is_locked(self, link: Link) -> bool:
        """Return whether too many wrong codes were typed."""
        return link.locked_at is not None


class LinkedImportOut(serializers.Serializer[Any]):
    """An import that was started from a link."""

    recordId = serializers.CharField(source="public_id")
    state = serializers.ChoiceField(choices=IMPORT_STATES)
    createdAt = MomentField(source="created_at")
    appliedAt = MomentField(source="applied_at", allow_null=True)


class HostedLinkDetailOut(HostedLinkOut):
    """One link, with what came of it."""

    imports = serializers.SerializerMethodField()
    events = serializers.SerializerMethodField()

    @extend_schema_field(LinkedImportOut(many=True))
    def get_imports(self, link: Link) -> list[dict[str, Any]]:
        """Return the latest imports, newest first."""
        return list(LinkedImportOut(imports_of(link)[:100], many=True).data)

    @extend_schema_field(AuditEventOut(many=True))
    def get_events(self, link: Link) -> list[dict[str, Any]]:
        """Return the latest lines of the audit log about the link, newest first."""
        return list(AuditEventOut(events_of(link), many=True).data)


class CreatedLinkOut(HostedLinkOut):
    """A new link, with its address."""

    url = serializers.CharField(
        required=False,
        help_text="The address, shown once, here: send it to the person. Absent when an "
        "Idempotency-Key replays the answer.",
    )
    code = serializers.CharField(
        required=False,
        help_text="The code, shown once, here, if `withCode`. Send it apart from the address.",
    )
