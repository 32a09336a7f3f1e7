"""JSON Schemas (2020-12) of tools, from the same serializers as OpenAPI."""

import json
from functools import cache
from typing import Any, Literal, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from rest_framework import serializers
from rest_framework.generics import GenericAPIView

import schemas.openapi as described
from schemas.shapes.context import catalog_parts

Direction = Literal["request", "response"]
REFS = "#/components/schemas/", "#/$defs/"


@cache
def schema_of(shape: type[serializers.Serializer[Any]], direction: Direction) -> dict[str, Any]:
    """Return a serializer as one object schema, with nested ones as ``$defs``."""
    auto: Any = AutoSchema()
    auto.view = GenericAPIView(request=None, format_kwarg=None)  # it is the generator's context
    auto.registry = ComponentRegistry()
    auto.method = "POST"
    auto.path = "/"
    auto.resolve_serializer(shape, direction)
    schemas = _whole(auto.registry.build({})["schemas"])
    described.say_anything_once(schemas)
    schemas = json.loads(json.dumps(schemas, default=str).replace(*REFS), object_hook=_plain)
    name = next(name for name in schemas if name in {shape.__name__, f"{shape.__name__}Request"})
    schema = schemas.pop(name)
    return cast(dict[str, Any], {**schema, **({"$defs": schemas} if schemas else {})})


def _whole(schemas: dict[str, Any]) -> dict[str, Any]:
    """Return schemas with the parts of a catalog that they refer to."""
    parts, whole = catalog_parts(), dict(schemas)
    while missing := {name for name in _named(whole) if name in parts and name not in whole}:
        whole |= {name: parts[name] for name in missing}
    return whole


def _named(schemas: dict[str, Any]) -> set[str]:
    text = json.dumps(schemas, default=str)
    return {part.partition('"')[0] for part in text.split(REFS[0])[1:]}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Remove the generator's description of an enumeration, which repeats its values."""
    if "enum" in schema:
        schema.pop("x-spec-enum-id", None)
        if str(schema.get("description", "")).startswith("* "):
            del schema["description"]
    return schema
