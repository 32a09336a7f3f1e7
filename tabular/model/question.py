"""What the engine asks instead of guessing."""

from dataclasses import dataclass
from typing import Any, Literal

QuestionKind = Literal[
    "table",
    "header_row",
    "encoding",
    "joined_lines",  # of a PDF: the end of the row above, or rows of their own
    "column",  # one column, several fields
    "columns",  # several columns, one field
    "unpivot",  # one measure spread over columns
    "date_order",
    "decimal_separator",
    "percent_scale",
    "region",  # of phone numbers without a country
    "category_value",
    "reference",
    "duplicate_key",
]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible answer, how likely it is, and what choosing it would do."""

    value: Any  # JSON: a field path, a table index, "dmy"...
    label: str
    score: float | None = None  # 0 to 100
    effect: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision for a person or an agent."""

    kind: QuestionKind
    columns: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    evidence: tuple[str, ...] = ()
    default: Any = None
    blocking: bool = False
    field: str | None = None  # the field path it is about, where there is one
