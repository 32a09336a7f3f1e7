"""Limits for failed logins. Counted in the shared cache; losing it resets the counts."""

import math
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import AbstractBaseUser

from common import clock
from licensing.people import sign_ins
from licensing.people.passwords import keep_in_step
from licensing.throttle import counter, seconds_left

WINDOW_S = 15 * 60
OF_A_NAME = 10  # failures per name and address
OF_AN_ADDRESS = 50  # failures per address, for any name
OF_A_NAME_ANYWHERE = 100  # failures per name, from any address


class ThrottledLogin(AdminAuthenticationForm):
    """Django's login form with an error after too many tries."""

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        """Refuse the provider's people: a password would outlive what their groups allow."""
        super().confirm_login_allowed(user)  # type: ignore[arg-type]  # it is a User
        if settings.OIDC_URL and SocialAccount.objects.filter(user_id=user.pk).exists():
            raise forms.ValidationError("Continue with your provider.", code="by_provider")

    def clean(self) -> dict[str, Any]:
        """Count the try before the password is checked; a success removes it again."""
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        name = str(self.cleaned_data.get("username", "")).casefold()[:150]
        window = f"{clock.now().timestamp() // WINDOW_S:.0f}"
        limits = {
            f"login:{address}:{name}:{window}": OF_A_NAME,
            f"login:{address}:{window}": OF_AN_ADDRESS,
            f"login-name:{name}:{window}": OF_A_NAME_ANYWHERE,
        }
        for key, most in limits.items():
            if counter.count(key, lasting_s=2 * WINDOW_S) > most:
                minutes = math.ceil(seconds_left(clock.now(), WINDOW_S) / 60)
                raise forms.ValidationError(
                    f"Too many tries. Wait {minutes} {'minute' if minutes == 1 else 'minutes'}.",
                    code="too_many_tries",
                )
        try:
            cleaned: dict[str, Any] = super().clean()
        except forms.ValidationError:
            named = sign_ins.person_named(str(self.cleaned_data.get("username", "")))
            sign_ins.note_refused("password", named, self.request)
            raise
        for key in limits:
            counter.take_back(key)
        if (user := self.get_user()) is not None:
            keep_in_step(user, cleaned["password"])
        return cleaned
