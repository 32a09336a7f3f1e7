"""Arrow's CSV reader: fast, for files whose every row has the form of the table."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from tabular.reading.text.encoding import Encoding
from tabular.reading.text.records import Dialect
from tabular.reading.text.source import Place, open_utf8

if TYPE_CHECKING:
    import pyarrow as pa


_PIECE = 1 << 18  # stays in the processor's cache


class QuoteWatch(io.RawIOBase):
    """
    A file that is watched for stray quotes while it is read.

    In a well-formed file, every other quote opens a cell (or doubles the one before it) and the
    rest close one (or double the next). Arrow would silently read any other quote as part of a
    cell, or join rows into one; the tolerant reader keeps the rows apart and reports them.
    """

    def __init__(self, source: io.RawIOBase, dialect: Dialect) -> None:
        super().__init__()
        self._source = source
        self._quote = ord(dialect.quote) if dialect.quote else None
        self._escape = ord(dialect.escape) if dialect.escape else None
        self._beside = [ord(mark) for mark in {dialect.delimiter, dialect.quote, *"\r\n"} if mark]
        self._rest = b"\n\n"  # the last two bytes: what follows the second is not known yet
        self._is_open = False
        self._is_sound = True

    def is_sound_so_far(self) -> bool:
        """Return whether every quote read so far opened or closed a cell."""
        return self._is_sound

    def is_sound(self) -> bool:
        """Return, at the end of the file, whether every quote opened or closed a cell."""
        if self._quote is not None:
            self._look(self._rest + b"\n", self._quote)
        return self._is_sound and not self._is_open

    def readable(self) -> bool:
        """Return True: the file can be read."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Read, and check what was read."""
        content = self._source.read(size) or b""
        if self._quote is not None and self._is_sound:
            self._look(self._rest + content[:2], self._quote)
            for start in range(0, len(content) - 2, _PIECE):
                piece = memoryview(content)[start : start + _PIECE + 2]
                self._look(piece, self._quote)
            self._rest = (self._rest + content[-2:])[-2:]
        return content

    def _look(self, piece: bytes | memoryview, quote: int) -> None:
        """Check the quotes between the first and the last byte."""
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


_BLOCK_BYTES = 2 << 20
_CHECKED_BYTES = 1 << 20  # nothing is kept of these blocks: they may stay in the cache
_NO_COLUMN = "-"


@dataclass(frozen=True, slots=True)
class Bulk:
    """The records of a file from a position on, each of ``width`` cells."""

    path: Path
    encoding: Encoding
    dialect: Dialect
    place: Place
    width: int

    def count(self) -> int | None:
        """
        Return the number of records, or None if a row does not have the form of the table.

        Parses the whole file, so a stream that is begun afterwards does not meet an odd row.
        """
        if not self._is_suitable():
            return None
        import pyarrow as pa

        rows = 0
        try:
            with open_utf8(self.path, self.encoding, self.place) as source:
                watch = QuoteWatch(source, self.dialect)
                for batch in self._batches(watch, _CHECKED_BYTES, only=self._checked()):
                    rows += batch.num_rows
                    if not watch.is_sound_so_far():
                        return None
        except (pa.ArrowInvalid, UnicodeError):
            return None
        return rows if watch.is_sound() else None

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the records; the columns are named "0", "1"... An empty cell is null."""
        with open_utf8(self.path, self.encoding, self.place) as source:
            yield from self._batches(source, _BLOCK_BYTES)

    def _checked(self) -> tuple[str, ...]:
        """Return the columns to convert for a count: none if the bytes are known to be UTF-8."""
        return (_NO_COLUMN,) if self._is_valid_utf8 else ()

    @property
    def _is_valid_utf8(self) -> bool:
        """Whether every byte was checked, or is written by ourselves (see ``open_utf8``)."""
        return self.encoding.is_valid or not self.encoding.is_utf8

    def _batches(
        self, source: io.RawIOBase, block_bytes: int, *, only: tuple[str, ...] = ()
    ) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyarrow import csv

        names = [str(column) for column in range(self.width)]
        with csv.open_csv(
            cast("IO[bytes]", source),
            read_options=csv.ReadOptions(
                use_threads=False, block_size=block_bytes, column_names=names
            ),
            parse_options=self._parse_options(csv),
            convert_options=csv.ConvertOptions(
                column_types={name: pa.string() for name in names},
                include_columns=list(only),
                include_missing_columns=True,
                check_utf8=not self._is_valid_utf8,
                strings_can_be_null=True,
                null_values=[""],
            ),
        ) as reader:
            yield from reader

    def _is_suitable(self) -> bool:
        delimiter = self.dialect.delimiter
        marks = (delimiter, self.dialect.quote, self.dialect.escape)
        is_plain = all(len(mark) <= 1 and mark.isascii() for mark in marks)
        # Columns of a fixed width have no delimiter; blanks may follow each other.
        return is_plain and self.width > 1 and delimiter not in ("", " ")

    def _parse_options(self, csv: Any) -> Any:
        return csv.ParseOptions(
            delimiter=self.dialect.delimiter,
            quote_char=self.dialect.quote or False,
            double_quote=bool(self.dialect.quote),
            escape_char=self.dialect.escape or False,
            newlines_in_values=bool(self.dialect.quote),
            ignore_empty_lines=False,
        )
