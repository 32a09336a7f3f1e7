"""The wire shapes of an answer that is previewed."""

import json
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from schemas.localized import LocalizedField
from schemas.parameters import QueryIn
from schemas.shapes.review.questions import Anything
from schemas.shapes.review.rows import IssueOut
from staging.edits.answered_rows import OUTCOMES, UNCHANGED

TOUCHED = [outcome for outcome in OUTCOMES if outcome != UNCHANGED]


class JsonText(serializers.CharField):
    """JSON in a query; anything else is a text."""

    def run_validation(self, data: Any = empty) -> Any:
        """Return the value of the JSON text."""
        text = super().run_validation(data)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text


class PreviewFilters(QueryIn):
    """Which answer to try, and which of its rows to show."""

    value = JsonText(
        max_length=10_000,
        help_text='As in `answer`, as JSON (`null`, `3`, `{"A": "p.name"}`); anything else is a '
        "text (`mdy`).",
    )
    outcome = serializers.ListField(
        child=serializers.ChoiceField(choices=OUTCOMES),
        required=False,
        default=TOUCHED,
        help_text="Which rows; may be repeated. All but `unchanged` when absent.",
    )
    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=500)


class CountsOut(serializers.Serializer[Any]):
    """Rows, not left out, with a text that the question is about."""

    fixed = serializers.IntegerField(help_text="An error goes, and none comes.")
    broken = serializers.IntegerField(help_text="An error comes.")
    changed = serializers.IntegerField(help_text="Another value or finding, without a new error.")
    unchanged = serializers.IntegerField()


class CellOut(serializers.Serializer[Any]):
    """One cell: its text, and the value as it is and as it would be."""

    field = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    now = Anything(allow_null=True)
    then = Anything(allow_null=True)


class TouchedRowOut(serializers.Serializer[Any]):
    """A row, with the cells and the findings that the answer is about."""

    row = serializers.IntegerField()
    sourceRow = serializers.IntegerField()
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    cells = CellOut(many=True)
    issuesNow = IssueOut(many=True)
    issuesThen = IssueOut(many=True)


class AnswerPreviewOut(serializers.Serializer[Any]):
    """What an answer would do."""

    revision = serializers.IntegerField()
    value = Anything(allow_null=True)
    effect = LocalizedField(allow_blank=True, help_text="As the candidate of the question says.")
    counts = CountsOut(
        allow_null=True,
        help_text="Null where the answer reads the file again or makes other rows: `effect` alone.",
    )
    items = TouchedRowOut(many=True)
    next = serializers.CharField(allow_null=True)
