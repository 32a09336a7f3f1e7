"""Authenticate calls: a license key, the token of a page, a staff session. Spec: Authentication."""

from dataclasses import replace
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse, parse_cookie
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from common import clock
from common.errors import NotAuthenticated
from common.logs import context
from licensing import selectors, services, sessions
from licensing.caller import Caller
from licensing.people.passwords import must_change
from licensing.refusals import (
    CsrfFailed,
    LicenseMalformed,
    LicenseMissing,
    NotAMember,
    PasswordOfSetup,
    SessionMissing,
)
from licensing.tokens.keys import Claims
from licensing.tokens.verifier import configured_verifier

SCHEME = "Bearer"
TENANT_HEADER = "X-Import-Tenant"


class LicenseAuthentication(BaseAuthentication):
    """Reads ``Authorization: Bearer <LICENSE_KEY>``, or the token of a page's session."""

    def authenticate(self, request: Request) -> tuple[Caller, Claims | None] | None:
        """Return the caller, with the claims of a key; OPTIONS needs none."""
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
            context.add(tenant=caller.tenant.public_id)
            return caller, None
        caller, claims = services.accept_key(
            key=token,
            at=clock.now(),
            origin=origin,
            actor_label=header_text(request.headers.get("X-Import-Actor", "")),
            import_token=import_token,
        )
        context.add(tenant=caller.tenant.public_id)
        return replace(caller, address=request.META.get("REMOTE_ADDR", "")), claims

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme for ``WWW-Authenticate``."""
        return SCHEME


class StaffSessionAuthentication(BaseAuthentication):
    """
    Reads the admin's session and ``X-Import-Tenant: tnt_...``, for pages below ``/admin``.

    A call with ``Authorization`` is authenticated by its key, regardless of cookies.
    """

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        """Return the tenant's staff caller; the table of operations defines what they may do."""
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
        context.add(tenant=tenant_id)
        return selectors.staff_caller(membership), None

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme for ``WWW-Authenticate``."""
        return SCHEME


def license_named(authorization: str) -> tuple[str] | None:
    """Return the license id of a header with an unexpired key, without a database query."""
    try:
        token = bearer(authorization)
        if token.startswith(sessions.PREFIX):
            return None
        claims = configured_verifier().claims_of(token, now=clock.now().timestamp())
    except NotAuthenticated:
        return None
    return (claims.license_id,)


def session_named(authorization: str) -> tuple[str, str] | None:
    """Return the license and session ids of a header with a valid page token."""
    try:
        token = bearer(authorization)
    except NotAuthenticated:
        return None
    return sessions.named(token, at=clock.now()) if token.startswith(sessions.PREFIX) else None


def is_staff_cookie(cookie: str) -> bool:
    """Return whether a Cookie header contains the session of a staff member."""
    key = parse_cookie(cookie).get(settings.SESSION_COOKIE_NAME)
    return key is not None and selectors.is_staff_session(key)


def caller_of(request: Request) -> Caller:
    """Return the authenticated caller; for views that require ``IsCaller``."""
    return cast(Caller, request.user)


def bearer(authorization: str) -> str:
    """Return the token of an ``Authorization`` header; the key's parser validates it."""
    scheme, _, token = authorization.strip(" ").partition(" ")
    if not scheme or (scheme.lower() == SCHEME.lower() and not token):
        raise LicenseMissing
    if scheme.lower() != SCHEME.lower():
        raise LicenseMalformed
    return token


def header_text(value: str) -> str:
    """Return a header decoded as UTF-8; WSGI passes it as Latin-1."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def refuse_forged(request: HttpRequest) -> None:
    """Require the ``X-CSRFToken`` of a session for unsafe methods."""
    check = CSRFCheck(_unreached)
    check.process_request(request)
    if check.process_view(request, _unreached, (), {}):
        raise CsrfFailed


def _unreached(request: HttpRequest) -> HttpResponse:
    raise NotImplementedError  # Django's check requires a next step; it is never called
