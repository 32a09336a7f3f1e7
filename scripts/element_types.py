"""
Write the types of the API for the elements: ``python scripts/element_types.py``.

``frontend/src/api/openapi.ts`` is made from the OpenAPI document by openapi-typescript: the shapes,
what each operation takes and what it answers. ``element_types.py check`` compares; ``make lint``
runs it.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import build_elements
from development import ROOT, environment

TYPES = ROOT / "frontend" / "src" / "api" / "openapi.ts"
STORABLE = "StorableJson"
GENERATOR = "node_modules/openapi-typescript/bin/cli.js"
# Members whose default the engine fills in may be left out of what is sent.
OPTIONS = ("--default-non-nullable", "false", "--alphabetize")
PROSE = frozenset({"description", "summary", "title", "example", "examples", "links", "tags"})
NAMES = frozenset({"properties", "schemas", "$defs"})  # whose keys are not words of the format


def document(folder: Path) -> dict[str, Any]:
    """Return the OpenAPI document of this source."""
    file = folder / "whole.json"
    manage = [sys.executable, str(ROOT / "manage.py"), "spectacular", "--format", "openapi-json"]
    subprocess.run(
        [*manage, "--file", str(file)], cwd=ROOT, env=environment(os.environ), check=True
    )
    described: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return described


def shapes_of(whole: dict[str, Any]) -> dict[str, Any]:
    """
    Return a document with the shapes alone, without prose.

    Two shapes are added: ``Answers`` and ``Bodies`` have a member for each operation, with the JSON
    that it answers and takes. So the types say both in a tenth of the lines.
    """
    answers, bodies = {}, {}
    for operations in whole["paths"].values():
        for operation in operations.values():
            name = operation["operationId"]
            done = [
                response
                for code, response in operation["responses"].items()
                if code.startswith("2")
            ]
            if example := _json_of(done):
                answers[name] = example
            if taken := _json_of([operation.get("requestBody", {})]):
                bodies[name] = taken
    shapes = {
        **whole["components"]["schemas"],
        STORABLE: {},  # a type may not name itself here: it is any JSON
        "Answers": _object(answers),
        "Bodies": _object(bodies),
    }
    lean: dict[str, Any] = _without_prose(
        {"openapi": whole["openapi"], "paths": {}, "components": {"schemas": shapes}}
    )
    return lean | {"info": {"title": whole["info"]["title"], "version": whole["info"]["version"]}}


def _json_of(messages: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the schema of the JSON among some messages; of several, any of them."""
    contents = [message.get("content", {}).get("application/json") for message in messages]
    schemas = [content["schema"] for content in contents if content and "schema" in content]
    return {"anyOf": schemas} if len(schemas) > 1 else next(iter(schemas), None)


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": sorted(members)}


def _without_prose(value: Any, *, is_named: bool = False) -> Any:
    if isinstance(value, list):
        return [_without_prose(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_prose(item, is_named=key in NAMES and not is_named)
        for key, item in value.items()
        if is_named or key not in PROSE
    }


def types() -> str:
    """Return the module as it should be."""
    node = build_elements.of_the_machine() or build_elements.of_the_wheel()
    node.install()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, written = folder / "shapes.json", folder / "openapi.ts"
        source.write_text(json.dumps(shapes_of(document(folder))), "utf-8")
        node.run(GENERATOR, str(source), "--output", str(written), *OPTIONS)
        return written.read_text("utf-8")


def main(arguments: list[str]) -> int:
    """Write the module, or check it."""
    text = types()
    if arguments == ["check"]:
        is_current = TYPES.is_file() and TYPES.read_text("utf-8") == text
        print("element types: " + ("up to date" if is_current else f"run {Path(__file__).name}"))
        return 0 if is_current else 1
    TYPES.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
