"""The items of arrays in a JSON document, parsed one by one: few of them are in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TextIO

from tabular.model.table import NumberText

_AT_ONCE = 1 << 18  # characters
_BLANK = re.compile(r"[ \t\n\r]*")
_MAY_GO_ON = 3  # characters after a number that may belong to it: 1 and then e+5
_LONGEST_LITERAL = 16  # an error so close to the end may be that of a cut value
_DEPTH = 6  # objects within objects; what is deeper is parsed as a whole
_DECODER = json.JSONDecoder(parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)


Path = tuple[str, ...]  # the names of members that lead to a value; empty for the document
Open = Callable[[], AbstractContextManager[TextIO]]


class BrokenArray(ValueError):
    """The document is not valid JSON; says where, as ``json`` does."""


class RepeatedName(ValueError):
    """An object has two members of one name; only who parses the whole knows which counts."""


@dataclass(frozen=True, slots=True)
class StreamedArray:
    """An array that begins with an object; its items are read again at each pass."""

    path: Path
    size: int
    opened: Open

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        with self.opened() as file:
            yield from _found(_Text(file), self.path)


def outline(opened: Open) -> Any:
    """
    Return a document with a ``StreamedArray`` for each array in objects that begins with an object.

    Raises BrokenArray, and RepeatedName for what must be parsed as a whole.
    """
    with opened() as file:
        text = _Text(file)
        value = _outlined(text, (), opened)
        if text.next():
            raise text.broken("Extra data")
    return value


def items(file: TextIO) -> Iterator[Any]:
    """
    Yield the items of a document that is an array; numbers keep their text.

    Raises BrokenArray at the item that is damaged, or after the last one.

    >>> import io
    >>> list(items(io.StringIO('[{"id": 1.10}, null]')))
    [{'id': '1.10'}, None]
    """
    text = _Text(file)
    if text.next() != "[":
        raise text.broken("Expecting an array")
    yield from _items(text)
    if text.next():
        raise text.broken("Extra data")


def _outlined(text: _Text, path: Path, opened: Open) -> Any:
    """Parse a value of which arrays of objects are left out."""
    first = text.next()
    if first == "{" and len(path) < _DEPTH:
        members: dict[str, Any] = {}
        for name in _members(text):
            if name in members:
                raise RepeatedName
            members[name] = _outlined(text, (*path, name), opened)
        return members
    if first != "[":
        return text.value()
    values = _items(text)
    for leading in values:
        if isinstance(leading, dict):
            return StreamedArray(path, 1 + sum(1 for _ in values), opened)
        return [leading, *values]
    return []


def _found(text: _Text, path: Path) -> Iterator[Any]:
    """Yield the items of the array at a path of a document that was parsed before."""
    for place, wanted in enumerate(path):
        text.next()
        for name in _members(text):
            if name == wanted:
                break
            _pass_over(text, place + 1)
    text.next()
    yield from _items(text)


def _pass_over(text: _Text, depth: int) -> None:
    first = text.next()
    if first == "[":
        for _ in _items(text):
            pass
    elif first == "{" and depth < _DEPTH:
        for _ in _members(text):
            _pass_over(text, depth + 1)
    else:
        text.value()


def _members(text: _Text) -> Iterator[str]:
    """Yield the name of each member of an object; the caller parses its value before the next."""
    text.at += 1
    if text.next() == "}":
        text.at += 1
        return
    while True:
        if text.next() != '"':
            raise text.broken("Expecting property name enclosed in double quotes")
        name = text.value()
        if text.next() != ":":
            raise text.broken("Expecting ':' delimiter")
        text.at += 1
        text.next()
        yield name
        following = text.next()
        if following not in {",", "}"}:
            raise text.broken("Expecting ',' delimiter")
        text.at += 1
        if following == "}":
            return


def _items(text: _Text) -> Iterator[Any]:
    """Parse the items of an array that begins here."""
    text.at += 1
    if text.next() == "]":
        text.at += 1
        return
    while True:
        yield text.value()
        following = text.next()
        if following not in {",", "]"}:
            raise text.broken("Expecting ',' delimiter")
        text.at += 1
        if following == "]":
            return
        text.next()


class _Text:
    """A part of a document. at: the next character to look at."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._part = ""
        self.at = 0
        self._is_last = False
        self._before = self._lines_before = 0  # characters and line breaks before the part
        self._line_start = 0  # the character after the last line break before the part

    def next(self) -> str:
        """Skip blanks; return the next character, empty at the end of the document."""
        while True:
            self.at = _BLANK.match(self._part, self.at).end()  # type: ignore[union-attr]  # matches ""
            if self.at < len(self._part):
                return self._part[self.at]
            if self._is_last:
                return ""
            self._more(_AT_ONCE)

    def value(self) -> Any:
        """Parse the next value. Raise BrokenArray if there is none."""
        size = _AT_ONCE
        while True:
            try:
                value, end = _DECODER.raw_decode(self._part, self.at)
            except json.JSONDecodeError as error:
                if self._is_last or not self._may_be_cut(error):
                    raise self.broken(error.msg, error.pos) from error
            else:
                if len(self._part) - end >= _MAY_GO_ON or self._is_last:
                    self.at = end
                    return value
            self._more(size)
            size *= 2  # what is longer is parsed again a few times only

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        is_near = error.pos >= len(self._part) - _LONGEST_LITERAL
        return is_near or error.msg.startswith("Unterminated string")

    def _more(self, size: int) -> None:
        """Drop what was parsed, and read on."""
        dropped = self._part[: self.at]
        if (last := dropped.rfind("\n")) >= 0:
            self._line_start = self._before + last + 1
            self._lines_before += dropped.count("\n")
        self._before += self.at
        read = self._file.read(size)
        self._is_last = not read
        self._part, self.at = self._part[self.at :] + read, 0

    def broken(self, what: str, at: int | None = None) -> BrokenArray:
        """Return the error for a place in the part, counted from the start of the document."""
        place = self.at if at is None else at
        last = self._part.rfind("\n", 0, place)
        line = self._lines_before + self._part.count("\n", 0, place) + 1
        start = self._line_start if last < 0 else self._before + last + 1
        position = self._before + place
        column = position - start + 1
        return BrokenArray(f"{what}: line {line} column {column} (char {position})")
