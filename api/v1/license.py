"""``license/verify``: check whether the engine accepts a key. Spec: Endpoints."""

from datetime import UTC, datetime
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.problem import PROBLEM_JSON, ProblemOut
from common import clock, errors
from licensing.authentication import LicenseAuthentication, caller_of
from licensing.caller import Caller, PagePolicy
from licensing.rights.checker import declares
from licensing.rights.model import INVALID_ROWS, RIGHTS
from licensing.tokens.expiry import within_days
from schemas.modes import ModeField
from schemas.shapes.changesets import APPLY_MODES


class TermsOut(serializers.Serializer[Any]):
    """What the host settled for the page that holds a session's token."""

    id = serializers.CharField(source="session_id")
    scope = serializers.CharField(allow_blank=True)
    ownOnly = serializers.BooleanField(
        source="own_only",
        help_text="Whether it reaches only imports that it started, as on the page of a link.",
    )
    catalogKey = serializers.SerializerMethodField(help_text="Null: any published catalog.")
    applyMode = serializers.ChoiceField(source="apply_mode", choices=APPLY_MODES)
    invalidRows = serializers.SerializerMethodField(
        help_text="What may be done to rows with errors: fix, exclude, include."
    )

    def get_catalogKey(self, terms: PagePolicy) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Name the catalog, where it is settled."""
        return terms.catalog_key or None

    def get_invalidRows(self, terms: PagePolicy) -> list[str]:  # noqa: N802 - camelCase is the schemas
        """List what is allowed."""
        return [doing for doing in INVALID_ROWS if doing in terms.invalid_rows]


class LicenseOut(serializers.Serializer[Caller]):
    """What an accepted key says of itself."""

    verified = serializers.SerializerMethodField(help_text="True: the engine accepts the key.")
    tenantId = serializers.CharField(source="tenant.host_id")
    mode = ModeField()
    entitlements = serializers.SerializerMethodField(
        help_text="The entitlements this key carries, each with true; what is off is absent."
    )
    expiresAt = serializers.SerializerMethodField(help_text="ISO 8601, UTC.")
    expiresWithinDays = serializers.SerializerMethodField(
        help_text="1, 7 or 30 once the key expires within so many days; null before."
    )
    rights = serializers.SerializerMethodField(
        help_text="What the caller may do that a page needs a right for; of a full key all."
    )
    session = TermsOut(required=False, help_text="Only for the token of a page's session.")

    def get_verified(self, caller: Caller) -> bool:
        """Return True: an unverified caller is refused before."""
        return True

    def get_entitlements(self, caller: Caller) -> dict[str, bool]:
        """Return the entitlements that are on."""
        return dict.fromkeys(sorted(caller.entitlements), True)

    def get_rights(self, caller: Caller) -> list[str]:
        """List the rights that the caller has."""
        return [right for right in RIGHTS if not caller.lacks(right)]

    def to_representation(self, caller: Caller) -> dict[str, Any]:
        """Return the caller without ``session`` if there is none."""
        shown: dict[str, Any] = super().to_representation(caller)
        if caller.session is None:
            del shown["session"]
        return shown

    def get_expiresAt(self, caller: Caller) -> str:  # noqa: N802 - camelCase is the schemas
        """Return when the key expires."""
        return clock.iso(_expiry_of(caller))

    def get_expiresWithinDays(self, caller: Caller) -> int | None:  # noqa: N802 - camelCase is the schemas
        """Return how soon the key expires, in the steps at which it is announced."""
        return within_days(_expiry_of(caller), at=clock.now())


def _expiry_of(caller: Caller) -> datetime:
    return datetime.fromtimestamp(caller.expires_at or 0, UTC)


class VerifyRefused(ProblemOut):
    """A problem that also says ``verified: false``."""

    verified = serializers.BooleanField(help_text="False.")


@declares(GET="verifyLicense")
class VerifyView(APIView):
    """``GET /api/import/v1/license/verify``."""

    authentication_classes = (LicenseAuthentication,)  # a session is not a license

    @extend_schema(
        operation_id="verifyLicense",
        tags=["license"],
        responses={
            200: LicenseOut,
            (401, PROBLEM_JSON): OpenApiResponse(VerifyRefused, "Not accepted."),
            (403, PROBLEM_JSON): OpenApiResponse(VerifyRefused, "Not this origin."),
            (429, PROBLEM_JSON): OpenApiResponse(ProblemOut, "Too many; see Retry-After."),
        },
    )
    def get(self, request: Request) -> Response:
        """Say whether the engine accepts the license key, and what the key may do."""
        return Response(LicenseOut(caller_of(request)).data)

    def handle_exception(self, exc: Exception) -> Response:
        """Return the problem together with ``verified: false``."""
        if isinstance(exc, errors.NotAuthenticated | errors.NotAllowed):
            exc.members["verified"] = False
        return super().handle_exception(exc)
