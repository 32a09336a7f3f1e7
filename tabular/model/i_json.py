"""Strict JSON as RFC 7493 (I-JSON) has it: what one reader keeps, every reader keeps."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tabular.model.noun import MAX_SAFE_INTEGER
from tabular.model.wording import counted, sized

MAX_BYTES = 4 * 1024**2
MAX_DEPTH = 64
MAX_PARTS = 300_000  # values and member names; each may become a finding in memory


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large a document may be."""

    max_bytes: int = MAX_BYTES
    max_depth: int = MAX_DEPTH
    max_parts: int = MAX_PARTS


class NotIJson(ValueError):
    """The text is not strict JSON; ``line`` and ``column`` count from 1, 0 when unknown."""

    def __init__(self, sentence: str, *, line: int = 0, column: int = 0) -> None:
        self.sentence = f"Line {line}, column {column}: {sentence}" if line else sentence
        self.line = line
        self.column = column
        super().__init__(self.sentence)


def read(text: str | bytes, *, bounds: Bounds = Bounds()) -> Any:
    """
    Read a JSON document; NotIJson says what is wrong and where.

    Refused beyond RFC 8259: a member named twice, NaN and infinities, whole numbers that a double
    cannot hold, text with NUL or half a surrogate pair, and what is beyond ``bounds``.
    A byte order mark at the start is tolerated, because Windows editors write one.

    >>> read('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    decoded = _decode(text, max_bytes=bounds.max_bytes).removeprefix("\ufeff")
    try:
        document = json.loads(
            decoded,
            object_pairs_hook=_members,
            parse_constant=_constant,
            parse_int=_integer,
            parse_float=_number,
        )
    except json.JSONDecodeError as error:
        raise NotIJson(f"{error.msg}.", line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise NotIJson(f"It is nested deeper than {bounds.max_depth} levels.") from error
    for count, (part, depth) in enumerate(_parts(document)):
        if count == bounds.max_parts:
            raise NotIJson(f"It holds more than {counted(bounds.max_parts, 'value')}.")
        if depth > bounds.max_depth:
            raise NotIJson(f"It is nested deeper than {bounds.max_depth} levels.")
        if isinstance(part, str) and any(c == "\0" or "\ud800" <= c <= "\udfff" for c in part):
            raise NotIJson("Text holds a NUL or half a surrogate pair, which is not a character.")
    return document


def write(document: Any) -> str:
    """
    Write a document in its one form: no white space, members in their order, plain characters.

    >>> write({"b": "ä", "a": 1.0})
    '{"b":"ä","a":1.0}'
    """
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _decode(text: str | bytes, *, max_bytes: int) -> str:
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise NotIJson(f"It is larger than the {sized(max_bytes)} allowed.")
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise NotIJson(f"Line {line} is not UTF-8; save the file as UTF-8.") from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise NotIJson(f"The member {name!r} is written twice in one object.")
        members[name] = value
    return members


def _constant(name: str) -> float:
    raise NotIJson(f"{name} is not a JSON number.")


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(number := int(digits)) > MAX_SAFE_INTEGER:
        shown = digits if len(digits) <= 40 else f"{digits[:40]}..."
        raise NotIJson(f"{shown} is beyond 2^53-1, which not every reader keeps exactly.")
    return number


def _number(digits: str) -> float:
    if math.isinf(number := float(digits)):
        raise NotIJson(f"{digits[:40]} is beyond what a double can hold.")
    return number


def _parts(document: Any) -> Iterator[tuple[Any, int]]:
    waiting = [(document, 1)]
    while waiting:
        part, depth = waiting.pop()
        yield part, depth
        if isinstance(part, dict):
            waiting += [(name, depth) for name in part]
            waiting += [(value, depth + 1) for value in part.values()]
        elif isinstance(part, list):
            waiting += [(value, depth + 1) for value in part]
