"""Whether something was made with a live key or with a test key."""

from rest_framework import serializers

from licensing.models import MODES


class ModeField(serializers.ChoiceField):
    """``live`` or ``test``, of the tenant of a row."""

    def __init__(self, source: str = "tenant.mode") -> None:
        super().__init__(
            choices=MODES,
            source=source,
            help_text="`test` for what a test key made; it is deleted after 7 days.",
        )
