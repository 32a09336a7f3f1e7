"""The body of every error: problem+json (RFC 9457). Spec: Errors."""

from typing import Any

from rest_framework import serializers

PROBLEM_JSON = "application/problem+json"


class ProblemOut(serializers.Serializer[None]):
    """What went wrong: ``code`` is stable, ``detail`` is for people."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()


def problems(*statuses: int) -> dict[tuple[int, str], Any]:
    """Return the OpenAPI responses for statuses, and for those any call may end with."""
    return {(status, PROBLEM_JSON): ProblemOut for status in (*statuses, 401, 403, 429)}
