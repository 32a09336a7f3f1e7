"""Authenticate calls: a license key, the token of a page, a staff session. Spec: Authentication."""

from dataclasses import replace
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, parse_cookie
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from common import clock
from common.errors import NotAuthenticated
from licensing import selectors, services, sessions
from licensing.caller import Caller
from licensing.keys import Claims
from licensing.passwords import must_change
from licensing.refusals import (
    CsrfFailed,
    LicenseMalformed,
    LicenseMissing,
    NotAMember,
    PasswordOfSetup,
    SessionMissing,
)
from licensing.verifier import configured_verifier

SCHEME = "Bearer"
TENANT_HEADER = "X-Import-Tenant"


class LicenseAuthentication(BaseAuthentication):
    """Reads ``Authorization: Bearer <LICENSE_KEY>``, or the token of a page's session."""

    def authenticate(self, request: Request) -> tuple[Caller, Claims | None] | None:
        """Let the holder in, with the claims of a key; OPTIONS needs none."""
        authorization = request.headers.get("Authorization", "")
        if not authorization and request.method == "OPTIONS":
            return None
        token = bearer(authorization)
        origin = request.headers.get("Origin", "")
        import_token = request.headers.get("X-Import-Token", "")
        if token.startswith(sessions.PREFIX):
            caller = sessions.accept_session(
                token=token, at=clock.now(), origin=origin, import_token=import_token
            )
            return caller, None
        caller, claims = services.accept_key(
            key=token,
            at=clock.now(),
            origin=origin,
            actor_label=header_text(request.headers.get("X-Import-Actor", "")),
            import_token=import_token,
        )
        return replace(caller, address=request.META.get("REMOTE_ADDR", "")), claims

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in ``WWW-Authenticate``."""
        return SCHEME


class StaffSessionAuthentication(BaseAuthentication):
    """
    Reads the admin's session and ``X-Import-Tenant: tnt_...``, for pages below ``/admin``.

    A call that carries ``Authorization`` is the key's business, whatever cookies come along.
    """

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """Let a staff member of the tenant in; what they may do, the table of operations says."""
        tenant_id = request.headers.get(TENANT_HEADER)
        if tenant_id is None or "Authorization" in request.headers:
            return None
        user = getattr(request._request, "user", None)
        if user is None or not (user.is_active and user.is_staff):
            raise SessionMissing
        refuse_forged(request._request)
        if must_change(user):
            raise PasswordOfSetup
        membership = selectors.membership_of(user=user, tenant_id=tenant_id)
        if membership is None:
            raise NotAMember
        return selectors.staff_caller(membership), None

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in ``WWW-Authenticate``."""
        return SCHEME


def license_named(authorization: str) -> tuple[str] | None:
    """Name the license of an Authorization header with a key in its time; asks no database."""
    try:
        token = bearer(authorization)
        if token.startswith(sessions.PREFIX):
            return None
        claims = configured_verifier().claims_of(token, now=clock.now().timestamp())
    except NotAuthenticated:
        return None
    return (claims.license_id,)


def session_named(authorization: str) -> tuple[str, str] | None:
    """Name the license and the session of an Authorization header with a page's open token."""
    try:
        token = bearer(authorization)
    except NotAuthenticated:
        return None
    return sessions.named(token, at=clock.now()) if token.startswith(sessions.PREFIX) else None


def is_staff_cookie(cookie: str) -> bool:
    """Whether a Cookie header carries the session of a member of the staff."""
    key = parse_cookie(cookie).get(settings.SESSION_COOKIE_NAME)
    return key is not None and selectors.is_staff_session(key)


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


def refuse_forged(request: HttpRequest) -> None:
    """Ask a session's unsafe call for its ``X-CSRFToken``."""
    check = CSRFCheck(_unreached)
    check.process_request(request)
    if check.process_view(request, _unreached, (), {}):
        raise CsrfFailed


def _unreached(request: HttpRequest) -> HttpResponse:
    raise NotImplementedError  # Django's check asks for a next step; it is never taken
