"""How a session was begun, as Django stores it in the session."""

from typing import Any

from django.contrib.auth.backends import ModelBackend


class ProviderBackend(ModelBackend):
    """
    Carries sessions that the provider began.

    Django ends the sessions of a backend that the settings no longer name: those with a password
    once passwords are off, and these once there is no provider.
    """

    def authenticate(
        self, request: Any, username: Any = None, password: Any = None, **_: Any
    ) -> None:
        """Return None: a password is not for this backend."""
        return
