"""
Where people choose their mails, in the admin, and where anyone stops them, ``/mail/stop/{token}``.

Looking at the page changes nothing, because programs that check mails look at links, too. The
button, or the mail program itself (RFC 8058), sends a POST, which needs no cookie and no session.
"""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from common import clock
from common.http.addresses import below
from common.http.language import wanted
from common.http.public_pages import rendered
from common.wording.messages import Message
from licensing.models import Tenant
from mails import choices, unsubscribing
from mails.models import Kind, Preference
from mails.readers import is_on

KINDS = [
    (Kind.WAITING.value, "An import waits for staff, or for approval"),
    (Kind.FAILED.value, "An import or a feed failed, or a delivery was given up"),
    (Kind.DONE.value, "An import was applied"),
    (Kind.DIGEST.value, "Once a day at 7:00: what came, and what waits"),
]


class ChoiceForm(forms.Form):
    """Which mails a person gets, and how they read them."""

    kinds = forms.MultipleChoiceField(
        label="Mail me when", choices=KINDS, required=False, widget=forms.CheckboxSelectMultiple
    )
    language = forms.ChoiceField()
    time_zone = forms.ChoiceField(label="Time zone")

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        zones = [(zone, zone) for zone in sorted(available_timezones())]
        for field, offered in {"language": choices.language_names(), "time_zone": zones}.items():
            self.fields[field].choices = offered  # type: ignore[attr-defined]  # of a ChoiceField


def choose(request: HttpRequest) -> HttpResponse:
    """Show and store which mails the person who is signed in gets."""
    user = request.user
    if not isinstance(user, User):  # the admin lets only people in
        raise PermissionDenied
    choice = Preference.objects.filter(user=user).first() or Preference(user=user)
    given = {"kinds": choice.kinds, "language": choice.language, "time_zone": choice.time_zone}
    form = ChoiceForm(request.POST or None, initial=given)
    if request.method == "POST" and form.is_valid():
        choices.choose(user=user, at=clock.now(), **form.cleaned_data)
        messages.success(request, "Your choice was saved.")
        return redirect("admin:mail")
    tenants = Tenant.objects.filter(memberships__user=user).order_by("label", "public_id")
    context = {
        **admin.site.each_context(request),
        "title": "Mail",
        "form": form,
        "is_on": is_on(),
        "missing": missing_settings(),
        "address": user.email,
        "tenants": [str(tenant) for tenant in tenants],
    }
    return render(request, "mails/choose.html", context, status=400 if form.errors else 200)


def missing_settings() -> list[str]:
    """Return the settings without which no mail about imports is sent."""
    needed = {"IMPORT_MAIL_URL": settings.MAIL, "IMPORT_PUBLIC_ORIGIN": settings.PUBLIC_ORIGIN}
    return [name for name, value in needed.items() if not value]


@csrf_exempt  # a mail program has no session; the signed token is the right to do it
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to stop mails; POST stops them."""
    language = wanted(request.headers.get("Accept-Language", ""))
    if not unsubscribing.is_genuine(token):
        return _page(request, Message("link.missing"), Message("link.missing.text"), language, 404)
    if request.method == "POST":
        unsubscribing.unsubscribe(token, at=clock.now())
        return _page(request, Message("mail.stopped"), Message("mail.stopped.text"), language)
    title, text = Message("mail.stop.title"), Message("mail.stop.text")
    button = Message("mail.stop").text(language)
    return _page(request, title, text, language, button=button, action=below(request.path_info))


def _page(
    request: HttpRequest,
    title: Message,
    text: Message,
    language: str,
    status: int = 200,
    **more: str,
) -> HttpResponse:
    about = {"title": title.text(language), "text": text.text(language), **more}
    return rendered(request, "mails/stop.html", about, language, status)
