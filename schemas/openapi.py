"""What drf-spectacular cannot see in our shapes; import it before the shapes are described."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

SAME_AS_WEBHOOK = "Deprecated: use `webhookId`, which has the same value."
NOT_BLANK = r"^[^\u0000]*[^\u0000\s][^\u0000]*$"


class StrictShape(OpenApiSerializerExtension):  # type: ignore[no-untyped-call] # its metaclass hook is untyped
    """Bodies that refuse unknown members say so."""

    target_class = "schemas.shapes.strict.StrictIn"
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Close the object."""
        map_serializer: Any = auto_schema._map_serializer
        schema = map_serializer(self.target, direction, bypass_extensions=True)
        for name, member in schema.get("properties", {}).items():
            field = self.target.fields[name]
            if isinstance(field, serializers.DictField) and not field.allow_empty:
                member["minProperties"] = 1
            if isinstance(field, serializers.ListField) and not field.allow_empty:
                member.setdefault("minItems", 1)
            if _is_trimmed(field) and not {"enum", "format", "pattern"} & member.keys():
                member["pattern"] = NOT_BLANK
        closed = {**schema, **self.target.schema, "additionalProperties": False}
        return _one_shape_a_way(closed, self.target.ways) if self.target.ways else closed


def _is_trimmed(field: Any) -> bool:
    """Return whether white space alone counts as an empty text, which is refused."""
    plain = type(field) is serializers.CharField
    return plain and field.trim_whitespace and not field.allow_blank


def _one_shape_a_way(schema: dict[str, Any], ways: tuple[str, ...]) -> dict[str, Any]:
    """Describe each alternative as a closed object, so that a generated client cannot mix them."""
    members, required = schema["properties"], schema.get("required", [])
    shapes = [
        {
            "type": "object",
            "title": way,
            "properties": {n: member for n, member in members.items() if n == way or n not in ways},
            "required": sorted({*required, way}),
            "additionalProperties": False,
        }
        for way in ways
    ]
    return {"description": schema.get("description", ""), "oneOf": shapes}


def say_anything_once(schema: Any) -> None:
    """Any JSON value may be null: remove the second mention of null, which would match twice."""
    if isinstance(schema, dict):
        if schema.get("oneOf") == [{}, {"type": "null"}]:
            del schema["oneOf"]
        for member in schema.values():
            say_anything_once(member)
