"""Passwords that a setup made: they are changed before an engine is used for real.

Setup writes one to a file and prints it, so whoever reads either may sign in. An engine in
development (``IMPORT_DEMO``) lets it pass, every other asks for a new one first.
"""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import F, QuerySet

from licensing.models import SetupPassword


def note_setup(user: User) -> None:
    """Note that somebody's password, as it is now, was made by a setup."""
    SetupPassword.objects.update_or_create(user=user, defaults={"password": user.password})


def still_of_setup() -> "QuerySet[SetupPassword]":
    """Give those who may sign in and never changed what a setup made."""
    found = SetupPassword.objects.filter(password=F("user__password"), user__is_active=True)
    return found.select_related("user").order_by("user__username")


def must_change(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether somebody has to change their password before anything else."""
    if settings.DEMO or user.pk is None:
        return False
    return still_of_setup().filter(user_id=user.pk).exists()


def keep_in_step(user: AbstractBaseUser, password: str) -> None:
    """
    Know a setup's password again after it was hashed anew; call it when somebody signed in.

    Django hashes with more rounds as versions go by; the password is the same all the same.
    """
    noted = SetupPassword.objects.filter(user_id=user.pk).exclude(password=user.password).first()
    if noted is not None and check_password(password, noted.password):
        SetupPassword.objects.filter(pk=noted.pk).update(password=user.password)


class NewPassword(AdminPasswordChangeForm):
    """Django's form; the new password is another than the old one."""

    def clean_new_password1(self) -> Any:
        """Refuse the password that is there already."""
        wanted = self.cleaned_data["new_password1"]
        if self.user.check_password(wanted):
            raise forms.ValidationError("This is the password you have. Choose another one.")
        return wanted
