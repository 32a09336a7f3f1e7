"""
JSON that every reader keeps exactly: strict as RFC 7493 (I-JSON) requires, and its values.

First the text: what is refused in it, how it is written, where a JSON pointer leads. Then what all
nouns that are also JSON documents have in common.
"""

import hashlib
import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema

from tabular.model.sentences import Sentence, counted, sized

MAX_SAFE_INTEGER = 9_007_199_254_740_991  # RFC 7493 (I-JSON): what every reader keeps exactly
MAX_BYTES = 4 * 1024**2
MAX_DEPTH = 64
MAX_PARTS = 150_000  # values and member names; each costs time, and may become a finding
MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NO_MARKS = bytes(set(range(256)) - set(b"[]{},:"))


def exact(value: Any) -> Any:
    """
    Return a JSON value in which whole numbers that a double does not hold are strings.

    >>> exact({"a": [2**53, 1]})
    {'a': ['9007199254740992', 1]}
    """
    if isinstance(value, list):
        return [exact(item) for item in value]
    if isinstance(value, dict):
        return {name: exact(item) for name, item in value.items()}
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_whole and abs(value) > MAX_SAFE_INTEGER else value


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


class TooDeep(NotIJson):
    """Arrays and objects are nested too deep."""


def read(text: str | bytes, *, bounds: Bounds = Bounds()) -> Any:
    """
    Read a JSON document. Raise NotIJson with the reason and the position.

    Refused beyond RFC 8259: a member named twice, NaN and infinities, whole numbers that a double
    cannot hold, text with NUL or an unpaired surrogate, and what exceeds ``bounds``. A byte order
    mark at the start is accepted, because Windows editors write one.

    >>> read('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    """
    decoded = _decode(text, max_bytes=bounds.max_bytes).removeprefix("\ufeff")
    if UNSTORABLE.search(decoded):
        raise NotIJson("Text contains a NUL or an unpaired surrogate, which is not a character.")
    refuse_beyond(text if isinstance(text, bytes) else decoded.encode(), bounds)
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
        raise NotIJson(
            Sentence("It is nested deeper than {n1} levels.", n1=str(bounds.max_depth))
        ) from error
    if "\\u" in decoded and any(UNSTORABLE.search(text) for text in _texts(document)):
        raise NotIJson("Text contains a NUL or an unpaired surrogate, which is not a character.")
    return document


def refuse_beyond(text: bytes, bounds: Bounds) -> None:
    """
    Raise NotIJson for a JSON text with too many values or levels, before it is parsed.

    Only marks outside of strings are counted, so a refusal costs a few milliseconds.

    >>> refuse_beyond(b'["a,[", {"b": 1}]', Bounds(max_depth=2, max_parts=5))
    """
    bare = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    if bare.count(b'"') <= 2 * bounds.max_parts:
        marks = b"".join(bare.split(b'"')[::2]).translate(None, _NO_MARKS)
        if len(marks) - marks.count(b"]") - marks.count(b"}") < bounds.max_parts:
            if _depth(marks.translate(None, b",:")) > bounds.max_depth:
                raise TooDeep(
                    Sentence("It is nested deeper than {n1} levels.", n1=str(bounds.max_depth))
                )
            return
    raise NotIJson(
        Sentence("It holds more than {VALUES}.", VALUES=counted(bounds.max_parts, "value"))
    )


def _depth(brackets: bytes) -> int:
    deepest = depth = 0
    for bracket in brackets:
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def write(document: Any) -> str:
    """
    Return a document as compact JSON: no white space, members in order, plain characters.

    >>> write({"b": "ä", "a": 1.0})
    '{"b":"ä","a":1.0}'
    """
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def digest(document: Any) -> str:
    """
    Return the SHA-256 of a document in hex: equal documents have the same, in whatever order.

    >>> digest({"b": 1.0, "a": "ä"}) == digest({"a": "ä", "b": 1})
    True
    """
    return hashlib.sha256(write(_in_order(document)).encode()).hexdigest()


