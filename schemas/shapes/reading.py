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
MOST_KEY_COLUMNS = 4
LONGEST_NAME = 1_000  # of a column


class PairsField(serializers.ListField):
    """Pairs of columns, which are stored as two names each."""

    def to_representation(self, data: Any) -> list[Any]:
        """Return each pair by its names."""
        return [{"child": child, "parent": parent} for child, parent in data]


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


class ColumnPairOut(serializers.Serializer[Any]):
    """Two columns whose texts match."""

    child = serializers.CharField()
    parent = serializers.CharField()  # type: ignore[assignment]  # the wire's name for it


class JoinedOut(serializers.Serializer[Any]):
    """How two tables were joined; no row of either is lost."""

    child = serializers.IntegerField()
    parent = serializers.IntegerField()  # type: ignore[assignment]  # the wire's name for it
    on = PairsField(child=ColumnPairOut())
    matched = serializers.IntegerField(help_text="Rows of the child with a match.")
    childOnly = serializers.IntegerField(
        source="child_only", help_text="Rows of the child without a match."
    )
    parentOnly = serializers.IntegerField(
        source="parent_only", help_text="Rows of the parent without a match."
    )
    childRate = serializers.FloatField(
        source="child_rate", help_text="Share of the child's distinct keys that the parent has."
    )
    parentRate = serializers.FloatField(
        source="parent_rate", help_text="Share of the parent's distinct keys that the child has."
    )


class RelatedOut(serializers.Serializer[Any]):
    """Two tables that may belong together, and what speaks for it."""

    kind = serializers.ChoiceField(choices=("append", "join"))
    first = serializers.IntegerField(help_text="The number of a table; of a join, the child.")
    other = serializers.IntegerField(help_text="The number of a table; of a join, the parent.")
    onlyFirst = serializers.ListField(
        source="only_first",
        child=serializers.CharField(),
        help_text="To append: columns that `other` does not have.",
    )
    onlyOther = serializers.ListField(
        source="only_other",
        child=serializers.CharField(),
        help_text="To append: columns that `first` does not have.",
    )
    on = PairsField(child=ColumnPairOut(), help_text="To join: the columns that match.")
    firstRate = serializers.FloatField(
        source="first_rate",
        allow_null=True,
        help_text="To join: the share of distinct keys of `first` that `other` has.",
    )
    otherRate = serializers.FloatField(
        source="other_rate",
        allow_null=True,
        help_text="To join: the share of distinct keys of `other` that `first` has.",
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
        help_text="The tables that this one is made of: one below the other, or joined.",
    )
    join = JoinedOut(
        allow_null=True, default=None, help_text="How `stacked` were joined; null if they were not."
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
    related = RelatedOut(
        many=True,
        default=list,
        help_text="Pairs of tables that may be stacked or joined, by the first rows of both.",
    )
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


class ColumnPairIn(StrictIn):
    """Two columns whose texts are to match."""

    child = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)
    parent = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)  # type: ignore[assignment]  # the wire's name for it


class JoinIn(StrictIn):
    """Two tables to join: rows of the child get the columns of the parent."""

    child = serializers.IntegerField(min_value=0)
    parent = serializers.IntegerField(min_value=0)  # type: ignore[assignment]  # the wire's name for it
    on = ListIn(
        required=False,
        child=ColumnPairIn(),
        min_length=1,
        max_length=MOST_KEY_COLUMNS,
        help_text="The columns that must match. Absent: the pair that matches best.",
    )


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
    join = JoinIn(
        required=False,
        help_text="Two tables, joined by a key; instead of `table`, `tables` and `entries`. Rows "
        "without a match stay.",
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
        if join := given.pop("join", None):
            if given.keys() & {"table", "tables", "entries"}:
                raise serializers.ValidationError({"join": ["Name tables only in `join`."]})
            on = [(pair["child"], pair["parent"]) for pair in join.get("on", ())]
            given |= {"tables": [join["child"], join["parent"]], "joined_on": on}
        return super().validate(given)
