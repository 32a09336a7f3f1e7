"""A finding about a feed's file: what differs from its predecessors, with both sides as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

Code = Literal[
    "column_added",
    "column_removed",
    "column_renamed",
    "column_type_changed",  # of its texts
    "column_unread",  # its texts are no longer values of its field's type
    "column_empty",  # share of empty cells
    "column_distinct",  # number of distinct values
    "column_repeats",  # values were unique, or nearly
    "column_values_new",  # values that no predecessor had
    "column_sizes",  # numbers of another size: other units, a shifted decimal separator
    "column_signs",  # share of negative numbers
    "column_total",
    "column_length",  # characters of its texts
    "dates_behind",  # not later than those of a predecessor, where they always were
    "dates_short",  # later, but by less than usual: the end may be missing
    "dates_ahead",
    "dates_range",
    "rows_fewer",
    "rows_more",
    "same_rows",  # the same values as a predecessor
]
CODES: tuple[Code, ...] = get_args(Code)
Json = dict[str, Any]
VALUES = "values"  # the member of a side that holds some values of the column


@dataclass(frozen=True, slots=True)
class Finding:
    """
    What is not usual about a file.

    column: its header, if the finding is about one. before, after: the figures of the predecessors
    and of the file, with the same names where both have them. params: the rest of its sentence.
    """

    code: Code
    column: str | None = None
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> Json:
        """Return it as it is stored, without empty members."""
        return {name: value for name, value in asdict(self).items() if value}

    def without_values(self) -> Finding:
        """Return it without the values of cells, to be shown where those must not be."""
        before = {name: item for name, item in self.before.items() if name != VALUES}
        after = {name: item for name, item in self.after.items() if name != VALUES}
        return replace(self, before=before, after=after)
