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

_BLOCK_BYTES = 8 << 20


@dataclass(frozen=True, slots=True)
class Bulk:
    """The records of a file from a place on, each of ``width`` cells."""

    path: Path
    encoding: Encoding
    dialect: Dialect
    place: Place
    width: int

    def count(self) -> int | None:
        """
        Count the records; None when a row does not have the form of the table.

        Parses the whole file, so a stream that is begun afterwards does not meet an odd row.
        """
        if not self._is_suitable():
            return None
        import pyarrow as pa

        rows = 0
        try:
            with open_utf8(self.path, self.encoding, self.place) as source:
                watched = QuoteWatch(source, self.dialect)
                for batch in self._batches(watched, only=("0",)):
                    rows += batch.num_rows
                    if watched.is_stray:
                        return None
        except (pa.ArrowInvalid, UnicodeError):
            return None
        return rows

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream the records; the columns are named "0", "1"... An empty cell is null."""
        with open_utf8(self.path, self.encoding, self.place) as source:
            yield from self._batches(source)

    def _batches(
        self, source: io.RawIOBase, *, only: tuple[str, ...] = ()
    ) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyarrow import csv

        names = [str(column) for column in range(self.width)]
        with csv.open_csv(
            cast("IO[bytes]", source),
            read_options=csv.ReadOptions(
                use_threads=False, block_size=_BLOCK_BYTES, column_names=names
            ),
            parse_options=self._parse_options(csv),
            convert_options=csv.ConvertOptions(
                column_types={name: pa.string() for name in names},
                include_columns=list(only),
                strings_can_be_null=True,
                null_values=[""],
            ),
        ) as reader:
            yield from reader

    def _is_suitable(self) -> bool:
        marks = (self.dialect.delimiter, self.dialect.quote, self.dialect.escape)
        is_plain = all(len(mark) <= 1 and mark.isascii() for mark in marks)
        return is_plain and self.width > 1 and self.dialect.delimiter != " "

    def _parse_options(self, csv: Any) -> Any:
        return csv.ParseOptions(
            delimiter=self.dialect.delimiter,
            quote_char=self.dialect.quote or False,
            double_quote=bool(self.dialect.quote),
            escape_char=self.dialect.escape or False,
            newlines_in_values=bool(self.dialect.quote),
            ignore_empty_lines=False,
        )


class QuoteWatch(io.RawIOBase):
    """
    A file that is watched for quotes between two ordinary characters while it is read.

    Arrow would take such a quote for part of the cell without a word; the tolerant reader says so.
    """

    def __init__(self, source: io.RawIOBase, dialect: Dialect) -> None:
        super().__init__()
        self.is_stray = False
        self._source = source
        self._quote = ord(dialect.quote) if dialect.quote and not dialect.escape else None
        self._around = {
            ord(mark) for mark in (dialect.delimiter, dialect.quote, "\r", "\n") if mark
        }
        self._before = b"\n"

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]  # narrower on purpose
        """Fill the target, and look at what was read."""
        size = self._source.readinto(target) or 0
        if self._quote is not None and not self.is_stray:
            self._look(self._before + bytes(target[:size]), self._quote)
        return size

    def _look(self, chunk: bytes, quote: int) -> None:
        import numpy as np

        ordinary = np.ones(256, dtype=bool)
        ordinary[list(self._around)] = False
        codes = np.frombuffer(chunk, dtype=np.uint8)
        places = np.flatnonzero(codes[1:-1] == quote) + 1
        self.is_stray = bool((ordinary[codes[places - 1]] & ordinary[codes[places + 1]]).any())
        self._before = chunk[-2:]
