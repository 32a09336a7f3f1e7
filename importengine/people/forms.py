"""The forms in which a person confirms who they are, with a limit on guessing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.forms import ReauthenticateForm as PasswordForm
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.exceptions import ValidationError

from licensing.people.sign_ins import guessing


class SecondFactor(AuthenticateForm):
    """The code after the password."""

    def clean_code(self) -> Any:
        """Check the code, if there were not too many wrong ones."""
        with guessing(self.user, "code"):
            return super().clean_code()


class ConfirmedByCode(ReauthenticateForm):
    """The code before a change of one's factors."""

    def clean_code(self) -> Any:
        """Check the code, if there were not too many wrong ones."""
        with guessing(self.user, "code"):
            return super().clean_code()


class ConfirmedByPassword(PasswordForm):
    """The password before a change of one's factors."""

    def clean_password(self) -> Any:
        """Check the password, if there were not too many wrong ones."""
        with guessing(self.user, "password"):
            return super().clean_password()


@contextmanager
def _readable() -> Iterator[None]:
    """Refuse what no browser sends as a passkey; django-allauth reads its members unchecked."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ValidationError("This passkey was not accepted.", code="incorrect_code") from error


class AddedPasskey(AddWebAuthnForm):
    """A passkey to add."""

    def clean(self) -> Any:
        """Check what the browser made."""
        with _readable():
            return super().clean()


class ByPasskey(AuthenticateWebAuthnForm):
    """A passkey after the password."""

    def clean_credential(self) -> Any:
        """Check what the browser signed, if there were not too many wrong ones."""
        with guessing(self.user, "passkey"), _readable():
            return super().clean_credential()


class ConfirmedByPasskey(ReauthenticateWebAuthnForm):
    """A passkey before a change of one's factors."""

    def clean_credential(self) -> Any:
        """Check what the browser signed, if there were not too many wrong ones."""
        with guessing(self.user, "passkey"), _readable():
            return super().clean_credential()
