"""The two pages of a sign-in with the provider, and what is checked besides what allauth checks."""

import hashlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, IntegrityError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from common import clock
from importengine.people.adapters import PROVIDER_ID, ProviderSettings, refused
from licensing.people import sign_ins
from licensing.throttle import cache_errors, counter

logger = logging.getLogger(__name__)
AT_ONCE = 4  # sign-ins that wait for the provider; the other threads stay free while it is slow
WINDOW_S = 15 * 60
OF_AN_ADDRESS = 50
SILENT = "The provider does not answer. Try again in a minute."
TOO_MANY = "Too many tries. Wait 15 minutes."
UNCONFIRMED = "The provider did not confirm who you are. Try again."
BUSY = "Too many people sign in right now. Try again in a minute."
AT_THE_SAME_TIME = "You signed in twice at the same time. Try again."
NOT_AN_ANSWER = (
    OAuth2Error, LookupError, TypeError, ValueError, AttributeError, ImproperlyConfigured,
)  # fmt: skip
ASKED_AGAIN = {"prompt": "login", "max_age": "0"}  # the second requires ``auth_time``
_places = threading.BoundedSemaphore(AT_ONCE)


def account_provider() -> str:
    """Return the key of the issuer: the id of a person says who they are within it alone."""
    return f"oidc-{hashlib.sha256(settings.OIDC_URL.encode()).hexdigest()[:16]}"


class Provider(OpenIDConnectOAuth2Adapter):
    """
    The provider of the settings.

    django-allauth checks state, PKCE, audience, issuer and end. Here: the issuer is that of the
    settings, the signature of the token is verified even though it came by a direct call, and
    ``userinfo`` is about the same person.
    """

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, PROVIDER_ID)

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return what the provider says of itself. Raise OAuth2Error if it is another."""
        config: dict[str, Any] = super().openid_config
        if str(config.get("issuer", "")).rstrip("/") != settings.OIDC_URL:
            raise OAuth2Error("the issuer is not IMPORT_OIDC_URL")
        return config

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **more: Any
    ) -> SocialLogin:
        """Return who signs in; only the provider's id of a person is stored, not their claims."""
        self.did_fetch_access_token = False  # so that the signature is verified
        login = super().complete_login(request, app, token, **more)
        claims = login.account.extra_data
        if "id_token" not in claims:
            raise OAuth2Error("there is no id_token")
        if claims.get("userinfo", claims["id_token"])["sub"] != claims["id_token"]["sub"]:
            raise OAuth2Error("userinfo is about another person")
        token_claims = claims["id_token"]
        if "exp" not in token_claims:
            raise OAuth2Error("the token has no end")
        if token_claims.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
            raise OAuth2Error("the token is for another client")
        login.claims = claims
        login.account.extra_data = {}
        login.account.provider = account_provider()
        return login


def _answered(
    step: Callable[[HttpRequest], HttpResponseBase], request: HttpRequest
) -> HttpResponseBase:
    """Carry out a step of a sign-in; whatever the provider answers ends in a page."""
    if not settings.OIDC_URL:
        raise Http404
    if not _places.acquire(blocking=False):
        return refused(request, BUSY, 503)
    try:
        return step(request)
    except cache_errors() as error:  # those of ``requests`` are errors of the system, too
        if isinstance(error, DatabaseError):
            raise
        logger.warning("the provider does not answer: %s", type(error).__name__)
        sign_ins.note_refused("provider silent", None, request)
        return refused(request, SILENT, 503)
    except IntegrityError:  # the same person's first sign-in, in two browsers at once
        return refused(request, AT_THE_SAME_TIME, 409)
    except NOT_AN_ANSWER as error:
        logger.warning("the provider's answer is not one: %s", type(error).__name__)
        sign_ins.note_refused("provider", None, request)
        return refused(request, UNCONFIRMED)
    finally:
        _places.release()


@never_cache
@require_POST
def begin(request: HttpRequest) -> HttpResponseBase:
    """Send a person to the provider, by a page: a policy on forms would stop a redirect."""
    if _too_many(request, "provider"):
        return refused(request, TOO_MANY, 429)
    return _answered(_begun, request)


def _too_many(request: HttpRequest, step: str) -> bool:
    """Count a try of an address; return whether it had too many."""
    window = f"{clock.now().timestamp() // WINDOW_S:.0f}"
    address = request.META.get("REMOTE_ADDR", "")
    return counter.count(f"{step}:{address}:{window}", lasting_s=2 * WINDOW_S) > OF_AN_ADDRESS


def _begun(request: HttpRequest) -> HttpResponseBase:
    answer = ProviderSettings().get_provider(request, PROVIDER_ID)
    adapter = Provider(request)
    answer.get_oauth2_adapter = lambda _: adapter
    # Not redirect_from_request: there the browser chooses what the sign-in does and asks for.
    again = request.POST.get("again") == "1"
    response: HttpResponse = answer.redirect(
        request,
        AuthProcess.LOGIN,
        next_url=get_next_redirect_url(request),
        auth_params=dict(ASKED_AGAIN) if again else {},
        again=again,
    )
    if response.status_code != 302:
        return response
    return render(request, "people/leaving.html", {"address": response["Location"]})


@never_cache
@require_GET
def back(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Take a person back from the provider."""
    if not settings.OIDC_URL:
        raise Http404
    if _too_many(request, "provider-back"):
        return refused(request, TOO_MANY, 429)
    if request.GET.get("state", "") not in statekit.get_states(request):
        return refused(request, UNCONFIRMED)  # not noted: any caller reaches this address
    view = OAuth2CallbackView.adapter_view(Provider)
    return _answered(view, request)
