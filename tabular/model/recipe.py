"""The recipe: cleaning steps that a user or an agent chose. Spec: profile > recipe.

A closed, versioned vocabulary. Every step names the columns it reads and makes. docs/recipes.md
describes each with an example.
"""

from typing import Annotated, Literal

from pydantic import Field as Constraint

from tabular.model.i_json import Noun, Text1

Columns = Annotated[tuple[Text1, ...], Constraint(min_length=1, max_length=500)]
Short = Annotated[str, Constraint(max_length=1_000)]
Sought = Annotated[str, Constraint(min_length=1, max_length=1_000)]
MAX_STEPS = 200
QUOTING = frozenset({"replace", "regex_replace", "map_values"})


class _Step(Noun):
    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that must exist."""
        return ()

    @property
    def makes(self) -> tuple[str, ...]:
        """The columns that are created and must not exist yet."""
        return ()

    @property
    def removes(self) -> tuple[str, ...]:
        """The columns that no longer exist afterwards."""
        return ()


class _OnColumns(_Step):
    columns: Columns

    @property
    def reads(self) -> tuple[str, ...]:
        return self.columns


class Trim(_OnColumns):
    """Strip outer white space; with ``collapse`` make inner runs of it one blank."""

    do: Literal["trim"]
    collapse: bool = False


class Case(_OnColumns):
    """Change letters to upper, lower or title case."""

    do: Literal["case"]
    to: Literal["upper", "lower", "title"]


class Replace(_OnColumns):
    """Replace a text wherever it occurs in a cell."""

    do: Literal["replace"]
    find: Sought
    by: Short


class RegexReplace(_OnColumns):
    r"""Replace what a pattern (RE2) matches; ``\1`` stands for its first group."""

    do: Literal["regex_replace"]
    pattern: Sought
    by: Short


class Split(_Step):
    """Cut a column at a separator; the last new column takes what is left."""

    do: Literal["split"]
    column: Text1
    separator: Sought
    into: Annotated[tuple[Text1, ...], Constraint(min_length=2, max_length=50)]

    @property
    def reads(self) -> tuple[str, ...]:
        """The column that is split."""
        return (self.column,)

    @property
    def makes(self) -> tuple[str, ...]:
        """Its parts."""
        return self.into


class Join(_OnColumns):
    """Put columns together, leaving empty ones out."""

    do: Literal["join"]
    separator: Short = " "
    into: Text1

    @property
    def makes(self) -> tuple[str, ...]:
        """The joined column."""
        return (self.into,)


class Coalesce(_OnColumns):
    """Make a column of the first filled cell of several columns, in the order they are named."""

    do: Literal["coalesce"]
    into: Text1

    @property
    def makes(self) -> tuple[str, ...]:
        """The column with the first filled cells."""
        return (self.into,)


class Copy(_Step):
    """Give a column a second name, so that it can feed two fields."""

    do: Literal["copy"]
    column: Text1
    into: Text1

    @property
    def reads(self) -> tuple[str, ...]:
        """The column that is copied."""
        return (self.column,)

    @property
    def makes(self) -> tuple[str, ...]:
        """The copy."""
        return (self.into,)


class FillDown(_OnColumns):
    """Fill an empty cell with the nearest filled one above."""

    do: Literal["fill_down"]


class DropRows(_OnColumns):
    """Leave out the rows in which every named column is empty, equals a text or matches."""

    do: Literal["drop_rows"]
    where: Literal["empty", "equals", "matches"]
    value: Short | None = None


class Default(_OnColumns):
    """Fill empty cells with a text."""

    do: Literal["default"]
    value: Sought


class Constant(_Step):
    """Make a column with the same text in every row."""

    do: Literal["constant"]
    into: Text1
    value: Short

    @property
    def makes(self) -> tuple[str, ...]:
        """The new column."""
        return (self.into,)


class Unpivot(_OnColumns):
    """Make a row of each filled cell of some columns: its column's name and its text."""

    do: Literal["unpivot"]
    name_into: Text1
    value_into: Text1
    keep_empty: bool = False

    @property
    def makes(self) -> tuple[str, ...]:
        """The two columns that replace the others."""
        return (self.name_into, self.value_into)

    @property
    def removes(self) -> tuple[str, ...]:
        """The columns that became rows."""
        return self.columns


class ReadDate(_OnColumns):
    """Settle the order of day, month and year in some columns."""

    do: Literal["read_date"]
    order: Literal["dmy", "mdy", "ymd"]


class ReadNumber(_OnColumns):
    """Settle the decimal separator of some columns."""

    do: Literal["read_number"]
    format: Literal["eu", "us"]


class MapValues(_OnColumns):
    """Replace whole cells by a list of texts and what they become."""

    do: Literal["map_values"]
    values: Annotated[dict[str, str], Constraint(min_length=1, max_length=10_000)]


Step = Annotated[
    Trim
    | Case
    | Replace
    | RegexReplace
    | Split
    | Join
    | Coalesce
    | Copy
    | FillDown
    | DropRows
    | Default
    | Constant
    | Unpivot
    | ReadDate
    | ReadNumber
    | MapValues,
    Constraint(discriminator="do"),
]


class Recipe(Noun):
    """A version of the vocabulary and the steps in their order."""

    version: Literal[1]
    steps: Annotated[tuple[Step, ...], Constraint(max_length=MAX_STEPS)] = ()


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
