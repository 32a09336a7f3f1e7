"""The wire shapes of what the steps of a recipe change."""

from typing import Any

from rest_framework import serializers

from common.response_size import PAGE_BYTES, fitting, size_of
from imports.previews.steps import StepsPreview
from schemas.shapes.imports import TextMap
from schemas.shapes.strict import JsonObject, StrictIn
from tabular.protocol.results import StepChanges


class StepsPreviewIn(StrictIn):
    """A recipe to try, and the mapping that it is for."""

    mapping = TextMap(
        required=False,
        help_text="Source column to field path. Without it and `recipe`, the confirmed mapping is "
        "used, else the proposed one.",
    )
    recipe = JsonObject(required=False, allow_null=True, help_text="As in `PUT mapping`.")


class ComparedRowOut(serializers.Serializer[Any]):
    """A row before a step, and what the step makes of it."""

    sourceRow = serializers.IntegerField(source="source_row", help_text="As in `rows/query`.")
    before = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        help_text="The texts of the columns that the step reads, of the first 20; texts of more "
        "than 200 characters are cut.",
    )
    after = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(allow_null=True)),
        help_text="The same after the step, with the columns that it makes: empty for a row that "
        "it leaves out, several objects for one that it makes several of, at most ten.",
    )


class StepChangesOut(serializers.Serializer[Any]):
    """What one step changes, or all of them."""

    rowsBefore = serializers.IntegerField(source="rows_before")
    rowsAfter = serializers.IntegerField(source="rows_after")
    changedRows = serializers.IntegerField(
        source="changed_rows",
        help_text="Rows that it leaves out, makes several of, or gives another text.",
    )
    rows = ComparedRowOut(
        many=True, help_text="The first ten; fewer where they would be larger than 1 MB."
    )


class OneStepChangesOut(StepChangesOut):
    """What one step changes."""

    do = serializers.CharField(help_text="What the step does, as in the recipe.")


class StepsPreviewOut(serializers.Serializer[Any]):
    """What the steps of a recipe change, in their order, and all of them together."""

    sourceRows = serializers.IntegerField(help_text="How many rows the file has.")
    lookedAt = serializers.IntegerField(
        help_text="How many of them were looked at: the first, at most 10,000."
    )
    steps = OneStepChangesOut(many=True)
    whole = StepChangesOut()


def shown_steps(preview: StepsPreview) -> dict[str, Any]:
    """Return a preview with as many rows as fit into one response."""
    room = PAGE_BYTES // (len(preview.steps) + 1)
    return {
        "sourceRows": preview.source_rows,
        "lookedAt": preview.result.looked_at,
        "steps": [
            {"do": step["do"], **_shown(changes, room)}
            for step, changes in zip(preview.steps, preview.result.steps, strict=True)
        ],
        "whole": _shown(preview.result.whole, room),
    }


def _shown(changes: StepChanges, room: int) -> dict[str, Any]:
    shown = dict(StepChangesOut(changes).data)
    rows = shown["rows"]
    return {**shown, "rows": fitting(rows, room) if size_of(rows) > room else rows}
