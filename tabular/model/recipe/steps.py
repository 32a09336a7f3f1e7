"""The steps of a recipe. Every step names the columns it reads and makes."""

from typing import Annotated, Any, Literal

from pydantic import Field as Constraint

from tabular.model.i_json import Noun, Omittable, Text1
from tabular.model.recipe.operands import (
    Cell,
    DateCell,
    NumberCell,
    Short,
    columns_in,
    columns_tested,
)

Columns = Annotated[tuple[Text1, ...], Constraint(min_length=1, max_length=500)]
Numbered = Annotated[tuple[Text1 | None, ...], Constraint(min_length=1, max_length=500)]
Sought = Annotated[str, Constraint(min_length=1, max_length=1_000)]
MAX_DECIMALS = 10
LIST_KEY = "^[a-z0-9][a-z0-9_-]{0,99}$"  # of a value list
Pairs = Annotated[tuple[tuple[Short, Short], ...], Constraint(min_length=1, max_length=10_000)]
NumberFormat = Literal["eu", "us"]
DateOrder = Literal["dmy", "mdy", "ymd"]
Rounding = Literal["half_up", "down"]
Decimals = Annotated[int, Constraint(ge=0, le=MAX_DECIMALS)]


class _Step(Noun):
    @property
    def reads(self) -> tuple[str, ...]:
        """The columns whose cells it changes, or makes others from."""
        return ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns that must exist."""
        return self.reads

    @property
    def makes(self) -> tuple[str, ...]:
        """The columns that are created and must not exist yet."""
        return ()

    @property
    def removes(self) -> tuple[str, ...]:
        """The columns that no longer exist afterwards."""
        return ()

    @property
    def ordinals(self) -> int:
        """The most rows that one row becomes."""
        return 1

    def origins_of(self, made: str) -> tuple[str, ...]:
        """Return the columns that the cells of a made column come from."""
        return self.reads


class _OnColumns(_Step):
    columns: Columns

    @property
    def reads(self) -> tuple[str, ...]:
        return self.columns


class _Into(_Step):
    into: Text1

    @property
    def makes(self) -> tuple[str, ...]:
        return (self.into,)


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
    """
    Fill an empty cell with the nearest filled one above.

    within: columns that identify a group of rows next to each other; no cell of another group fills
    one. Where they are empty, the group above goes on.
    """

    do: Literal["fill_down"]
    within: Annotated[tuple[Text1, ...], Constraint(max_length=50)] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The columns it fills, and those that identify a group."""
        return tuple(dict.fromkeys([*self.columns, *self.within]))


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

    @property
    def ordinals(self) -> int:
        """One row for each column."""
        return len(self.columns)


class UnpivotGroups(_Step):
    """
    Make a row of each group of numbered columns (``item1, qty1, item2, qty2``) with a filled cell.

    groups: the columns that become each, as many, null where a group lacks one. One row stays.
    """

    do: Literal["unpivot_groups"]
    groups: Annotated[dict[Text1, Numbered], Constraint(min_length=1, max_length=50)]

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of all groups."""
        return tuple(name for names in self.groups.values() for name in names if name is not None)

    @property
    def makes(self) -> tuple[str, ...]:
        """The columns that replace the numbered ones."""
        return tuple(self.groups)

    @property
    def removes(self) -> tuple[str, ...]:
        """The columns that became rows."""
        return self.reads

    @property
    def ordinals(self) -> int:
        """One row for each group."""
        return max(map(len, self.groups.values()))

    def origins_of(self, made: str) -> tuple[str, ...]:
        """Return the numbered columns that became one."""
        return tuple(name for name in self.groups[made] if name is not None)


class ReadDate(_OnColumns):
    """Settle the order of day, month and year in some columns."""

    do: Literal["read_date"]
    order: DateOrder


class ReadNumber(_OnColumns):
    """Settle the decimal separator of some columns."""

    do: Literal["read_number"]
    format: NumberFormat


class MapValues(_OnColumns):
    """Replace whole cells by a list of texts and what they become."""

    do: Literal["map_values"]
    values: Annotated[dict[str, str], Constraint(min_length=1, max_length=10_000)]


class Lookup(_Into):
    """Make a column of what a list has for the cells of another: its own, or one of the tenant."""

    do: Literal["lookup"]
    column: Text1
    rows: Omittable[Pairs] = None
    value_list: Omittable[Annotated[str, Constraint(pattern=LIST_KEY)]] = None
    # The version of the value list, set by the engine when the recipe is confirmed.
    digest: Omittable[Annotated[str, Constraint(pattern="^[0-9a-f]{64}$")]] = None
    default: Short | None = None

    @property
    def reads(self) -> tuple[str, ...]:
        """The column with the keys."""
        return (self.column,)


class WhenCase(Noun):
    """A condition, as options have them (docs/validations.md), and the cell where it holds."""

    condition: Annotated[dict[str, Any], Constraint(alias="if", min_length=1)]
    then: Cell


class When(_Into):
    """Make a column by the first condition that holds in a row."""

    do: Literal["when"]
    cases: Annotated[tuple[WhenCase, ...], Constraint(min_length=1, max_length=50)]
    otherwise: Cell | None = None
    format: NumberFormat | None = None
    order: DateOrder | None = None

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that are tested, and those that cells are taken from."""
        tested = [name for case in self.cases for name in columns_tested(case.condition)]
        taken = columns_in(*(case.then for case in self.cases), self.otherwise)
        return tuple(dict.fromkeys([*tested, *taken]))


class Calculate(_Into):
    """Make a column by one operation on two numbers, as exact decimals."""

    do: Literal["calculate"]
    left: NumberCell
    op: Literal["plus", "minus", "times", "divided_by"]
    right: NumberCell
    format: NumberFormat
    decimals: Decimals | None = None
    rounding: Rounding = "half_up"

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns with the two numbers."""
        return columns_in(self.left, self.right)


class Round(_OnColumns):
    """Round the numbers of some columns."""

    do: Literal["round"]
    format: NumberFormat
    decimals: Decimals
    rounding: Rounding = "half_up"


class DateDifference(_Into):
    """Make a column of the whole days, months or years from one date to another."""

    do: Literal["date_difference"]
    start: DateCell
    end: DateCell
    unit: Literal["days", "months", "years"]
    order: DateOrder

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns with the two dates."""
        return columns_in(self.start, self.end)


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
    | UnpivotGroups
    | ReadDate
    | ReadNumber
    | MapValues
    | Lookup
    | When
    | Calculate
    | Round
    | DateDifference,
    Constraint(discriminator="do"),
]
