"""The wire shapes of how a file is read."""

from typing import Any

from rest_framework import serializers

from schemas.localized import LocalizedField, LocalizedMembers
from schemas.shapes.strict import DictIn, ListIn, StrictIn


class EvidenceOut(serializers.Serializer[Any]):
    """One reason for a decision of the reader: header, delimiter, encoding, merged cells..."""

    decision = serializers.CharField()
    reason = LocalizedField()
    score = serializers.FloatField(allow_null=True)


class TableOut(serializers.Serializer[Any]):
    """One candidate table of the file."""

    sheet = serializers.CharField(allow_null=True)
    member = serializers.CharField(
        source="file", allow_null=True, default=None, help_text="Of an archive of several files."
    )
    stacked = serializers.ListField(
        child=serializers.IntegerField(),
        default=list,
        help_text="The tables that this one stacks, one below the other.",
    )
    page = serializers.IntegerField(allow_null=True)
    range = serializers.CharField(allow_null=True)
    headerRows = serializers.ListField(source="header_rows", child=serializers.IntegerField())
    columns = serializers.ListField(child=serializers.CharField())
    preview = serializers.JSONField()
    rowCount = serializers.IntegerField(source="row_count", allow_null=True)
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField()
    skipped = serializers.DictField(child=serializers.IntegerField())
    evidence = EvidenceOut(many=True)
    document = serializers.DictField(child=serializers.CharField())


class TablesOut(serializers.Serializer[Any]):
    """The tables found in a file, best first, and which one is used."""

    chosen = serializers.IntegerField()
    entries = serializers.DictField(
        child=serializers.IntegerField(),
        default=dict,
        help_text="Which table feeds which entry: as chosen, or as it seems, to be sent back.",
    )
    tables = TableOut(many=True)
    questions = serializers.ListField(child=LocalizedMembers())
    issues = serializers.ListField(child=LocalizedMembers())


class ReadingIn(StrictIn):
    """A choice about how the file is read; what is absent is decided by the engine."""

    table = serializers.IntegerField(required=False, min_value=0)
    tables = ListIn(
        required=False,
        child=serializers.IntegerField(min_value=0),
        min_length=1,
        max_length=1_000,
        help_text="Tables with the same header, to be stacked in this order; instead of `table`.",
    )
    entries = DictIn(
        required=False,
        child=serializers.IntegerField(min_value=0),
        allow_empty=False,
        help_text="Which table feeds which entry of the catalog; instead of `table` and `tables`.",
    )
    headerRows = ListIn(
        source="header_rows", required=False, child=serializers.IntegerField(min_value=0)
    )
    joinedLines = serializers.ChoiceField(
        source="joined_lines",
        required=False,
        choices=("join", "apart"),
        help_text="Of a PDF: what lines are that may be the end of the row above, or rows.",
    )
    takeBack = ListIn(
        source="restored",
        required=False,
        child=serializers.IntegerField(min_value=0),
        max_length=10_000,
        help_text="Rows that were left out and are data: `row` of `left-out`. Absent: those taken "
        "back before stay, unless the choice numbers the rows in another way (`table`, `tables`, "
        "`entries`, `joinedLines`). To leave one out again, a session needs `exclude`.",
    )
    encoding = serializers.CharField(required=False, max_length=40, trim_whitespace=False)
    delimiter = serializers.CharField(required=False, max_length=8, trim_whitespace=False)
