"""The wire shapes of value lists."""

from typing import Any

from rest_framework import serializers

from references.value_lists.columns import MOST_CHARACTERS, MOST_ROWS
from schemas.moments import MomentField
from schemas.parameters import QueryIn
from schemas.shapes.strict import ListIn, StrictIn


class PairIn(ListIn):
    """A key and its value."""

    def __init__(self, **options: Any) -> None:
        """Take two texts."""
        text = serializers.CharField(max_length=MOST_CHARACTERS, allow_blank=True)
        super().__init__(child=text, min_length=2, max_length=2, **options)


class ValueListIn(StrictIn):
    """The rows of a value list; as CSV: lines of a key and a value, without a header."""

    rows = ListIn(child=PairIn(), allow_empty=False, max_length=MOST_ROWS)


class ListFormatIn(QueryIn):
    """How a list is written."""

    format = serializers.ChoiceField(choices=["json", "csv"], required=False, default="json")


class ValueListOut(serializers.Serializer[Any]):
    """A value list without its rows."""

    key = serializers.CharField()
    digest = serializers.CharField(
        source="version.digest", help_text="SHA-256 of the content: equal lists have the same."
    )
    rowCount = serializers.IntegerField(source="version.row_count")
    changedAt = MomentField(source="changed_at")


class ValueRowsOut(ValueListOut):
    """A value list with its rows."""

    rows = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2),
        max_length=MOST_ROWS,
    )
