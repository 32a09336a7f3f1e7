"""A finding about somebody's data: never an exception."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as field_
from typing import Any, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Issue:
    """What is wrong, where, and what would be accepted."""

    code: str
    severity: Severity = "error"
    row: int | None = None  # row of the recipe's output, or physical row while reading
    column: str | None = None  # source column
    field: str | None = None  # field path
    message: str = ""
    value: str | None = None
    hint: str = ""
    params: Mapping[str, Any] = field_(default_factory=dict)  # what the message is made with
