"""The values that the options of a field accept and deliver, as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

Option = Mapping[str, Any]
Value = tuple[str, Any]


def values(options: Iterable[Option]) -> set[Value]:
    """Return the delivered values; the number 1 is not the text "1"."""
    return {_value(option) for option in options}


def lost_values(before: Iterable[Option], after: Iterable[Option]) -> list[str]:
    """Return the values that are no longer delivered, as texts, in the order before."""
    kept = values(after)
    return [str(option["value"]) for option in before if _value(option) not in kept]


def delivers_its_own_text(option: Option) -> bool:
    """Return whether an option delivers the text exactly as in the file."""
    texts = {option["label"], *option.get("alternativeMatches", ())}
    return bool(option["type"] == "string" and texts == {option["value"]})


def lacks_a_name(before: Iterable[Option], after: Iterable[Option]) -> bool:
    """Return whether a text that named an option no longer names any."""
    return not _names(before).keys() <= _names(after).keys()


def moves_a_name(before: Iterable[Option], after: Iterable[Option]) -> bool:
    """Return whether a text that named an option names another one."""
    now = _names(after)
    return any(now.get(name, value) != value for name, value in _names(before).items())


def asks_more(before: Iterable[Option], after: Iterable[Option]) -> bool:
    """Return whether choosing an option has a new condition."""
    former = {_value(option): option.get("validations", []) for option in before}
    return any(
        rule not in former.get(_value(option), [])
        for option in after
        if _value(option) in former
        for rule in option.get("validations", ())
    )


def _value(option: Option) -> Value:
    return option["type"], option["value"]


def _names(options: Iterable[Option]) -> dict[str, Value]:
    """Return the option that each text names; the first of two options has priority."""
    by_name: dict[str, Value] = {}
    for option in options:
        for text in (str(option["value"]), option["label"], *option.get("alternativeMatches", ())):
            by_name.setdefault(text, _value(option))
    return by_name
