"""Fields whose sentences are shown in the language of the request."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.http.language import localized, localized_problem
from schemas.members import FindingShape, ProblemShape

SENTENCES = frozenset({"message", "hint", "label", "effect", "reason", "evidence"})


class LocalizedField(serializers.CharField):
    """A sentence of the engine."""

    def to_representation(self, value: Any) -> str:
        """Return it in the language of the request."""
        return localized(value if isinstance(value, str) else str(value))


class SentenceText(serializers.CharField):
    """A text that a caller of the shape localizes, if it is a sentence of the engine."""

    def to_representation(self, value: Any) -> str:
        """Return it as it is: a sentence keeps its template."""
        return value if isinstance(value, str) else str(value)


@extend_schema_field(ProblemShape)
class LocalizedProblem(serializers.JSONField):
    """A problem that was kept: its code stays, its sentence follows the request."""

    def to_representation(self, value: Any) -> Any:
        """Return it in the language of the request."""
        return localized_problem(value) if isinstance(value, dict) else value


@extend_schema_field(FindingShape)
class LocalizedMembers(serializers.JSONField):
    """JSON of the engine, some of whose members are sentences."""

    def to_representation(self, value: Any) -> Any:
        """Return these in the language of the request."""
        return _localized(value)


class LocalizedReport(serializers.JSONField):
    """The report of a check that was kept: the sentences of its findings follow the request."""

    def to_representation(self, value: Any) -> Any:
        """Return it in the language of the request."""
        if not isinstance(value, dict):
            return value
        return {**value, **{name: _localized(value.get(name)) for name in ("findings", "issues")}}


def _localized(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_localized(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _sentences(item) if name in SENTENCES else _localized(item)
        for name, item in value.items()
    }


def _sentences(value: Any) -> Any:
    if isinstance(value, str):
        return localized(value)
    return [_sentences(item) for item in value] if isinstance(value, list | tuple) else value
