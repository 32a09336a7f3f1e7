"""Invite people by mail, with Django's own link for choosing a password."""

import logging
from collections.abc import Iterable
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from common.actors import Actor
from licensing.people import sign_ins

logger = logging.getLogger(__name__)


def mail_is_on() -> bool:
    """Return whether mails can be sent, and passwords be used."""
    return bool(settings.MAIL) and settings.PASSWORDS


class Invitation(PasswordResetForm):
    """A mail to one person, who may have no password yet."""

    def __init__(self, user: User) -> None:
        super().__init__({"email": user.email})
        self._user = user

    def get_users(self, email: str) -> Iterable[User]:
        """Return the invited person."""
        return [self._user]

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Send the mail; Django's own method hides that it could not be sent."""
        subject = render_to_string(subject_template_name, context).strip()
        EmailMessage(
            subject, render_to_string(email_template_name, context), from_email, [to_email]
        ).send()


def invite(request: HttpRequest, user: User, *, by: Actor) -> bool:
    """
    Send a link for choosing a password.

    Return False if the mail was not sent, or for a person who is inactive, has no address, or signs
    in with the provider: a password would outlive what their groups allow.
    """
    form = Invitation(user)
    by_provider = SocialAccount.objects.filter(user=user).exists()
    if not user.is_active or by_provider or not form.is_valid():
        return False
    try:
        form.save(
            request=request,
            use_https=request.is_secure(),
            email_template_name="people/invitation_mail.txt",
            subject_template_name="people/invitation_subject.txt",
            extra_email_context={"login": request.build_absolute_uri(reverse("admin:login"))},
        )
    except OSError:  # SMTPException is one
        logger.warning("an invitation could not be sent", exc_info=True)
        return False
    sign_ins.note("person.invited", user, actor=by)
    return True
