"""
Conditions over the columns of a recipe, in the language of options (docs/validations.md).

A condition is true, false, or undecided (null) where a cell that it needs cannot be read; all, any
and not join these as in SQL. An empty cell is read: nothing equals it, and it is not filled.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.i_json import escaped
from tabular.model.recipe import GROUPS, TESTS, DateOrder, NumberFormat
from tabular.model.sentences import Sentence
from tabular.transforming.computed.operands import EXACT, Operand, dates_of, numbers_of
from tabular.transforming.step_rows import StepRows
from tabular.types.parsed import tidy
from tabular.types.patterns import pattern_problem
from tabular.values.arrays import COMPARISONS

EQUALITY = frozenset({"eq", "ne"})
MOST_DEPTH = 10
MOST_TESTS = 100
Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Tested:
    """Rows whose columns are tested; each column is read once."""

    step_rows: StepRows
    fmt: NumberFormat | None
    order: DateOrder | None
    today: date
    operands: dict[tuple[str, type], Operand] = field(default_factory=dict)

    @property
    def flaws(self) -> pa.Array:
        """The first flaw in each row of what was read, n strings."""
        return pc.coalesce(*(operand.flaws for operand in self.operands.values()))

    def holds(self, condition: Mapping[str, Any]) -> pa.Array:
        """Return where all members hold, n bool; null where that cannot be decided."""
        return reduce(pc.and_kleene, [self._member(*member) for member in condition.items()])

    def _member(self, name: str, member: Any) -> pa.Array:
        if name in GROUPS:
            join = pc.or_kleene if name == "any" else pc.and_kleene
            joined = reduce(join, [self._member(*inner) for inner in member.items()])
            return pc.invert(joined) if name == "not" else joined
        tests = member if isinstance(member, Mapping) else {"eq": member}
        return reduce(pc.and_kleene, [self._test(name, *test) for test in tests.items()])

    def _test(self, name: str, test: str, wanted: Scalar) -> pa.Array:
        operand, constant = self._compared(name, wanted if test in COMPARISONS else "")
        if test == "filled":
            held = pc.is_valid(operand.values)
            held = held if wanted else pc.invert(held)
        elif test == "regex":
            held = pc.match_substring_regex(operand.values, str(wanted))
        else:
            held = COMPARISONS[test](operand.values, constant)
        decided = pc.fill_null(held, False)
        return pc.if_else(pc.is_null(operand.flaws), decided, None)

    def _compared(self, name: str, wanted: Scalar) -> tuple[Operand, pa.Scalar]:
        """Return a column as values of the type that a constant has, and the constant."""
        kind = _type_of(wanted, self.order)
        constant = _constant(wanted, kind)
        if (name, kind) not in self.operands:
            self.operands[name, kind] = self._operand(name, kind)
        return self.operands[name, kind], constant

    def _operand(self, name: str, kind: type) -> Operand:
        if kind is Decimal and self.fmt is not None:
            return numbers_of(self.step_rows, name, self.fmt)
        if kind is date and self.order is not None:
            return dates_of(self.step_rows, name, self.order, self.today)
        return Operand(tidy(self.step_rows.columns[name]), self.step_rows.flaws_of(name))


def _type_of(wanted: Scalar, order: DateOrder | None) -> type:
    if not isinstance(wanted, str):
        return Decimal
    return date if order is not None and _day(wanted) is not None else str


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2024-01-31") else None
    except ValueError:
        return None


def _constant(wanted: Scalar, kind: type) -> pa.Scalar:
    if kind is Decimal:
        return pa.scalar(_exact(wanted), EXACT)
    if kind is date:
        return pa.scalar(_day(str(wanted)), pa.date32())
    return pa.scalar(str(wanted), pa.string())


def _exact(wanted: Scalar) -> Decimal:
    """Return a number of JSON as the decimal that was written."""
    return Decimal(str(wanted))


def condition_findings(
    condition: Any, *, fmt: NumberFormat | None, order: DateOrder | None, at: str
) -> Iterator[tuple[str, str]]:
    """Yield the pointer and the sentence of what prevents a condition from being decided."""
    if _size(condition) > MOST_TESTS or _depth(condition) > MOST_DEPTH:
        yield (
            at,
            Sentence(
                "A condition has up to {tests} tests, nested up to {deep} deep.",
                tests=MOST_TESTS,
                deep=MOST_DEPTH,
            ),
        )
        return
    yield from _tree_findings(condition, fmt, order, at)


def _tree_findings(
    tree: Any, fmt: NumberFormat | None, order: DateOrder | None, at: str
) -> Iterator[tuple[str, str]]:
    if not isinstance(tree, Mapping) or not tree:
        yield at, "A condition is an object with at least one member."
        return
    for name, member in tree.items():
        place = f"{at}/{escaped(name)}"
        if name in GROUPS:
            yield from _tree_findings(member, fmt, order, place)
            continue
        is_plain = not isinstance(member, Mapping)
        if member == {}:
            yield place, Sentence("Name a test: {tests}.", tests=", ".join(sorted(TESTS)))
        for test, wanted in ({"eq": member} if is_plain else member).items():
            if problem := _problem(test, wanted, fmt, order):
                yield place if is_plain else f"{place}/{escaped(test)}", problem


def _problem(
    test: str, wanted: Any, fmt: NumberFormat | None, order: DateOrder | None
) -> str | None:
    if test not in TESTS:
        return Sentence(
            "“{key}” is not a test. Use {named}.", key=test, named=", ".join(sorted(TESTS))
        )
    if test == "filled":
        return None if isinstance(wanted, bool) else "filled must be true or false."
    if test == "regex":
        return pattern_problem(wanted) if isinstance(wanted, str) else "regex must be a text."
    if isinstance(wanted, bool) or not isinstance(wanted, Scalar):
        return f"{test} compares with a text, a number or a date."
    if isinstance(wanted, str):
        return _text_problem(test, wanted, order)
    if fmt is None:
        return "Comparing with a number needs the format of the column's numbers: eu or us."
    return None if _is_held(_exact(wanted)) else "Compare with up to 18 digits and 19 decimals."


def _text_problem(test: str, wanted: str, order: DateOrder | None) -> str | None:
    if test in EQUALITY:
        return None
    if _day(wanted) is None:
        return f"{test} compares with a number, or with a date such as 2024-01-31."
    if order is None:
        return "Comparing with a date needs the order of the column's dates: dmy, mdy or ymd."
    return None


def _is_held(number: Decimal) -> bool:
    try:
        pa.scalar(number, EXACT)
    except pa.ArrowInvalid:
        return False
    return True


def _size(tree: Any) -> int:
    return sum(map(_size, tree.values())) if isinstance(tree, Mapping) and tree else 1


def _depth(tree: Any) -> int:
    return 1 + max(map(_depth, tree.values()), default=0) if isinstance(tree, Mapping) else 0
