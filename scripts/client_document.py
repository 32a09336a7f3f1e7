"""
Prepare the OpenAPI document for the generators of clients.

A client that is older than its engine must not fail at what is new: whatever an answer may say
stays open. What is sent keeps its closed lists, so that a typing mistake is found before the call.
"""

from collections.abc import Iterator, Mapping
from typing import Any

COMPONENT = "#/components/schemas/"
NAMES = frozenset({"properties", "schemas", "$defs"})  # whose keys are not words of the format
ANY = "StorableJson"
# A default is the engine's, a title renames a shape, a link needs other calls, and a pattern is
# the engine's to check.
NOT_FOR_CLIENTS = frozenset({"default", "title", "example", "examples", "links", "propertyNames"})
NOT_REST = "mcp"
EVENT = "DeliveryEvent"


def for_typescript(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document as openapi-typescript gets it; a type may not name itself there."""
    shapes = {name: _without(whole[name]) for name in ("paths", "components", "webhooks")}
    del shapes["components"]["schemas"][ANY]
    return {"openapi": whole["openapi"], "info": whole["info"], **shapes}


def for_python(whole: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the document as openapi-python-client gets it.

    Problems are left out, because the client raises them; so are webhooks, which it cannot read,
    although their schemas stay.
    """
    paths = {
        path: {method: _raising(operation) for method, operation in operations.items()}
        for path, operations in whole["paths"].items()
        if not path.endswith(f"/{NOT_REST}")
    }
    document = {
        "openapi": whole["openapi"],
        "info": whole["info"],
        "paths": _without(paths),
        "components": _without(whole["components"]),
    }
    del document["components"]["schemas"][ANY]
    return _open_answers(document)


def _raising(operation: Mapping[str, Any]) -> dict[str, Any]:
    answers = {
        status: answer for status, answer in operation["responses"].items() if status[0] in "23"
    }
    return {**operation, "responses": answers}


def _without(value: Any, *, are_names: bool = False) -> Any:
    """Return a document without what clients do not read; any JSON has no shape."""
    if isinstance(value, list):
        return [_without(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("$ref") == COMPONENT + ANY:
        return {}
    return {
        key: _without(member, are_names=key in NAMES and not are_names)
        for key, member in value.items()
        if are_names or key not in NOT_FOR_CLIENTS
    }


def _open_answers(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with any text where an answer has one of a list."""
    schemas = document["components"]["schemas"]
    answers = [
        operation["responses"]
        for operations in document["paths"].values()
        for operation in operations.values()
    ]
    reached: set[str] = set()
    ahead = [EVENT, *_named(answers)]
    while ahead:
        name = ahead.pop()
        if name in schemas and name not in reached:
            reached.add(name)
            ahead += _named(schemas[name])
    closed = frozenset(name for name in reached if "enum" in schemas[name])
    for name in reached - closed:
        schemas[name] = _opened(schemas[name], closed)
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"] = _opened(operation["responses"], closed)
    return document


def _named(value: Any) -> Iterator[str]:
    """Yield the names of the components that a value refers to."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].removeprefix(COMPONENT)
        for member in value.values():
            yield from _named(member)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item)


def _opened(value: Any, closed: frozenset[str]) -> Any:
    """
    Return a schema whose lists of texts are open.

    >>> _opened({"properties": {"state": {"$ref": "#/components/schemas/State"}}}, {"State"})
    {'properties': {'state': {'type': 'string'}}}
    """
    if isinstance(value, list):
        return [_opened(item, closed) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("$ref", "").removeprefix(COMPONENT) in closed:
        return {"type": "string"}
    if isinstance(value.get("enum"), list) or isinstance(value.get("const"), str):
        rest = {key: member for key, member in value.items() if key not in {"enum", "const"}}
        return {"type": "string", **rest}
    return {key: _opened(member, closed) for key, member in value.items()}
