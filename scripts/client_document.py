"""
Prepare the OpenAPI document for the generators of clients.

A client that is older than its engine must not fail at what is new: whatever an answer may say
stays open. One that is newer must not fail at what is not there yet: no member of an answer has to
be there. What is sent keeps its rules, so that a typing mistake is found before the call.
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
    schemas = document["components"]["schemas"]
    document["components"]["schemas"] = _with_named_alternatives(_without_choices(schemas))
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


def _without_choices(value: Any) -> Any:
    """
    Return schemas without rules about which members must be there, and what they may hold then.

    >>> _without_choices({"properties": {"a": {}}, "oneOf": [{"required": ["a"]}]})
    {'properties': {'a': {}}}

    The generator would take an object with such a rule for any value, or leave it out.
    """
    if isinstance(value, list):
        return [_without_choices(item) for item in value]
    if not isinstance(value, dict):
        return value
    members = {"required", *({"properties"} & value.keys())}  # of members that it describes itself
    is_rule = {
        key: key in {"oneOf", "anyOf"} and all(set(choice) <= members for choice in member)
        for key, member in value.items()
    }
    return {key: _without_choices(member) for key, member in value.items() if not is_rule[key]}


def _with_named_alternatives(schemas: dict[str, Any]) -> dict[str, Any]:
    """
    Return the components, each alternative of one as a component with a name of its own.

    The generator makes the objects inside of an alternative without a name twice, and then drops
    the alternative.
    """
    made = {}
    for name, schema in schemas.items():
        made[name] = schema
        for number, choice in enumerate(schema.get("oneOf", [])):
            if "properties" in choice:
                made[f"{name}Type{number}"] = choice
                named = [*made[name]["oneOf"]]
                named[number] = {"$ref": f"{COMPONENT}{name}Type{number}"}
                made[name] = {**made[name], "oneOf": named}
    return made


def _open_answers(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with any text where an answer has one of a list."""
    schemas = document["components"]["schemas"]
    answers = [
        operation["responses"]
        for operations in document["paths"].values()
        for operation in operations.values()
    ]
    reached = _reached(schemas, {EVENT, *_named(answers)})
    closed = frozenset(name for name in reached if "enum" in schemas[name])
    for name in reached - closed:
        schemas[name] = _opened(schemas[name], closed)
    for name in always_answered(document):
        del schemas[name]["required"]
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"] = _opened(operation["responses"], closed)
    return document


def always_answered(document: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """
    Return the members that today's engine always answers, by the name of their component.

    Those of a delivery are not among them, because a body without them is not one; nor is what
    calls take, too, nor what is told from others by the members that it has.
    """
    schemas = document["components"]["schemas"]
    calls = [call for calls in document["paths"].values() for call in calls.values()]
    sent = [call.get("requestBody", {}) for call in calls]
    strict = _reached(schemas, {EVENT, *_named(sent)})
    answered = _reached(schemas, set(_named([call["responses"] for call in calls]))) - strict
    answered -= set(_alternatives(schemas))
    return {
        name: frozenset(schemas[name]["required"])
        for name in answered
        if "required" in schemas[name]
    }


def _reached(schemas: Mapping[str, Any], names: set[str]) -> set[str]:
    """Return the components with these names, and all that they refer to."""
    reached: set[str] = set()
    ahead = [*names]
    while ahead:
        name = ahead.pop()
        if name in schemas and name not in reached:
            reached.add(name)
            ahead += _named(schemas[name])
    return reached


def _alternatives(value: Any) -> Iterator[str]:
    """Yield the names of the components that a value may be instead of another."""
    if isinstance(value, list):
        for item in value:
            yield from _alternatives(item)
    if isinstance(value, dict):
        for key in ("oneOf", "anyOf"):
            choices = value.get(key)
            named = [choice["$ref"] for choice in choices or [] if "$ref" in choice]
            if len(named) > 1:
                yield from (ref.removeprefix(COMPONENT) for ref in named)
        for member in value.values():
            yield from _alternatives(member)


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

    A list with a description is an ``allOf`` of one: it becomes one schema, because the
    generator takes any other ``allOf`` for an object.
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
    match value.get("allOf"):
        case [{"$ref": ref}] if ref.removeprefix(COMPONENT) in closed:
            rest = {key: member for key, member in value.items() if key != "allOf"}
            return {"type": "string", **rest}
    return {key: _opened(member, closed) for key, member in value.items()}
