"""Additions to the schema that drf-spectacular cannot derive."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings

import licensing.openapi  # noqa: F401 - it registers itself
from api.delivered import add_webhooks
from api.links import add_links
from api.samples import PATHS, REQUESTS
from api.summaries import SHARED, SUMMARIES
from api.v1.http.pages import PARAMETERS, page_schema
from api.v1.http.problem import PROBLEM_JSON
from schemas.openapi import say_anything_once
from tabular.model.i_json import MAX_SAFE_INTEGER

NO_NUL = r"^[^\u0000]*$"
EXAMPLES = Path(__file__).with_name("examples.json")
READS_BODY = (400, 413, 415, 422)
RETRY_AFTER = {"schema": {"type": "integer"}, "description": "Seconds to wait.", "required": True}


TIMED = frozenset({"record_id", "changeset_id"})  # which calls are allowed depends on their state
STORABLE = "StorableJson"
STORABLE_REF = {"$ref": f"#/components/schemas/{STORABLE}"}
LIMITS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"})
KEPT = {"minimum": -MAX_SAFE_INTEGER, "maximum": MAX_SAFE_INTEGER}  # kept exactly by JSON parsers
STORABLE_JSON = {
    "description": "Any JSON whose texts hold no NUL.",
    "anyOf": [
        {"type": ["null", "boolean", "number"]},
        {"type": "string", "pattern": NO_NUL},
        {"type": "array", "items": STORABLE_REF},
        {
            "type": "object",
            "propertyNames": {"pattern": NO_NUL},
            "additionalProperties": STORABLE_REF,
        },
    ],
}


def take_no_nul(document: dict[str, Any]) -> None:
    """Declare that no text in a request may contain NUL, at any depth."""
    schemas = document["components"]["schemas"]
    seen: set[str] = set()
    for operations in document["paths"].values():
        for operation in operations.values():
            if operation["operationId"] == "mcp":  # a message; each tool validates its input
                continue
            for parameter in operation.get("parameters", ()):
                _without_nul(parameter["schema"], schemas, seen)
            for content in operation.get("requestBody", {}).get("content", {}).values():
                _without_nul(content["schema"], schemas, seen)
    schemas[STORABLE] = STORABLE_JSON


def _without_nul(schema: dict[str, Any], schemas: dict[str, Any], seen: set[str]) -> None:
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in schemas and name not in seen:
        seen.add(name)
        _without_nul(schemas[name], schemas, seen)
    if is_free_text(schema):
        schema["pattern"] = NO_NUL
    if schema.get("type") in ("integer", "number") and not LIMITS & schema.keys():
        schema |= KEPT
    if _is_open_object(schema):
        schema["propertyNames"] = {"pattern": NO_NUL}
        if schema.get("additionalProperties", {}) in ({}, True):
            schema["additionalProperties"] = dict(STORABLE_REF)
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    inner += [schema[part] for part in ("items", "additionalProperties") if part in schema]
    inner += [item for part in ("anyOf", "oneOf", "allOf") for item in schema.get(part, ())]
    for item in inner:
        if isinstance(item, dict) and not item.keys() - {"description", "title", "default"}:
            item.update(STORABLE_REF)
        elif isinstance(item, dict):
            _without_nul(item, schemas, seen)


def _is_open_object(schema: dict[str, Any]) -> bool:
    """Return whether the schema accepts members it does not name."""
    kinds = schema.get("type")
    is_object = kinds == "object" or (isinstance(kinds, list) and "object" in kinds)
    is_open = schema.get("additionalProperties") is not False
    return is_object and is_open and "propertyNames" not in schema


def is_free_text(schema: dict[str, Any]) -> bool:
    """Return whether the schema accepts any text."""
    kinds = schema.get("type")
    is_text = kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    return is_text and not {"enum", "format", "pattern"} & schema.keys()


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Wrap lists in pages, and add the problems a call may end with; views declare special ones."""
    say_anything_once(result["components"]["schemas"])
    take_no_nul(result)
    for operations in result["paths"].values():
        for method, operation in operations.items():
            _summarise(operation)
            _make_pages(method, operation)
            _require_body(operation, result["components"]["schemas"])
            for status in _may_end_with(method, operation):
                operation["responses"].setdefault(str(status), _problem())
            if "429" in operation["responses"]:
                operation["responses"]["429"]["headers"] = {"Retry-After": RETRY_AFTER}
    _add_examples(result)
    add_links(result)
    add_webhooks(result)
    if settings.PATH_PREFIX:
        result["servers"] = [{"url": settings.PATH_PREFIX}]
    return result


