"""The items of an array in a JSON document, parsed one by one: few of them are in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from tabular.model.table import NumberText

_AT_ONCE = 1 << 18  # characters
_BLANK = re.compile(r"[ \t\n\r]*")
_MAY_GO_ON = 3  # characters after a number that may belong to it: 1 and then e+5
_LONGEST_LITERAL = 16  # an error so close to the end may be that of a cut value
_DECODER = json.JSONDecoder(parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)


class BrokenArray(ValueError):
    """The document is not valid JSON; says where, as ``json`` does."""


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
    text.at += 1
    if text.next() == "]":
        text.at += 1
    else:
        yield from _until_the_end(text)
    if text.next():
        raise text.broken("Extra data")


def _until_the_end(text: _Text) -> Iterator[Any]:
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
