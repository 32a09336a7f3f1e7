"""Nested JSON values to flat records of text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tabular.model.kinds import BooleanText, NumberText


def parse(text: str) -> Any:
    """
    Parse JSON; numbers keep their text.

    >>> parse('{"id": 12345678901234567890, "price": 1.10}')
    {'id': '12345678901234567890', 'price': '1.10'}
    """
    return json.loads(text, parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)


def flatten(record: dict[str, Any]) -> dict[str, str]:
    """
    Flatten a record: nested objects by dotted path, lists as JSON, null as empty.

    >>> flatten(parse('{"a": {"b": 1, "c": null}, "d": [1, "x"], "e": true}'))
    {'a.b': '1', 'a.c': '', 'd': '[1, "x"]', 'e': 'true'}
    """
    flat: dict[str, str] = {}
    for path, value in _leaves(record, ""):
        while path in flat:  # {"a.b": 1, "a": {"b": 2}}
            path += " (2)"
        flat[path] = text_of(value)
    return flat


def _leaves(record: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in record.items():
        path = f"{prefix}{key}"
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{path}.")
        else:
            yield path, value


def text_of(value: Any) -> str:
    """Write one JSON value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return BooleanText("true" if value else "false")
    return _compact(value)


def _compact(value: Any) -> str:
    """Write lists and empty objects as JSON, numbers digit for digit."""
    if isinstance(value, NumberText):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(_compact, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(k)}: {_compact(v)}" for k, v in value.items()) + "}"
    return _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