def _add_examples(document: dict[str, Any]) -> None:
    """Add the recorded requests and responses of one import as examples."""
    recorded = json.loads(EXAMPLES.read_text("utf-8"))
    for operations in document["paths"].values():
        for operation in operations.values():
            name = operation["operationId"]
            exchange = recorded.get(name, {})
            request = REQUESTS.get(name, exchange.get("request"))
            if request is not None:
                body = operation["requestBody"]["content"]
                _content(body, request)["example"] = request
            if "answer" in exchange:
                answer = operation["responses"][exchange["status"]]["content"]
                _content(answer, exchange["answer"])["example"] = exchange["answer"]
            for parameter in operation.get("parameters", ()):
                if parameter["name"] in PATHS.get(name, {}):
                    parameter["example"] = PATHS[name][parameter["name"]]


def _content(contents: dict[str, Any], example: Any) -> dict[str, Any]:
    """Choose the content that an example belongs to: if not text, it was JSON or a form."""
    is_text = isinstance(example, str)
    structured = {kind for kind in contents if kind.endswith("json") or kind.startswith("multi")}
    kinds = sorted(contents.keys() - structured if is_text else structured)
    content: dict[str, Any] = contents[kinds[0]]  # application/json before multipart/form-data
    return content


def _summarise(operation: dict[str, Any]) -> None:
    """Set each operation's summary; methods that share one function also get a description each."""
    summary = SUMMARIES[operation["operationId"]]
    operation["summary"] = summary
    if operation["operationId"] in SHARED:
        operation["description"] = f"{summary}."


def _make_pages(method: str, operation: dict[str, Any]) -> None:
    """Describe each list as a page; for function views the generator sees only the array."""
    for response in operation["responses"].values():
        content = response.get("content", {}).get("application/json", {})
        if content.get("schema", {}).get("type") == "array":
            content["schema"] = page_schema(content["schema"])
            if method == "get":
                named = {item["name"] for item in operation.setdefault("parameters", [])}
                operation["parameters"] += [
                    parameter for parameter in PARAMETERS if parameter["name"] not in named
                ]


def _require_body(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Mark the body as required if one of its members is required."""
    body = operation.get("requestBody", {})
    shapes = [content["schema"] for content in body.get("content", {}).values()]
    named = [schemas.get(shape.get("$ref", "").rpartition("/")[2], shape) for shape in shapes]
    if any(shape.keys() & {"required", "oneOf"} for shape in named):
        body["required"] = True


def _may_end_with(method: str, operation: dict[str, Any]) -> set[int]:
    statuses = {401, 403, 429} if operation.get("security") else set()
    parameters = operation.get("parameters", ())
    places = {parameter["in"] for parameter in parameters}
    if places & {"query", "header"}:
        statuses.add(400)
    if places & {"path", "query"}:
        statuses.add(404)
    if method != "get" or TIMED & {parameter["name"] for parameter in parameters}:
        statuses.add(409)  # the call may not fit the state of the import
    if "requestBody" in operation:
        statuses |= {*READS_BODY, 404, 503}
    return statuses


def _problem() -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ProblemOut"}
    return {"content": {PROBLEM_JSON: {"schema": schema}}, "description": "A problem (RFC 9457)."}
