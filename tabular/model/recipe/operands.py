"""What steps that compute read: cells, fixed texts, numbers and dates, and conditions."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import Discriminator, Tag
from pydantic import Field as Constraint

from tabular.model.i_json import Noun, Text1

GROUPS = frozenset({"all", "any", "not"})  # members of a condition that join others
TESTS = frozenset({"eq", "ne", "gt", "gte", "lt", "lte", "regex", "filled"})
Short = Annotated[str, Constraint(max_length=1_000)]


class ColumnCell(Noun):
    """The cell of a column, in the same row."""

    column: Text1


class FixedText(Noun):
    """The same text in every row."""

    value: Short


class FixedNumber(Noun):
    """The same number in every row, exact."""

    number: Annotated[str, Constraint(pattern=r"^-?[0-9]{1,18}(\.[0-9]{1,19})?$")]


class FixedDate(Noun):
    """The same day in every row."""

    date: date


def _operand_tag(operand: object) -> str:
    is_column = isinstance(operand, ColumnCell) or (
        isinstance(operand, Mapping) and "column" in operand
    )
    return "of a column" if is_column else "fixed"


_Column = Annotated[ColumnCell, Tag("of a column")]
_BY_MEMBER = Discriminator(_operand_tag)
Cell = Annotated[_Column | Annotated[FixedText, Tag("fixed")], _BY_MEMBER]
NumberCell = Annotated[_Column | Annotated[FixedNumber, Tag("fixed")], _BY_MEMBER]
DateCell = Annotated[_Column | Annotated[FixedDate, Tag("fixed")], _BY_MEMBER]


def columns_in(*operands: object) -> tuple[str, ...]:
    """Return the columns that some operands name, each once."""
    names = [operand.column for operand in operands if isinstance(operand, ColumnCell)]
    return tuple(dict.fromkeys(names))


def columns_tested(condition: Mapping[str, Any]) -> Iterator[str]:
    """
    Yield the columns that a condition tests.

    >>> list(columns_tested({"any": {"country": "DE", "not": {"weight": {"lt": 20}}}}))
    ['country', 'weight']
    """
    for name, member in condition.items():
        if name not in GROUPS:
            yield name
        elif isinstance(member, Mapping):
            yield from columns_tested(member)
