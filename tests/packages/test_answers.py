"""The generated clients take and return what the engine really says, with nothing lost."""

import json
import re
import subprocess
from datetime import datetime
from typing import Any

import pytest

from tests.api.documented import openapi_document
from tests.packages.projects import ROOT, Installed, shell_of_a_reader

pytestmark = pytest.mark.packages
FILE = ROOT / "api" / "examples.json"
EXAMPLES: dict[str, dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
NOT_REST = {"mcp"}  # which is for agents: the client for Python leaves it out
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
PYTHON = """
import importlib, inspect, json, pkgutil, sys, typing
import httpx
from import_engine import connect
from import_engine.generated import api

def parsed(module, example):
    shown = example["answer"]
    text = shown if isinstance(shown, str) else json.dumps(shown)
    answer = httpx.Response(int(example["status"]), content=text.encode())
    value = module._parse_response(client=engine, response=answer)
    if hasattr(value, "payload"):
        return value.payload.read().decode()
    return written(value)

def written(value):
    if isinstance(value, list):
        return [written(item) for item in value]
    return value.to_dict() if hasattr(value, "to_dict") else value

def sent(module, example):
    kinds = typing.get_type_hints(module._get_kwargs)["body"]
    parameters = inspect.signature(module._get_kwargs).parameters.values()
    places = ["x" for name in parameters if name.kind is name.POSITIONAL_OR_KEYWORD]
    refusals = []
    for kind in typing.get_args(kinds) or [kinds]:  # a call may take one of several shapes
        try:
            body = kind.from_dict(example["request"])
            return module._get_kwargs(*places, body=body)["json"]
        except Exception as error:
            refusals.append(f"{kind.__name__}: {error!r}")
    return refusals

engine = connect("http://engine.invalid", "key")
modules = {}
for tag in pkgutil.iter_modules(api.__path__):
    package = importlib.import_module(f"{api.__name__}.{tag.name}")
    for module in pkgutil.iter_modules(package.__path__):
        modules[module.name] = f"{package.__name__}.{module.name}"
for call, example in json.load(open(sys.argv[1])).items():
    came = {}
    for part, act in (("answer", parsed), ("request", sent)):
        if part in example:
            try:
                came[part] = act(importlib.import_module(modules[example["module"]]), example)
            except Exception as error:
                came[part] = f"{type(error).__name__}: {error}"
    print(json.dumps([call, came]))
"""


@pytest.fixture(scope="module")
def calls() -> dict[str, Any]:
    """Return the operations of the document by their names."""
    document = openapi_document()
    return {
        operation["operationId"]: operation
        for methods in document["paths"].values()
        for operation in methods.values()
        if operation["operationId"] not in NOT_REST
    }


@pytest.fixture(scope="module")
def exchanges(calls: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what was recorded of each call, as far as it is JSON or text."""
    return {name: _of_json(calls[name], EXAMPLES[name]) for name in calls}


def _of_json(operation: dict[str, Any], example: dict[str, Any]) -> dict[str, Any]:
    kinds = operation.get("requestBody", {}).get("content", {})
    is_json = "application/json" in kinds
    kept = {part: example[part] for part in example if part != "request" or is_json}
    return {**kept, "module": _snake(operation["operationId"])}


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _as_moments(value: Any) -> Any:
    """Return a value with the moments in it in one spelling."""
    if isinstance(value, dict):
        return {name: _as_moments(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_as_moments(item) for item in value]
    if isinstance(value, str) and MOMENT.fullmatch(value):
        return datetime.fromisoformat(value).isoformat()
    return value


def test_the_client_for_python_returns_every_recorded_answer_whole(
    python: Installed, exchanges: dict[str, dict[str, Any]]
) -> None:
    file = python.folder / "exchanges.json"
    file.write_text(json.dumps(exchanges), "utf-8")

    finished = python.run(PYTHON, file)

    assert finished.returncode == 0, finished.stderr
    came = dict(json.loads(line) for line in finished.stdout.splitlines())
    recorded = {
        name: {part: example[part] for part in ("answer", "request") if part in example}
        for name, example in exchanges.items()
    }
    wrong = {
        name: came[name]
        for name in recorded
        if _as_moments(came[name]) != _as_moments(recorded[name])
    }
    assert not wrong, json.dumps(wrong, indent=1)[:8000]
    assert len(came) == len(exchanges)


def _typed(name: str, operation: dict[str, Any], example: dict[str, Any]) -> str:
    """Return a program that is compiled only if the types say what was recorded."""
    lines = []
    if "request" in example:
        kind = "application/json"
        of = f"NonNullable<operations['{name}']['requestBody']>['content']['{kind}']"
        lines.append(f"export const {name}_request: {of} = {json.dumps(example['request'])}")
    if "answer" in example:
        content = operation["responses"][example["status"]]["content"]
        kind = next(iter(content))
        of = f"operations['{name}']['responses'][{example['status']}]['content']['{kind}']"
        lines.append(f"export const {name}_answer: {of} = {json.dumps(example['answer'])}")
    return "\n".join(lines)


def test_the_types_of_the_client_for_node_are_those_of_every_recorded_exchange(
    node: Installed, calls: dict[str, Any], exchanges: dict[str, dict[str, Any]]
) -> None:
    programs = [_typed(name, calls[name], example) for name, example in exchanges.items()]
    file = node.folder / "exchanges.ts"
    head = "import type {operations} from '@import-engine/server'"
    file.write_text("\n".join([head, *filter(None, programs)]), "utf-8")
    compiler = ROOT / "packages" / "node_modules" / "typescript" / "bin" / "tsc"
    options = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--module", "nodenext"]

    compiled = subprocess.run(
        ["node", compiler, *options, "--target", "es2022", file],
        cwd=node.folder, env=shell_of_a_reader(), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert compiled.returncode == 0, compiled.stdout[:8000]
