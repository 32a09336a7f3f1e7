"""The wire shapes of results."""

from typing import Any

from rest_framework import serializers

from schemas.parameters import QueryIn
from schemas.shapes.imports import CustomFieldOut
from schemas.shapes.strict import TrueOrFalse


class ResultsIn(QueryIn):
    """Which page; or everything as a stream."""

    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=1000, min_value=1, max_value=10_000)
    stream = TrueOrFalse(
        required=False, default=False, help_text="Every row, one JSON object a line."
    )
    nested = TrueOrFalse(
        required=False,
        default=False,
        help_text="Parents with lists of children, as in nested deliveries; pages hold whole ones.",
    )


class RowIssueOut(serializers.Serializer[Any]):
    """A value that is null because it is invalid; ``row`` counts the delivered rows from 0."""

    row = serializers.IntegerField()
    field = serializers.CharField()
    code = serializers.CharField()
    value = serializers.CharField(allow_null=True)
    message = serializers.CharField(help_text="The sentence that review and exports show.")


class UnmappedOut(serializers.Serializer[Any]):
    """The values of the unmapped columns: one array per row, in the order of ``columns``."""

    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(allow_null=True))
    )


class CustomOptionOut(serializers.Serializer[Any]):
    """A value that matches no option of its field; ``row`` counts the delivered rows from 0."""

    row = serializers.IntegerField()
    field = serializers.CharField()
    value = serializers.JSONField()


class ResultsOut(serializers.Serializer[Any]):
    """A page of the applied rows."""

    recordId = serializers.CharField()
    changesetId = serializers.CharField()
    rowCount = serializers.IntegerField()
    mapping = serializers.DictField(child=serializers.CharField())
    occurredAt = serializers.CharField()
    items = serializers.ListField(
        child=serializers.DictField(child=serializers.JSONField(allow_null=True)),
        help_text="At most `limit`; fewer where the page would become larger than 1 MB. A row that "
        "is larger by itself comes alone, and whole.",
    )
    rowIssues = RowIssueOut(many=True)
    unmapped = UnmappedOut(
        required=False, help_text="Only for an import with `keepUnmapped`; one array an item."
    )
    customOptions = CustomOptionOut(many=True)
    customFields = CustomFieldOut(many=True, help_text="The fields that people added.")
    next = serializers.CharField(allow_null=True)
