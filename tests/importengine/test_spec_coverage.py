"""docs/spec-coverage.md names, for each row of the specification, a test that is there."""

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tabular.model.catalog import ColumnType, Rule
from tests.contracts import test_bundle as contract
from tests.tabular.model import test_field_model as field_model

TESTS = Path(__file__).resolve().parent.parent
PAGE = (TESTS.parent / "docs" / "spec-coverage.md").read_text("utf-8")
NODE = re.compile(r"`([\w/]+\.py)::(test_\w+)(?:\[([^\]]+)\])?`")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split(" | "))
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| row |")
]
NAMED = sorted({match.groups() for match in NODE.finditer(PAGE)}, key=str)


@cache
def functions_in(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def parameters_of(file: str, name: str) -> set[str]:
    """Return the ids of a parametrized test, or the first value of each of its parameter sets."""
    module = import_module("tests." + file.removesuffix(".py").replace("/", "."))
    names = set()
    for mark in getattr(module, name).pytestmark:
        if mark.name == "parametrize":
            values, ids = list(mark.args[1]), mark.kwargs.get("ids")
            firsts = [str(value[0] if isinstance(value, tuple) else value) for value in values]
            names |= set([ids(v) for v in values] if callable(ids) else ids or firsts)
    return names


def test_every_row_names_a_test_or_says_that_it_is_not_built():
    held = [row for row in ROWS if len(row) == 2 and ("::" in row[1] or "not built" in row[1])]

    assert held == ROWS
    assert "test named" not in PAGE
    assert len(ROWS) > 200


def test_whatever_looks_like_a_test_is_named_in_full():
    assert PAGE.count(".py::") == len(NODE.findall(PAGE))


@pytest.mark.parametrize("file", sorted({file for file, _, _ in NAMED}))
def test_every_named_test_is_there(file):
    named = [(name, parameter) for path, name, parameter in NAMED if path == file]

    assert {name for name, _ in named} <= functions_in(file)
    for name, parameter in named:
        assert parameter is None or parameter in parameters_of(file, name)


def in_the_page(file: str) -> set[str | None]:
    return {parameter for path, _, parameter in NAMED if path == file}


@pytest.mark.parametrize(
    ("file", "rows"),
    [
        ("tabular/model/test_field_model.py", [r for r in field_model.ROWS if r.at]),
        ("contracts/test_bundle.py", [r for r in contract.ROWS if "catalog" not in r.at]),
    ],
)
def test_every_member_of_the_models_has_a_row(file, rows):
    members = {row.member for row in rows}
    shown = {parameter.rpartition("/")[2] for parameter in in_the_page(file) if parameter}

    assert members <= shown


def test_every_limit_names_what_is_taken_and_the_next_that_is_refused():
    limits = PAGE.split("## Limits")[1].split("\n## ")[0]
    tests = {"taken": set(), "refused": set()}
    for file, name, parameter in NODE.findall(limits):
        tests[name.rpartition("_")[2]].add((file, parameter))

    assert len(tests["taken"]) > 10
    assert tests["taken"] == tests["refused"]


def test_every_column_type_and_every_rule_has_a_row():
    shown = {row[0].strip("`") for row in ROWS}

    assert {*ColumnType.__args__, *Rule.__args__} <= shown
