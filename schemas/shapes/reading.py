"""The wire shapes of how a file is read."""

from itertools import pairwise
from typing import Any

from rest_framework import serializers

from schemas.localized import LocalizedField, LocalizedMembers
from schemas.members import CellsField
from schemas.shapes.strict import DictIn, ListIn, StrictIn

FARTHEST = 20_000.0  # points: no page is larger
MOST_COLUMNS = 500
MOST_FRAMES = 5_000


class EvidenceOut(serializers.Serializer[Any]):
    """One reason for a decision of the reader: header, delimiter, encoding, merged cells..."""

    decision = serializers.CharField()
    reason = LocalizedField()
    score = serializers.FloatField(allow_null=True)


class FrameOut(serializers.Serializer[Any]):
    """Where a table is on one page, in points from the page's upper left corner."""

    page = serializers.IntegerField()
    box = serializers.ListField(
        child=serializers.FloatField(), help_text="Left, top, right, bottom."
    )
    columns = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Borders of the columns from the left, both sides of the table included.",
    )


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
    preview = CellsField()
    rowCount = serializers.IntegerField(source="row_count", allow_null=True)
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField()
    skipped = serializers.DictField(child=serializers.IntegerField())
    evidence = EvidenceOut(many=True)
    document = serializers.DictField(child=serializers.CharField())
    frames = FrameOut(
        many=True,
        default=list,
        help_text="Of a PDF or a scan: where the table is on each of its pages.",
    )


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


class FrameIn(StrictIn):
    """A table on one page, as a person draws it."""

    page = serializers.IntegerField(min_value=1, max_value=100_000)
    box = ListIn(
        child=serializers.FloatField(min_value=0, max_value=FARTHEST),
        min_length=4,
        max_length=4,
        help_text="Left, top, right, bottom, in points from the page's upper left corner.",
    )
    columns = ListIn(
        child=serializers.FloatField(min_value=0, max_value=FARTHEST),
        min_length=2,
        max_length=MOST_COLUMNS + 1,
        help_text="Borders of the columns from the left, both sides of the table included.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse a frame without an inside, and borders out of order."""
        left, top, right, bottom = given["box"]
        if left >= right or top >= bottom:
            raise serializers.ValidationError({"box": ["Send left, top, right, bottom."]})
        if any(border >= other for border, other in pairwise(given["columns"])):
            raise serializers.ValidationError({"columns": ["Send the borders from the left."]})
        return given


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
    frames = ListIn(
        required=False,
        child=FrameIn(),
        min_length=1,
        max_length=MOST_FRAMES,
        help_text="Of a PDF or a scan: the table is what these frames hold, page by page, all "
        "with the same number of columns. `frames` of `tables` tells where it was found.",
    )
    takeBack = ListIn(
        source="restored",
        required=False,
        child=serializers.IntegerField(min_value=0),
        max_length=10_000,
        help_text="Rows that were left out and are data: `row` of `left-out`. Absent: those taken "
        "back before stay, unless the choice numbers the rows in another way (`table`, `tables`, "
        "`entries`, `joinedLines`, `frames`). To leave one out again, a session needs `exclude`.",
    )
    encoding = serializers.CharField(required=False, max_length=40, trim_whitespace=False)
    delimiter = serializers.CharField(required=False, max_length=8, trim_whitespace=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse frames with different numbers of columns."""
        if len({len(frame["columns"]) for frame in given.get("frames", ())}) > 1:
            raise serializers.ValidationError(
                {"frames": ["Send the same number of columns in each frame."]}
            )
        return super().validate(given)
