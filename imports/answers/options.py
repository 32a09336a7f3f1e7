"""The options of a field in one import: the host's for this import, else the catalog's."""

from dataclasses import dataclass
from typing import Any

from common.errors import NotFound
from imports.models import ImportRecord
from tabular.model.i_json import MAX_SAFE_INTEGER


class NoOptions(NotFound):
    """The catalog has no field with options under this path."""

    code = "no_options"


@dataclass(frozen=True, slots=True)
class Choice:
    """One option: the delivered value and the label."""

    value: Any
    label: str


def options_of(record: ImportRecord, path: str) -> tuple[Choice, ...]:
    """Return the options of a field; empty for a field without any."""
    given = (record.context.get("options") or {}).get(path)
    if given:
        return tuple(Choice(item["value"], item["label"]) for item in given)
    field = record.target.live_fields.get(path)
    options = (field.dropdown_options if field else None) or ()
    return tuple(Choice(option.value, option.label) for option in options)


def is_option(record: ImportRecord, path: str, value: Any) -> bool:
    """Return whether a value may be chosen; null empties the cell."""
    if value is None:
        return True
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False  # True equals 1 in Python
    if any(option.value == value for option in options_of(record, path)):
        return True
    field = record.target.live_fields.get(path)
    return bool(field and field.allow_custom_options) and _can_hold(record, path, value)


def _can_hold(record: ImportRecord, path: str, value: str | float) -> bool:
    """Return whether a field whose options are all numbers can contain a value."""
    numbers = [option.value for option in options_of(record, path)]
    if not numbers or any(isinstance(number, str) for number in numbers):
        return True
    if isinstance(value, str) or abs(value) > MAX_SAFE_INTEGER:
        return False
    return not all(isinstance(number, int) for number in numbers) or value == int(value)


def require_options(record: ImportRecord, path: str) -> None:
    """Raise if a field has no options to choose from."""
    if path not in record.target.live_fields or not options_of(record, path):
        raise NoOptions
