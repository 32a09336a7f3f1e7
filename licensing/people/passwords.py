"""
Passwords created by setup: they must be changed before an engine is used in production.

Setup writes one to a file and prints it, so anyone who reads either may sign in. A development
engine (``IMPORT_DEMO``) accepts it, every other requires a new one first.
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
    """Record that a user's current password was created by setup."""
    SetupPassword.objects.update_or_create(user=user, defaults={"password": user.password})


def still_of_setup() -> "QuerySet[SetupPassword]":
    """Return the users who may sign in and never changed the password from setup."""
    passwords = SetupPassword.objects.filter(password=F("user__password"), user__is_active=True)
    return passwords.select_related("user").order_by("user__username")


def must_change(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether a user has to change their password before anything else."""
    if settings.DEMO or user.pk is None:
        return False
    return still_of_setup().filter(user_id=user.pk).exists()


def keep_in_step(user: AbstractBaseUser, password: str) -> None:
    """
    Recognise a setup password after it was hashed again; call it when a user signed in.

    Newer Django versions hash with more rounds, but the password is the same.
    """
    noted = SetupPassword.objects.filter(user_id=user.pk).exclude(password=user.password).first()
    if noted is not None and check_password(password, noted.password):
        SetupPassword.objects.filter(pk=noted.pk).update(password=user.password)


class NewPassword(AdminPasswordChangeForm):
    """Django's form, which also requires that the new password differs from the old one."""

    def clean_new_password1(self) -> Any:
        """Reject the current password."""
        wanted = self.cleaned_data["new_password1"]
        if self.user.check_password(wanted):
            raise forms.ValidationError("This is the password you have. Choose another one.")
        return wanted
