"""docs/recipes.md: every step has an example with the documented result."""

import typing

import pytest

from tabular.model import recipe
from tests.tabular.docs.tables import examples_of
from tests.tabular.transforming.test_recipes import cook

EXAMPLES = examples_of("recipes.md")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["step"]["do"])
def test_an_example_gives_what_the_page_says(example):
    columns = {name: [row[name] for row in example["before"]] for name in example["before"][0]}

    assert [row for _, row in cook(columns, example["step"])] == example["after"]


def test_every_step_has_an_example():
    union = typing.get_args(typing.get_args(recipe.Step)[0])
    steps = {typing.get_args(step.model_fields["do"].annotation)[0] for step in union}

    assert {example["step"]["do"] for example in EXAMPLES} == steps
