"""
The pages of signing in, below ``/admin``: those that are needed, each loaded when first opened.

A web process that serves no sign-in loads neither django-allauth's views nor what they need.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from django.urls import URLPattern, path
from django.utils.module_loading import import_string

View = Callable[..., HttpResponseBase]
TITLES = {"site_header": "Import Engine", "site_title": "Import Engine"}


def page(view: str, **context: Any) -> View:
    """Return a view that is imported when it is first called. view: a function or class."""

    loaded: list[View] = []

    def opened(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        if not loaded:
            page: Any = import_string(view)
            more = {"extra_context": {**TITLES, **context}}
            loaded.append(page.as_view(**more) if hasattr(page, "as_view") else page)
        return loaded[0](request, *arguments, **named)

    return opened


def sign_in(request: HttpRequest, user: User, to: str) -> HttpResponseBase:
    """Sign a person in whose password was right: ask for the second factor, if they have one."""
    from allauth.account.internal.flows.login import perform_password_login
    from allauth.account.models import Login

    login = Login(user=user, redirect_url=to, email_verification="none")
    named = {"username": user.get_username()}
    answer: HttpResponseBase = perform_password_login(request, named, login)
    return answer


def urls_for(site: AdminSite) -> list[URLPattern]:
    """Return the routes; django-allauth knows the site's sign-in and sign-out by other names."""
    guarded = site.admin_view

    def own(route: str, view: str, name: str, title: str) -> URLPattern:
        """Return the route of a page for those who are signed in."""
        context = {"title": title, "has_permission": True, "signed_in": True}
        return path(route, guarded(page(view, **context)), name=name)

    mfa, factor = "allauth.mfa", "second-factor"
    return [
        path("login/", site.login, name="account_login"),
        path("logout/", guarded(site.logout), name="account_logout"),
        path("provider/", page("importengine.people.provider.begin"), name="people-provider"),
        path("provider/back/", page("importengine.people.provider.back"),
             {"provider_id": "provider"}, name="openid_connect_callback"),
        path("again/", guarded(page("importengine.people.mail.again")), name="people-again"),
        path(f"{factor}/code/", page(f"{mfa}.base.views.AuthenticateView", title="Second factor"),
             name="mfa_authenticate"),
        own(f"{factor}/", f"{mfa}.base.views.IndexView", "mfa_index", "Second factor"),
        own(f"{factor}/confirm/", f"{mfa}.base.views.ReauthenticateView",
            "mfa_reauthenticate", "Confirm that it is you"),
        own(f"{factor}/confirm/passkey/", f"{mfa}.webauthn.views.ReauthenticateWebAuthnView",
            "mfa_reauthenticate_webauthn", "Confirm that it is you"),
        own(f"{factor}/confirm/password/", "allauth.account.views.ReauthenticateView",
            "account_reauthenticate", "Confirm that it is you"),
        own(f"{factor}/app/", f"{mfa}.totp.views.ActivateTOTPView",
            "mfa_activate_totp", "Add an authenticator app"),
        own(f"{factor}/app/remove/", f"{mfa}.totp.views.DeactivateTOTPView",
            "mfa_deactivate_totp", "Remove the authenticator app"),
        own(f"{factor}/passkeys/", f"{mfa}.webauthn.views.ListWebAuthnView",
            "mfa_list_webauthn", "Passkeys"),
        own(f"{factor}/passkeys/add/", f"{mfa}.webauthn.views.AddWebAuthnView",
            "mfa_add_webauthn", "Add a passkey"),
        own(f"{factor}/passkeys/<int:pk>/remove/", f"{mfa}.webauthn.views.RemoveWebAuthnView",
            "mfa_remove_webauthn", "Remove a passkey"),
        own(f"{factor}/codes/", f"{mfa}.recovery_codes.views.ViewRecoveryCodesView",
            "mfa_view_recovery_codes", "Recovery codes"),
        own(f"{factor}/codes/new/", f"{mfa}.recovery_codes.views.GenerateRecoveryCodesView",
            "mfa_generate_recovery_codes", "New recovery codes"),
        path("password/", page("importengine.people.mail.AskedForPassword", title="New password"),
             name="people-reset"),
        path("password/sent/", page("importengine.people.mail.Sent", title="New password"),
             name="people-reset-sent"),
        path("password/<uidb64>/<token>/",
             page("importengine.people.mail.ChosenPassword", title="Choose a password"),
             name="people-password"),
        path("password/done/", page("importengine.people.mail.Done", title="New password"),
             name="people-password-done"),
    ]  # fmt: skip
