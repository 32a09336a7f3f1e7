"""Each member of a catalog is described in the schema and in docs/catalogs.md."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tabular.model.catalog_members import MEMBERS, catalog_schema

PAGE = Path(__file__).resolve().parents[3] / "docs" / "catalogs.md"
SCHEMA = catalog_schema()
SHAPES = {"Catalog": SCHEMA, **SCHEMA["$defs"]}
PLACES = [
    (name, member) for name, shape in SHAPES.items() for member in shape.get("properties", ())
]


@pytest.mark.parametrize(("name", "member"), PLACES)
def test_a_member_has_a_description_and_an_example_that_is_valid(name, member):
    schema = SHAPES[name]["properties"][member]
    judge = Draft202012Validator({**schema, "$defs": SCHEMA["$defs"]})

    assert schema["description"].endswith(".")
    for example in schema["examples"]:
        judge.validate(example)


def test_no_member_is_described_that_is_not_there():
    assert {(name, member) for name, members in MEMBERS.items() for member in members} == set(
        PLACES
    )


def test_the_page_has_each_member_with_its_example():
    written = set(re.findall(r"^\| `(\w+)` \| .* \| `(.*)` \|$", PAGE.read_text("utf-8"), re.M))
    left_to_one = {"IntOption", "FloatOption"}  # the page shows the option of a text
    expected = {
        (member, json.dumps(example, ensure_ascii=False).replace("|", "\\|"))
        for name, members in MEMBERS.items()
        if name not in left_to_one
        for member, (_, example) in members.items()
    }

    assert expected - written == set()
