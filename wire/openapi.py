"""What drf-spectacular cannot see of our shapes by itself; loaded by whoever describes them."""

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers


class StrictShape(OpenApiSerializerExtension):  # type: ignore[no-untyped-call] # its metaclass hook is untyped
    """Bodies that refuse unknown members say so."""

    target_class = "wire.shapes.strict.StrictIn"
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
        return {**schema, **self.target.schema, "additionalProperties": False}


def say_anything_once(schema: Any) -> None:
    """What may be any JSON value may be null; said beside it, null would match twice."""
    if isinstance(schema, dict):
        if schema.get("oneOf") == [{}, {"type": "null"}]:
            del schema["oneOf"]
        for member in schema.values():
            say_anything_once(member)
