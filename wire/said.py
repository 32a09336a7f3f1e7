"""Fields whose sentences are shown in the language of the request."""

from typing import Any

from rest_framework import serializers

from common.http.language import said, said_problem

SENTENCES = frozenset({"message", "hint", "label", "effect", "reason", "evidence"})


class SaidField(serializers.CharField):
    """A sentence of the engine."""

    def to_representation(self, value: Any) -> str:
        """Return it in the language of the request."""
        return said(super().to_representation(value))


class SaidProblem(serializers.JSONField):
    """A problem that was kept: its code stays, its sentence follows the request."""

    def to_representation(self, value: Any) -> Any:
        """Return it in the language of the request."""
        return said_problem(value) if isinstance(value, dict) else value


class SaidMembers(serializers.JSONField):
    """JSON of the engine, some of whose members are sentences."""

    def to_representation(self, value: Any) -> Any:
        """Return these in the language of the request."""
        return _said_in(value)


class SaidReport(serializers.JSONField):
    """The report of a check that was kept: the sentences of its findings follow the request."""

    def to_representation(self, value: Any) -> Any:
        """Return it in the language of the request."""
        if not isinstance(value, dict):
            return value
        return {**value, **{name: _said_in(value.get(name)) for name in ("findings", "issues")}}


def _said_in(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_said_in(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _sentences(one) if name in SENTENCES else _said_in(one) for name, one in value.items()
    }


def _sentences(value: Any) -> Any:
    if isinstance(value, str):
        return said(value)
    return [_sentences(one) for one in value] if isinstance(value, list | tuple) else value
