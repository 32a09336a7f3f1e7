"""
Whether the import of a feed's file is applied without a person. Pure.

Every reason that speaks against it is named, so that a person sees all of them at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

Reason = dict[str, Any]  # a code, and the numbers that belong to it
BLOCKED = "earlier_file_waits"


@dataclass(frozen=True, slots=True)
class Rules:
    """
    What an import must be to be applied by itself.

    A limit in percent and one in rows may both be set: the import must keep both. None: no limit.
    """

    apply: bool = False
    max_invalid_rows: int | None = None
    max_invalid_percent: float | None = None
    max_changed_rows: int | None = None
    max_changed_percent: float | None = None
    max_missing_rows: int | None = None
    max_missing_percent: float | None = None

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Return stored rules."""
        names = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in document.items() if name in names})


@dataclass(frozen=True, slots=True)
class Counted:
    """Rows that a limit is about, and the rows that its percentage is of."""

    rows: int
    of: int

    @property
    def percent(self) -> float:
        """
        The share in percent; all of nothing is nothing.

        >>> Counted(1, 8).percent, Counted(0, 0).percent, Counted(2, 0).percent
        (12.5, 0.0, 100.0)
        """
        if not self.of:
            return 100.0 if self.rows else 0.0
        return 100.0 * self.rows / self.of


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """
    What is known of an import in review.

    changed: known entities that it would change. missing: known entities that no row names.
    """

    is_remembered: bool  # the mapping is a profile's, unchanged
    open_questions: int
    invalid: Counted
    changed: Counted
    missing: Counted
    is_again: bool = False  # the same bytes as a file before the last one
    is_blocked: bool = False  # an earlier file of the feed waits
    drift: tuple[Reason, ...] = ()


def reasons_against(rules: Rules, facts: Facts) -> list[Reason]:
    """Return why a person must decide; empty if the import may be applied."""
    return list(_reasons(rules, facts))


def _reasons(rules: Rules, facts: Facts) -> Iterator[Reason]:
    if not rules.apply:
        yield {"code": "applied_by_people"}
    if not facts.is_remembered:
        yield {"code": "mapping_is_new"}
    if facts.open_questions:
        yield {"code": "open_questions", "actual": facts.open_questions}
    # Without any limit, no invalid row is left out in silence.
    rows = rules.max_invalid_rows
    if rows is None and rules.max_invalid_percent is None:
        rows = 0
    yield from _beyond("invalid", facts.invalid, rows, rules.max_invalid_percent)
    yield from _beyond("changed", facts.changed, rules.max_changed_rows, rules.max_changed_percent)
    yield from _beyond("missing", facts.missing, rules.max_missing_rows, rules.max_missing_percent)
    if facts.is_again:
        yield {"code": "same_as_earlier_file"}
    if facts.is_blocked:
        yield {"code": BLOCKED}
    yield from facts.drift


def _beyond(
    what: str, counted: Counted, rows: int | None, percent: float | None
) -> Iterable[Reason]:
    if rows is not None and counted.rows > rows:
        yield {"code": f"too_many_{what}_rows", "actual": counted.rows, "limit": rows}
    if percent is not None and counted.percent > percent:
        share = round(counted.percent, 1)
        yield {"code": f"too_many_{what}_percent", "actual": share, "limit": percent}


def is_only_blocked(reasons: Iterable[Reason]) -> bool:
    """
    Return whether nothing but an earlier file keeps an import.

    >>> is_only_blocked([{"code": "earlier_file_waits"}]), is_only_blocked([])
    (True, False)
    """
    codes = {reason["code"] for reason in reasons}
    return codes == {BLOCKED}
