"""How the questions about values were answered: one frozen value from the ledger to the rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

DateOrder = Literal["dmy", "mdy", "ymd"]
NumberFormat = Literal["eu", "us"]


@dataclass(frozen=True, slots=True)
class Answers:
    """
    The answers about values, each by field path.

    date_order: ``dmy``, ``mdy`` or ``ymd``. decimal_separator: ``eu`` or ``us``. percent_scale:
    ``fraction`` or ``percent``. region: the country of all phone numbers, ISO 3166-1 alpha-2; None
    where ``has_region`` says that they stay as they are. category_value: texts to option values;
    None leaves the value empty. reference: texts to refs of known entities.
    """

    date_order: dict[str, DateOrder] = field(default_factory=dict)
    decimal_separator: dict[str, NumberFormat] = field(default_factory=dict)
    percent_scale: dict[str, Literal["percent", "fraction"]] = field(default_factory=dict)
    region: str | None = None
    has_region: bool = False
    category_value: dict[str, dict[str, Any]] = field(default_factory=dict)
    reference: dict[str, dict[str, str | None]] = field(default_factory=dict)

    def with_setting(self, kind: str, path: str, value: str) -> Self:
        """Return the answers with one about a whole field. kind: a member that maps a path."""
        changes: dict[str, Any] = {kind: {**getattr(self, kind), path: value}}
        return replace(self, **changes)

    def with_region(self, region: str | None) -> Self:
        """Return the answers with one about the country of all phone numbers."""
        return replace(self, region=region, has_region=True)

    def with_text(self, kind: str, path: str, text: str, value: Any) -> Self:
        """Return the answers with what one text means. kind: a member that maps texts."""
        of_kind = getattr(self, kind)
        texts = {**of_kind.get(path, {}), text: value}
        changes: dict[str, Any] = {kind: {**of_kind, path: texts}}
        return replace(self, **changes)
