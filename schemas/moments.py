"""Moments on the wire: ISO 8601 in UTC, to the millisecond."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from common import clock


class MomentField(serializers.DateTimeField):
    """Writes an aware moment as every other document of the engine does."""

    def to_representation(self, value: Any) -> str:
        """Write the moment."""
        moment: datetime = value
        return clock.iso(moment)