def _in_order(value: Any) -> Any:
    match value:
        case dict():
            return {name: _in_order(value[name]) for name in sorted(value)}
        case list() | tuple():
            return [_in_order(item) for item in value]
        case float() if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER:
            return int(value)
    return value


def _decode(text: str | bytes, *, max_bytes: int) -> str:
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise NotIJson(Sentence("It is larger than the {SIZE} allowed.", SIZE=sized(max_bytes)))
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise NotIJson(
            Sentence("Line {n1} is not UTF-8; save the file as UTF-8.", n1=str(line))
        ) from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise NotIJson(
                Sentence("The member {name} appears twice in one object.", name=repr(name))
            )
        members[name] = value
    return members


def _constant(name: str) -> float:
    raise NotIJson(Sentence("{name} is not a JSON number.", name=name))


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(number := int(digits)) > MAX_SAFE_INTEGER:
        shown = digits if len(digits) <= 40 else f"{digits[:40]}..."
        raise NotIJson(
            Sentence(
                "{number} is beyond 2^53-1, which not every reader keeps exactly.", number=shown
            )
        )
    return number


def _number(digits: str) -> float:
    if math.isinf(number := float(digits)):
        raise NotIJson(Sentence("{number} is beyond what a double can hold.", number=digits[:40]))
    return number


def _texts(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            waiting += [*part, *part.values()]
        elif isinstance(part, list):
            waiting += part


def escaped(step: str | int) -> str:
    """
    Escape one step of a JSON pointer (RFC 6901).

    >>> escaped("and/or")
    'and~1or'
    """
    return str(step).replace("~", "~0").replace("/", "~1")


def lines_of(text: str, pointers: Iterable[str]) -> dict[str, int]:
    r"""
    Return the line, from 1, that each pointer leads to in a well-formed JSON text.

    A missing member gets the line of its nearest ancestor.

    >>> lines_of('{\n "a": [\n  1,\n  2\n ]\n}', ["/a/1", "/a/2/b", "/c"])
    {'/a/1': 4, '/a/2/b': 2, '/c': 1}
    """
    offsets = dict(_places(text))
    ends = [match.start() for match in re.finditer("\n", text)]
    lines = {}
    for pointer in pointers:
        nearest = pointer
        while nearest and nearest not in offsets:
            nearest = nearest.rpartition("/")[0]
        lines[pointer] = bisect_right(ends, offsets.get(nearest, 0)) + 1
    return lines


@dataclass(slots=True)
class _Container:
    pointer: str
    step: str | int | None  # an index, or the current member; None: its name comes next

    def child(self) -> str:
        return f"{self.pointer}/{escaped('' if self.step is None else self.step)}"


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Yield the pointer and offset of every member and item; a member's is that of its name."""
    around: list[_Container] = []
    for match in MARK.finditer(text):
        mark = match.group()
        here = around[-1] if around else _Container("", 0)
        if mark in {"}", "]"}:
            around.pop()
        elif mark == ",":
            here.step = here.step + 1 if isinstance(here.step, int) else None
        elif here.step is None:
            here.step = str(json.loads(mark))
            yield here.child(), match.start()
        elif mark != ":":
            pointer = here.child() if around else ""
            if isinstance(here.step, int):
                yield pointer, match.start()
            if mark in {"{", "["}:
                around.append(_Container(pointer, 0 if mark == "[" else None))


Text1 = Annotated[str, Field(min_length=1)]


def _whole(value: Any) -> Any:
    """Convert whole floats: JSON has one kind of number, so 9.0 is the integer 9."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


NotNegative = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
Positive = Annotated[int, Field(gt=0, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
Counted = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
SafeInt = Annotated[int, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER), BeforeValidator(_whole)]
Scalar = str | bool | int | float
T = TypeVar("T")


class _NotNull:
    """Refuses null for a member that may be absent: None means absent."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        return schema["schema"] if schema["type"] == "nullable" else schema


Omittable = Annotated[T | None, _NotNull()]  # may be absent, is never null


class Noun(BaseModel):
    """A frozen value, camelCase in JSON, with no members beyond the stated ones."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        allow_inf_nan=False,
    )
