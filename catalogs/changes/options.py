"""What the options of a field accept and deliver, as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

Option = Mapping[str, Any]
Value = tuple[str, Any]


def values(options: Iterable[Option]) -> set[Value]:
    """Give what is delivered; the number 1 is not the text "1"."""
    return {_value(option) for option in options}


def delivers_its_own_text(option: Option) -> bool:
    """Whether the text of an option is delivered as it stands in the file."""
    texts = {option["label"], *option.get("alternativeMatches", ())}
    return bool(option["type"] == "string" and texts == {option["value"]})


def lacks_a_name(before: Iterable[Option], after: Iterable[Option]) -> bool:
    """Whether a text that stood for an option no longer stands for any."""
    return not _names(before).keys() <= _names(after).keys()


def moves_a_name(before: Iterable[Option], after: Iterable[Option]) -> bool:
    """Whether a text that stood for an option stands for another one."""
    now = _names(after)
    return any(now.get(name, value) != value for name, value in _names(before).items())


def asks_more(before: Iterable[Option], after: Iterable[Option]) -> bool:
    """Whether choosing an option has a condition that it did not have."""
    former = {_value(one): one.get("validations", []) for one in before}
    return any(
        rule not in former.get(_value(one), [])
        for one in after
        if _value(one) in former
        for rule in one.get("validations", ())
    )


def _value(option: Option) -> Value:
    return option["type"], option["value"]


def _names(options: Iterable[Option]) -> dict[str, Value]:
    """Give what each text stands for; of two options the first has it."""
    found: dict[str, Value] = {}
    for option in options:
        for text in (str(option["value"]), option["label"], *option.get("alternativeMatches", ())):
            found.setdefault(text, _value(option))
    return found
