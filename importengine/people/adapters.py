"""What django-allauth asks the engine: where a provider is, who may sign in, how it is noted."""

from datetime import UTC, datetime, timedelta
from typing import Any

import requests
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from common import clock
from common.secrets import seal, unseal
from importengine.people import outbound, rights
from importengine.people.fixed import PASSWORD, PROVIDER
from importengine.people.group_map import Rights, groups_in, rights_of
from licensing.people import sign_ins

PROVIDER_ID = "provider"
FACTOR_EVENTS = {  # by the mail that django-allauth would send
    "mfa/email/totp_activated": ("factor.added", "authenticator app"),
    "mfa/email/totp_deactivated": ("factor.removed", "authenticator app"),
    "mfa/email/webauthn_added": ("factor.added", "passkey"),
    "mfa/email/webauthn_removed": ("factor.removed", "passkey"),
    "mfa/email/recovery_codes_generated": ("factor.added", "recovery codes"),
}
FRESH_S = 300  # so long after a sign-in, a person need not confirm again that it is they
AHEAD_S = 60  # a provider's clock may be ahead by this much
CONFIRMED = "confirmed_by_provider_at"  # in the session: seconds, 0 if the provider did not say


def refused(request: HttpRequest, sentence: str, status: int = 403) -> HttpResponse:
    """Return the page that says why a sign-in did not happen, and the way back."""
    return render(request, "people/refused.html", {"sentence": sentence}, status=status)


class AccountAdapter(DefaultAccountAdapter):
    """Begins sessions, notes them, and lets no person sign up alone."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return False: superusers, or the provider's groups, make users."""
        return False

    def login(self, request: HttpRequest, user: Any) -> None:
        """Begin a session; one of the provider ends at a fixed time after its answer."""
        records = get_authentication_records(request, user)
        methods = [record["method"] for record in records]
        answers = [record["at"] for record in records if record["method"] == "socialaccount"]
        user.backend = PROVIDER if answers else PASSWORD
        super().login(request, user)
        request.session[CONFIRMED] = getattr(request, CONFIRMED, 0)
        lasting = timedelta(minutes=settings.OIDC_SESSION_MINUTES)
        ends = datetime.fromtimestamp(answers[-1], UTC) + lasting if answers else None
        request.session.set_expiry(ends)
        by = ["provider" if name == "socialaccount" else name for name in dict.fromkeys(methods)]
        sign_ins.note("person.signed-in", user, about={"by": by})

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Refuse a person that a superuser turned off."""
        sign_ins.note_refused("inactive", user, request)
        return refused(request, "This account is turned off. Ask a superuser of this engine.")

    def send_notification_mail(
        self, template_prefix: str, user: Any, *rest: Any, **more: Any
    ) -> None:
        """Note what a mail would say."""
        if named := FACTOR_EVENTS.get(template_prefix):
            kind, factor = named
            sign_ins.note(kind, user, about={"factor": factor})  # type: ignore[arg-type]  # both are kinds

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """
        Return whether to confirm who one is; a sign-in of the last minutes will do.

        A provider may answer without asking the person: its token has to say when it did.
        """
        request = context.request
        records = get_authentication_records(request, request.user)
        last: dict[str, Any] = records[-1] if records else {"method": "", "at": 0}
        by_provider = last["method"] == "socialaccount"
        at = request.session.get(CONFIRMED, 0) if by_provider else last["at"]
        if clock.now().timestamp() - at < FRESH_S:
            return False
        return bool(super().is_reauthentication_required(app=app, **more))

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return how a person confirms who they are; else they sign in again."""
        again = {"id": "provider", "description": "Sign in again", "url": reverse("people-again")}
        return super().get_reauthentication_methods(user) or [again]


class ProviderSettings(DefaultSocialAccountAdapter):
    """The one provider of the settings, and who of its people may sign in."""

    def list_apps(
        self, request: HttpRequest, provider: Any = None, client_id: Any = None
    ) -> list[SocialApp]:
        """Return the provider of the settings; the database is not asked for others."""
        if not settings.OIDC_URL:
            return []
        app = SocialApp(
            provider="openid_connect",
            provider_id=PROVIDER_ID,
            name="your provider",
            client_id=settings.OIDC_CLIENT_ID,
            secret=settings.OIDC_CLIENT_SECRET,
        )
        app.settings = {
            "server_url": settings.OIDC_URL,
            "scope": list(settings.OIDC_SCOPES),
            "oauth_pkce_enabled": True,
        }
        return [app]

    def get_requests_session(self) -> requests.Session:
        """Return the guarded session."""
        return outbound.session()

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Return True: ``pre_social_login`` refused those without a right before."""
        return True

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Give a person the rights of their groups now; refuse a person whose groups give none."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise ImmediateHttpResponse(refused(request, "Sign out first, and try again."))
        wanted = wanted_by(sociallogin)
        known = sociallogin.user if sociallogin.is_existing else None
        if known is not None:
            rights.apply(known, wanted)
        if not wanted:
            sign_ins.note_refused("groups", known, request)
            sentence = "None of your groups may use this engine. Ask who manages them."
            raise ImmediateHttpResponse(refused(request, sentence))
        at = confirmed_at(sociallogin)
        if sociallogin.state.get("again") and not at:
            sign_ins.note_refused("provider", known, request)
            sentence = "The provider did not ask who you are. Tell who manages it."
            raise ImmediateHttpResponse(refused(request, sentence))
        setattr(request, CONFIRMED, at)

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> Any:
        """Save a person's first sign-in, with the rights of their groups."""
        with transaction.atomic():
            user: User = super().save_user(request, sociallogin, form)
            rights.apply(user, wanted_by(sociallogin))
        return user

    def on_authentication_error(self, request: HttpRequest, provider: Any, **more: Any) -> None:
        """Note a failure; the page names no detail of what the provider answered."""
        sign_ins.note_refused("provider", None, request)
        sentence = "The provider did not confirm who you are. Try again."
        raise ImmediateHttpResponse(refused(request, sentence))


def wanted_by(sociallogin: SocialLogin) -> Rights:
    """Return the rights of the groups in a person's claims, of the token or of ``userinfo``."""
    claims: dict[str, Any] = sociallogin.claims
    parts = (claims.get("id_token") or {}, claims.get("userinfo") or {})
    claimed = {name for part in parts for name in groups_in(part.get(settings.OIDC_CLAIM))}
    return rights_of(claimed, settings.OIDC_GROUPS)


def confirmed_at(sociallogin: SocialLogin) -> float:
    """Return when the provider asked the person, in seconds; 0 if long ago, or it did not say."""
    at = sociallogin.claims["id_token"].get("auth_time")
    now = clock.now().timestamp()
    if type(at) not in (int, float) or not now - FRESH_S < at <= now + AHEAD_S:
        return 0
    return float(min(at, now))


class SecondFactors(DefaultMFAAdapter):
    """Keeps secrets encrypted, and notes each factor that is added or removed."""

    def encrypt(self, text: str) -> str:
        """Encrypt a secret for the database."""
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret of the database."""
        return unseal(encrypted_text)

    def get_totp_issuer(self) -> str:
        """Return the name in an authenticator app."""
        return "Import Engine"

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Any) -> str:
        """Return the first name of a passkey."""
        return f"Passkey of {clock.now():%d %B %Y}"
