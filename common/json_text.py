"""
JSON stored as text: PostgreSQL's jsonb reorders members and rewrites numbers, text does not.

A sentence of the engine keeps its template and values in the columns that are declared for it. A
text that was stored without them is shown in English.
"""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

from common.wording.messages import KeyedSentence
from tabular.model.sentences import MARK, Sentence, packed, unpacked

if TYPE_CHECKING:
    _TextField = models.JSONField  # the type for the type checker
    _CharField = models.CharField[str, str]
else:
    _TextField = models.TextField
    _CharField = models.CharField
KINDS = {kind.mark: kind for kind in (Sentence, KeyedSentence)}
OPENING = f'{{"{MARK}'


class JsonTextField(_TextField):
    """A JSON value that keeps the order of its members and the form of its numbers."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """Parse on reading."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Write compact JSON."""
        return None if value is None else json.dumps(value, ensure_ascii=False)


class WordedJsonField(JsonTextField):
    """A JSON value with sentences of the engine."""

    def deconstruct(self) -> Any:
        """Return a plain column: it is stored in the same way."""
        name, _, args, options = super().deconstruct()
        return name, "common.json_text.JsonTextField", args, options

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        """Parse on reading."""
        return read_worded(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Write compact JSON."""
        return super().get_prep_value(packed(value))


class WordedField(_CharField):
    """A text that is a sentence of the engine, or was typed by a person."""

    def deconstruct(self) -> Any:
        """Return a plain column: it is stored in the same way."""
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.CharField", args, options

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        """Return the sentence on reading."""
        is_worded = value is not None and value.startswith(OPENING)
        worded: str | None = read_worded(value) if is_worded else value
        return worded

    def get_prep_value(self, value: Any) -> Any:
        """Write a sentence as JSON; only its English text, if that does not fit."""
        if isinstance(value, str) and value.startswith(OPENING):  # typed by a person
            value = Sentence("{text}", text=value)
        if not isinstance(value, Sentence):
            return super().get_prep_value(value)
        written = json.dumps(packed(value), ensure_ascii=False)
        return written if len(written) <= (self.max_length or 0) else str(value)


def read_worded(text: str | None) -> Any:
    """Parse JSON with sentences."""
    if text is None:
        return None
    value = json.loads(text)
    return unpacked(value, KINDS) if MARK in text else value
