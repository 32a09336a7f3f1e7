"""Whether every quote of a text file opens or closes a cell, told while Arrow reads it."""

from __future__ import annotations

import io

from tabular.reading.text.records import Dialect

_PIECE = 1 << 18  # stays in the processor's cache


class QuoteWatch(io.RawIOBase):
    """
    A file that is watched for stray quotes while it is read.

    In a well formed file every other quote opens a cell (or doubles the one before it) and the
    rest close one (or double the next). Arrow would take any other quote for part of a cell, or
    join rows into one, without a word; the tolerant reader keeps the rows apart and says so.
    """

    def __init__(self, source: io.RawIOBase, dialect: Dialect) -> None:
        super().__init__()
        self._source = source
        self._quote = ord(dialect.quote) if dialect.quote else None
        self._escape = ord(dialect.escape) if dialect.escape else None
        self._beside = [ord(mark) for mark in {dialect.delimiter, dialect.quote, *"\r\n"} if mark]
        self._rest = b"\n\n"  # the last two bytes: what comes after the second is not known yet
        self._is_open = False
        self._is_sound = True

    def is_sound_so_far(self) -> bool:
        """Say whether every quote that was read opened or closed a cell."""
        return self._is_sound

    def is_sound(self) -> bool:
        """Say, at the end of the file, whether every quote opened or closed a cell."""
        if self._quote is not None:
            self._look(self._rest + b"\n", self._quote)
        return self._is_sound and not self._is_open

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read, and look at what was read."""
        content = self._source.read(size) or b""
        if self._quote is not None and self._is_sound:
            self._look(self._rest + content[:2], self._quote)
            for start in range(0, len(content) - 2, _PIECE):
                piece = memoryview(content)[start : start + _PIECE + 2]
                self._look(piece, self._quote)
            self._rest = (self._rest + content[-2:])[-2:]
        return content

    def _look(self, piece: bytes | memoryview, quote: int) -> None:
        """Judge the quotes between the first and the last byte."""
        import numpy as np

        codes = np.frombuffer(piece, dtype=np.uint8)
        places = np.flatnonzero(codes[1:-1] == quote) + 1
        if self._escape is not None:
            places = places[codes[places - 1] != self._escape]
        if not places.size:
            return
        beside = np.zeros(256, dtype=bool)
        beside[self._beside] = True
        opening, closing = places[self._is_open :: 2], places[not self._is_open :: 2]
        self._is_sound = self._is_sound and bool(
            beside[codes[opening - 1]].all() and beside[codes[closing + 1]].all()
        )
        self._is_open ^= bool(places.size % 2)
