"""JSON stored as text: PostgreSQL's jsonb reorders members and rewrites numbers, text does not."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _TextField = models.JSONField  # the type for the type checker
else:
    _TextField = models.TextField


class JsonTextField(_TextField):
    """A JSON value that keeps the order of its members and the form of its numbers."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """Parse on reading."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Write compact JSON."""
        return None if value is None else json.dumps(value, ensure_ascii=False)
