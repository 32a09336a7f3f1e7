"""Request bodies that refuse what they do not know."""

from typing import Any, ClassVar

from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.characters import SENTENCE, unstorable_in


class StrictIn(serializers.Serializer[Any]):
    """A request body whose unknown members are refused, not dropped."""

    schema: ClassVar[dict[str, Any]] = {}  # what OpenAPI says beside the members
    ways: ClassVar[tuple[str, ...]] = ()  # members of which exactly one is sent

    def to_internal_value(self, data: Any) -> Any:
        """Refuse members that are not part of the shape."""
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({name: ["Unknown member."] for name in unknown})
            if not isinstance(data, QueryDict):
                self._refuse_texts(data)
        return super().to_internal_value(data)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse none of several ways, and more than one."""
        if self.ways and len(set(self.ways) & given.keys()) != 1:
            raise serializers.ValidationError(f"Send exactly one of {', '.join(self.ways)}.")
        return given

    def _refuse_texts(self, data: dict[str, Any]) -> None:
        """JSON has booleans and numbers of its own; only a form must write them as text."""
        wrong = {name: _another_kind(self.fields[name], value) for name, value in data.items()}
        if any(wrong.values()):
            raise serializers.ValidationError({name: w for name, w in wrong.items() if w})


def _another_kind(field: serializers.Field[Any, Any, Any, Any], value: Any) -> Any:
    """Say what a value must be that DRF would take for it, at its place; empty when it is that."""
    match field:
        case serializers.ListField() if isinstance(value, list):
            found = {n: _another_kind(field.child, one) for n, one in enumerate(value)}
            return {number: wrong for number, wrong in found.items() if wrong}
        case serializers.DictField() if isinstance(value, dict):
            found = {name: _another_kind(field.child, one) for name, one in value.items()}
            return {name: wrong for name, wrong in found.items() if wrong}
        case serializers.BooleanField() if not isinstance(value, bool | None):
            return ["This must be true or false."]
        case serializers.IntegerField() if isinstance(value, str):
            return ["This must be a number."]
        case serializers.CharField() if not isinstance(value, str | None):
            return ["This must be a text."]
    return []


class TrueOrFalse(serializers.BooleanField):
    """A query parameter that is `true` or `false`, and nothing like it."""

    TRUE_VALUES = {"true"}  # noqa: RUF012 - DRF declares it so
    FALSE_VALUES = {"false"}  # noqa: RUF012 - DRF declares it so


@extend_schema_field({"type": "object"})
class JsonObject(serializers.JSONField):
    """A JSON object; multipart forms may send it as text."""

    def to_internal_value(self, data: Any) -> Any:
        """Parse text, and refuse anything but an object."""
        self.binary = isinstance(data, str)
        value: Any = super().to_internal_value(data)
        if not isinstance(value, dict) and not (value is None and self.allow_null):
            raise serializers.ValidationError("This must be a JSON object.")
        if next(unstorable_in(value), None) is not None:
            raise serializers.ValidationError(SENTENCE)
        return value
