"""The API schemas of v1, flattened: ``python -m tests.api.snapshot`` writes them."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

FOLDER = Path(__file__).resolve().parent / "snapshots"
PREFIX = "/api/import/v1"
METHODS = ("get", "post", "put", "patch", "delete")


def operations() -> dict[str, dict[str, str]]:
    """Return each operation's parameters, request and answers: place to type."""
    from tests.api.documented import openapi_document

    document = openapi_document()
    return {
        f"{method.upper()} {path.removeprefix(PREFIX)}": dict(
            sorted(_operation(document, operation))
        )
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }


def delivery() -> dict[str, dict[str, str]]:
    """Return the headers and the members of a delivery, including every optional one."""
    from deliveries import payload
    from deliveries.services.attempt import request_of, stamp
    from tests.deliveries.test_payload import OPTIONAL, envelope

    full = envelope(**{name: value for name, (value, _) in OPTIONAL.items()})
    assert isinstance(full, payload.Envelope)
    body = {**full.before_rows(), "rows": [], **full.after_rows()}
    open_members = ("mapping", "meta", "entities")  # with names chosen by the host
    kinds = {str: "string", int: "integer", bool: "boolean", list: "array", dict: "object"}
    members: dict[str, str] = {}
    for name, value in body.items():
        members[name] = kinds[type(value)]
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict) and name not in open_members:
            members |= {f"{name}.{key}": kinds[type(item)] for key, item in inner.items()}
    delivery = SimpleNamespace(
        public_id="",
        body_name="",
        body_size=0,
        body_sha256="",
        body_head="",
        event="",
        registration=SimpleNamespace(url=""),
    )
    headers = {**request_of(delivery).headers, **stamp(t=0, signature="")}
    return {
        "headers": dict.fromkeys(sorted(headers), "string"),
        "body": dict(sorted(members.items())),
    }


def _operation(document: dict[str, Any], operation: dict[str, Any]) -> Any:
    for parameter in operation.get("parameters", ()):
        place = f"{parameter['in']} {parameter['name']}"
        yield place, _kind(parameter["schema"])
        if parameter.get("required") and parameter["in"] != "path":
            yield f"{place} required", "yes"
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from _flat(document, content["schema"], f"request {media_type}", needs=True)
    for status, answer in operation["responses"].items():
        yield f"answer {status}", "yes"
        for media_type, content in answer.get("content", {}).items():
            if media_type != "application/problem+json":
                yield from _flat(document, content["schema"], f"answer {status} {media_type}")


def _flat(
    document: dict[str, Any],
    schema: dict[str, Any],
    place: str,
    *,
    needs: bool = False,
    inside: tuple[str, ...] = (),
) -> Any:
    """Yield the places of a schema; ``needs``: note what is required, relevant in requests only."""
    reference = schema.get("$ref", "")
    if not reference and len(schema.get("allOf", ())) == 1:
        reference = schema["allOf"][0].get("$ref", "")
    if reference in inside:
        return
    if reference:
        inside = (*inside, reference)
        schema = document["components"]["schemas"][reference.rpartition("/")[2]]
    yield place, _kind(schema)
    for name, member in schema.get("properties", {}).items():
        yield from _flat(document, member, f"{place} .{name}", needs=needs, inside=inside)
    if needs:
        for name in schema.get("required", ()):
            yield f"{place} .{name} required", "yes"
    if isinstance(schema.get("items"), dict):
        yield from _flat(document, schema["items"], f"{place} []", needs=needs, inside=inside)
    for number, choice in enumerate([*schema.get("oneOf", ()), *schema.get("anyOf", ())]):
        if "$ref" in choice or "type" in choice:
            yield from _flat(document, choice, f"{place} |{number}", needs=needs, inside=inside)


def _kind(schema: dict[str, Any]) -> str:
    kind = schema.get("type", "any")
    words = [kind] if isinstance(kind, str) else sorted(kind)
    if "enum" in schema:
        return "one of " + ", ".join(sorted(json.dumps(value) for value in schema["enum"]))
    return " or ".join(words)


def main() -> None:
    """Write the snapshots again; removed parts must have been deprecated before."""
    FOLDER.mkdir(exist_ok=True)
    for name, shapes in (("http", operations()), ("delivery", delivery())):
        text = json.dumps(shapes, indent=1, sort_keys=True, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    os.environ.setdefault("IMPORT_SECRET_KEY", "unused")
    os.environ.setdefault("IMPORT_ENCRYPTION_KEYS", "unused")
    django.setup()
    main()
