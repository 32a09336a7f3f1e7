"""Authenticate every HTTP call: a license key, or a staff session. Spec: Authentication."""

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from common import clock
from licensing import selectors, services
from licensing.caller import Caller
from licensing.keys import Claims
from licensing.models import Membership
from licensing.refusals import (
    CsrfFailed,
    LicenseMalformed,
    LicenseMissing,
    NotAMember,
    RoleNotAllowed,
    SessionMissing,
)

SCHEME = "Bearer"
TENANT_HEADER = "X-Import-Tenant"


class LicenseAuthentication(BaseAuthentication):
    """Reads ``Authorization: Bearer <LICENSE_KEY>``; gives the caller and the key's claims."""

    def authenticate(self, request: Request) -> tuple[Caller, Claims] | None:
        """Let the key's holder in; OPTIONS needs no key."""
        authorization = request.headers.get("Authorization", "")
        if not authorization and request.method == "OPTIONS":
            return None
        return services.accept_key(
            key=bearer(authorization),
            at=clock.now(),
            origin=request.headers.get("Origin", ""),
            actor_label=header_text(request.headers.get("X-Import-Actor", "")),
        )

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in ``WWW-Authenticate``."""
        return SCHEME


class StaffSessionAuthentication(BaseAuthentication):
    """
    Reads the admin's session and ``X-Import-Tenant: tnt_...``, for pages below ``/admin``.

    A call that carries ``Authorization`` is the key's business, whatever cookies come along.
    """

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """Let a staff member of the tenant in, as far as the role goes."""
        tenant_id = request.headers.get(TENANT_HEADER)
        if tenant_id is None or "Authorization" in request.headers:
            return None
        user = getattr(request._request, "user", None)
        if user is None or not (user.is_active and user.is_staff):
            raise SessionMissing
        refuse_forged(request._request)
        membership = selectors.membership_of(user=user, tenant_id=tenant_id)
        if membership is None:
            raise NotAMember
        if membership.role == Membership.Role.VIEWER and not only_looks(request):
            raise RoleNotAllowed
        return selectors.staff_caller(membership), None

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in ``WWW-Authenticate``."""
        return SCHEME


def caller_of(request: Request) -> Caller:
    """Give who was let in; for the views behind ``IsCaller``."""
    return cast(Caller, request.user)


def bearer(authorization: str) -> str:
    """Give the token of an ``Authorization`` header; what it may hold, the key's reader says."""
    scheme, _, token = authorization.strip(" ").partition(" ")
    if not scheme or (scheme.lower() == SCHEME.lower() and not token):
        raise LicenseMissing
    if scheme.lower() != SCHEME.lower():
        raise LicenseMalformed
    return token


def header_text(value: str) -> str:
    """Read a header as UTF-8; WSGI hands it over as Latin-1."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def only_looks(request: Request) -> bool:
    """Whether the call changes nothing: by its method, or by ``reading_post`` of its view."""
    view = (request.parser_context or {}).get("view")
    return request.method in SAFE_METHODS or getattr(view, "post_reads", False)


def reading_post(view: Any) -> Any:
    """Mark a view whose POST only reads (a query with a body), so that a viewer may call it."""
    getattr(view, "cls", view).post_reads = True
    return view


def refuse_forged(request: HttpRequest) -> None:
    """Ask a session's unsafe call for its ``X-CSRFToken``."""
    check = CSRFCheck(_unreached)
    check.process_request(request)
    if check.process_view(request, _unreached, (), {}):
        raise CsrfFailed


def _unreached(request: HttpRequest) -> HttpResponse:
    raise NotImplementedError  # Django's check asks for a next step; it is never taken
