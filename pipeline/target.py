"""What an answer is checked against: the fields, their options, the file, and known entities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabular.model.catalog import Field
from tabular.model.i_json import MAX_SAFE_INTEGER
from tabular.protocol.results import FileRead


@dataclass(frozen=True, slots=True)
class Choice:
    """One option: the delivered value and the label."""

    value: Any
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """
    What the rows of one file become.

    options: the host's for this file, by field path; they come before the catalog's. knows: whether
    an entity has a ref that these rows may name.
    """

    fields: Mapping[str, Field]
    read: FileRead | None = None
    options: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    knows: Callable[[str, str], bool] = lambda entity, ref: False

    def options_of(self, path: str) -> tuple[Choice, ...]:
        """Return the options of a field; empty for a field without any."""
        if given := self.options.get(path):
            return tuple(Choice(item["value"], item["label"]) for item in given)
        field_ = self.fields.get(path)
        options = (field_.dropdown_options if field_ else None) or ()
        return tuple(Choice(option.value, option.label) for option in options)

    def is_option(self, path: str, value: Any) -> bool:
        """Return whether a value may be chosen; null empties the cell."""
        if value is None:
            return True
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return False  # True equals 1 in Python
        if any(option.value == value for option in self.options_of(path)):
            return True
        field_ = self.fields.get(path)
        return bool(field_ and field_.allow_custom_options) and self._can_hold(path, value)

    def _can_hold(self, path: str, value: str | float) -> bool:
        """Return whether a field whose options are all numbers can contain a value."""
        numbers = [option.value for option in self.options_of(path)]
        if not numbers or any(isinstance(number, str) for number in numbers):
            return True
        if isinstance(value, str) or abs(value) > MAX_SAFE_INTEGER:
            return False
        return not all(isinstance(number, int) for number in numbers) or value == int(value)
