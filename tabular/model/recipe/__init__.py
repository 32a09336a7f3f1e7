"""The recipe: cleaning steps that a user or an agent chose. Spec: profile > recipe.

A closed, versioned vocabulary. docs/recipes.md describes each step with an example.
"""

from typing import Annotated, Literal

from pydantic import Field as Constraint

from tabular.model.i_json import Noun
from tabular.model.recipe.operands import (
    GROUPS,
    TESTS,
    Cell,
    ColumnCell,
    DateCell,
    FixedDate,
    FixedNumber,
    FixedText,
    NumberCell,
    columns_in,
    columns_tested,
)
from tabular.model.recipe.steps import (
    LIST_KEY,
    MAX_DECIMALS,
    Calculate,
    Case,
    Coalesce,
    Constant,
    Copy,
    DateDifference,
    DateOrder,
    Default,
    DropRows,
    FillDown,
    Join,
    Lookup,
    MapValues,
    NumberFormat,
    ReadDate,
    ReadNumber,
    RegexReplace,
    Replace,
    Round,
    Rounding,
    Split,
    Step,
    Trim,
    Unpivot,
    UnpivotGroups,
    When,
    WhenCase,
)

__all__ = [
    "GROUPS",
    "LIST_KEY",
    "MAX_DECIMALS",
    "MAX_STEPS",
    "TESTS",
    "Calculate",
    "Case",
    "Cell",
    "Coalesce",
    "ColumnCell",
    "Constant",
    "Copy",
    "DateCell",
    "DateDifference",
    "DateOrder",
    "Default",
    "DropRows",
    "FillDown",
    "FixedDate",
    "FixedNumber",
    "FixedText",
    "Join",
    "Lookup",
    "MapValues",
    "NumberCell",
    "NumberFormat",
    "ReadDate",
    "ReadNumber",
    "Recipe",
    "RegexReplace",
    "Replace",
    "Round",
    "Rounding",
    "Split",
    "Step",
    "Trim",
    "Unpivot",
    "UnpivotGroups",
    "When",
    "WhenCase",
    "columns_in",
    "columns_tested",
    "listing_steps",
    "quoting_steps",
]
MAX_STEPS = 200
QUOTING = frozenset({"replace", "regex_replace", "map_values", "when", "lookup"})


class Recipe(Noun):
    """A version of the vocabulary and the steps in their order."""

    version: Literal[1]
    steps: Annotated[tuple[Step, ...], Constraint(max_length=MAX_STEPS)] = ()


def listing_steps(recipe: object) -> list[int]:
    """
    Return the indices of a recipe's steps, as JSON, that need a value list of the tenant.

    >>> listing_steps({"steps": [{"do": "trim"}, {"do": "lookup", "valueList": "countries"}]})
    [1]
    """
    steps = recipe.get("steps", ()) if isinstance(recipe, dict) else ()
    return [place for place, step in enumerate(steps) if "valueList" in step]


def quoting_steps(recipe: object) -> list[int]:
    """
    Return the indices of a recipe's steps, as JSON, that may quote texts of cells.

    A constant and a default are chosen by a user; texts to find come from cells.

    >>> quoting_steps({"steps": [{"do": "trim"}, {"do": "map_values", "values": {"a": "b"}}]})
    [1]
    """
    steps = recipe.get("steps", ()) if isinstance(recipe, dict) else ()
    return [
        place
        for place, step in enumerate(steps)
        if step["do"] in QUOTING or (step["do"] == "drop_rows" and step.get("value") is not None)
    ]
