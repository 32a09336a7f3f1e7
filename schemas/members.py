"""Members that are kept as JSON, as the OpenAPI document describes them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


def _counts(*names: str) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    return {name: serializers.IntegerField(required=False) for name in names}


class CountsShape(serializers.Serializer[Any]):
    """Numbers of rows by kind, and of issues by code; those that are known so far."""

    byCode = serializers.DictField(child=serializers.IntegerField(), required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add a number for each kind of row."""
        made = _counts("sourceRows", "skipped", "rows", "valid", "warning", "error", "excluded")
        applied = _counts("imported", "failed", "unselected", "deleted")
        known = _counts("new", "changed", "unchanged", "unclear", "missing")
        proven = _counts("agreed", "differs", "refused", "notAnswered")
        return {**made, **applied, **known, **proven, **super().get_fields()}


class FaultShape(serializers.Serializer[Any]):
    """One fault of several."""

    pointer = serializers.CharField(required=False)
    code = serializers.CharField(required=False)
    detail = serializers.CharField(required=False)


class MissingShape(serializers.Serializer[Any]):
    """A required field that no column feeds."""

    entity = serializers.CharField()
    field = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the wire's name for it


class ProblemShape(serializers.Serializer[Any]):
    """A problem that was kept; its code may bring further members."""

    code = serializers.CharField()
    detail = serializers.CharField()
    title = serializers.CharField(required=False)
    status = serializers.IntegerField(required=False)
    type = serializers.CharField(required=False)
    errors = FaultShape(many=True, required=False)  # type: ignore[assignment]  # the wire's name for it
    missing = MissingShape(many=True, required=False)


class StepShape(serializers.Serializer[Any]):
    """One step; each kind has members of its own. docs/recipes.md."""

    do = serializers.CharField()


class RecipeShape(serializers.Serializer[Any]):
    """The cleaning steps of a mapping. docs/recipes.md."""

    version = serializers.IntegerField()
    steps = StepShape(many=True)


class FindingShape(serializers.Serializer[Any]):
    """What a reader found or asks; each kind has members of its own."""

    message = serializers.CharField(required=False)


@extend_schema_field(CountsShape)
class CountsField(serializers.JSONField):
    """Counts, shown as they are kept."""


@extend_schema_field(RecipeShape)
class RecipeField(serializers.JSONField):
    """A recipe, shown as it is kept."""


@extend_schema_field(
    {"type": "array", "items": {"type": "array", "items": {"type": ["string", "null"]}}}
)
class CellsField(serializers.JSONField):
    """Rows of cells, as texts of the file; null for a cell that is not there."""


@extend_schema_field({"type": ["string", "number"]})
class OptionValue(serializers.JSONField):
    """The value of an option of a field."""
