"""
Write the reference of the HTTP API from its OpenAPI document, with an example for each call.

``docs/hooks.py`` adds the pages to the site. The examples are recorded from real calls; a long
answer is shortened.
"""

import json
from collections.abc import Iterator
from typing import Any

BASE = "/api/import/v1/"
MOST_CHARACTERS = 1_500  # of an example
TITLES = {
    "answers": "Remembered answers",
    "catalogs": "Catalogs",
    "changesets": "Changesets",
    "contracts": "Contracts",
    "deliveries": "Deliveries",
    "events": "Events",
    "feeds": "Feeds",
    "imports": "Imports",
    "license": "License",
    "links": "Links",
    "mcp": "Agents",
    "profiles": "Remembered mappings",
    "questions": "Questions",
    "references": "Known entities",
    "sessions": "Sessions",
    "value-lists": "Value lists",
    "webhooks": "Webhooks",
}
HEAD = """# {title}: calls

Made from the engine's OpenAPI document. [HTTP API](../api.md) explains keys, errors, pages and
idempotency; `$ENGINE` is the address of your engine and `$AUTH` the header
`Authorization: Bearer` with your license key.
"""
Json = dict[str, Any]


def pages_of(document: Json) -> dict[str, str]:
    """Return the pages by name, with a section per operation. Raise KeyError for a new subject."""
    sections: dict[str, list[str]] = {}
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            text = "\n".join(section_of(method.upper(), path, operation, schemas))
            sections.setdefault(operation["tags"][0], []).append(text)
    return {
        tag: HEAD.format(title=TITLES[tag]) + "\n" + "\n".join(texts)
        for tag, texts in sorted(sections.items())
    }


def section_of(method: str, path: str, operation: Json, schemas: Json) -> Iterator[str]:
    """Yield the lines about one operation."""
    summary, description = operation["summary"], " ".join(operation["description"].split())
    yield from (f"## {summary}", "", f"`{method} {path}`", "")
    if description.rstrip(".") != summary:
        yield from (description.replace("``", "`"), "")
    yield from parameters_of(operation.get("parameters", []))
    body = operation.get("requestBody", {}).get("content", {})
    yield from members_of(body, schemas)
    yield from ("**Example**", "", "```text", *call(method, path, body), "```", "")
    yield from answer_of(operation["responses"])


def parameters_of(parameters: list[Json]) -> Iterator[str]:
    """Yield a table of the parameters; nothing without parameters."""
    if parameters:
        yield from ("| Parameter | In | Meaning |", "|---|---|---|")
        for item in parameters:
            need = "; required" if item.get("required") else ""
            yield f"| `{item['name']}` | {item['in']}{need} | {cell(item)} |"
        yield ""


def members_of(body: Json, schemas: Json) -> Iterator[str]:
    """Yield a table of the members of a JSON body."""
    schema = resolved(body.get("application/json", {}).get("schema", {}), schemas)
    if schema.get("properties"):
        yield from ("| Member of the body | Type | Meaning |", "|---|---|---|")
        for name, member in schema["properties"].items():
            need = "; required" if name in schema.get("required", ()) else ""
            yield f"| `{name}` | {kind_of(member, schemas)}{need} | {cell(member)} |"
        yield ""


def resolved(schema: Json, schemas: Json) -> Json:
    """
    Return the schema that a reference names.

    >>> resolved({"$ref": "#/components/schemas/A"}, {"A": {"type": "object"}})
    {'type': 'object'}
    """
    name = schema.get("$ref", "").rpartition("/")[2]
    target: Json = schemas[name] if name else schema
    return target


def kind_of(member: Json, schemas: Json) -> str:
    """
    Return the type of a member in words.

    >>> kind_of({"type": ["string", "null"], "enum": ["fix", "exclude", None]}, {})
    '`fix`, `exclude` or null'
    >>> kind_of({"type": "array", "items": {"type": "integer"}}, {})
    'array'
    """
    whole = {**resolved(member, schemas), **member}
    kinds = whole.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    words = [str(kind) for kind in kinds if kind != "null"]
    if values := [f"`{value}`" for value in whole.get("enum", ()) if value is not None]:
        words = values
    inner = [
        resolved(item, schemas)
        for part in ("oneOf", "anyOf", "allOf")
        for item in whole.get(part, ())
    ]
    words += [
        str(item["type"]) for item in inner if isinstance(item.get("type"), str) and not words
    ]
    words += ["null"] if "null" in kinds else []
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "any"


def cell(item: Json) -> str:
    """Return a description that fits into a cell of a table."""
    return " ".join(item.get("description", "").split()).replace("|", "\\|").replace("``", "`")


def call(method: str, path: str, body: Json) -> Iterator[str]:
    """Yield a command that makes the call, with the recorded request."""
    yield f'curl -X {method} -H "$AUTH" $ENGINE{path}' + (" \\" if body else "")
    example = body.get("application/json", {}).get("example")
    if example is not None:
        yield "     -H 'Content-Type: application/json' \\"
        text = shortened(json.dumps(example, ensure_ascii=False, indent=1)).replace("'", "'\\''")
        yield f"     -d '{text}'"
    elif "multipart/form-data" in body:
        yield "     -F file=@orders.csv"
    elif body:
        yield f"     -H 'Content-Type: {next(iter(body))}' --data-binary @file"


def answer_of(responses: Json) -> Iterator[str]:
    """Yield the recorded answer, and the statuses of errors."""
    for status, response in responses.items():
        examples = [
            kind["example"] for kind in response.get("content", {}).values() if "example" in kind
        ]
        if status.startswith("2") and examples:
            text = examples[0]
            is_json = not isinstance(text, str)
            shown = json.dumps(text, ensure_ascii=False, indent=1) if is_json else text
            yield from (f"Answer {status}:", "", "```json" if is_json else "```text")
            yield from (shortened(shown), "```", "")
    errors = ", ".join(sorted(status for status in responses if status[0] in "45"))
    if errors:
        yield from (
            f"May fail with {errors}; [Error codes](../error-codes.md) explains each code.",
            "",
        )


def shortened(text: str) -> str:
    """
    Return a text without what exceeds the limit, by whole lines.

    >>> shortened("[1, 2]")
    '[1, 2]'
    """
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[:MOST_CHARACTERS].rpartition("\n")[0] + "\n… (shortened)"
