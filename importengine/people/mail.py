"""New passwords by mail: Django's own views and tokens, with a limit and the log."""

import math
from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import (
    PasswordResetCompleteView,
    PasswordResetConfirmView,
    PasswordResetDoneView,
    PasswordResetView,
)
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy

from common import clock
from licensing.admin.invitations import mail_is_on
from licensing.people import sign_ins
from licensing.throttle import counter, seconds_left

WINDOW_S = 15 * 60
OF_AN_ADDRESS = 5  # mails that one address may ask for


class OnlyWithMail:
    """A mixin for pages that are not there without mail."""

    def dispatch(self, request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        """Answer 404 without mail."""
        if not mail_is_on():
            raise Http404
        answer: HttpResponseBase = super().dispatch(request, *arguments, **named)  # type: ignore[misc]  # of the view
        return answer


class AskForm(PasswordResetForm):
    """Asks for an address; the answer is the same whether a person has it or not."""

    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        """Count the try."""
        address = self.request.META.get("REMOTE_ADDR", "")
        window = f"{clock.now().timestamp() // WINDOW_S:.0f}"
        if counter.count(f"mail:{address}:{window}", lasting_s=2 * WINDOW_S) > OF_AN_ADDRESS:
            minutes = math.ceil(seconds_left(clock.now(), WINDOW_S) / 60)
            raise forms.ValidationError(f"Too many tries. Wait {minutes} min.", code="many")
        return super().clean() or {}


class AskedForPassword(OnlyWithMail, PasswordResetView):
    """Asks for the address of a person who forgot the password."""

    form_class = AskForm
    template_name = "people/ask.html"
    email_template_name = "people/password_mail.txt"
    subject_template_name = "people/password_subject.txt"
    success_url = reverse_lazy("people-reset-sent")

    def get_form(self, form_class: Any = None) -> AskForm:
        """Return the form, which counts by address."""
        form: AskForm = super().get_form(form_class)  # type: ignore[assignment]  # form_class says so
        form.request = self.request
        return form


class Sent(OnlyWithMail, PasswordResetDoneView):
    """Says that a mail is on its way, if there is such a person."""

    template_name = "people/sent.html"


class ChosenPassword(OnlyWithMail, PasswordResetConfirmView):
    """Takes the password that a person chose after a mail."""

    template_name = "people/choose.html"
    success_url = reverse_lazy("people-password-done")

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password, and note it."""
        answer = super().form_valid(form)
        sign_ins.note("person.password-set", form.user)
        return answer


class Done(OnlyWithMail, PasswordResetCompleteView):
    """Says that the password was set."""

    template_name = "people/done.html"


def again(request: HttpRequest) -> HttpResponseBase:
    """Ask a person who has only the provider to sign in again."""
    return render(request, "people/again.html", {"next": request.GET.get("next", "")})
