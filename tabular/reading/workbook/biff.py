"""What the records of an old xls ([MS-XLS] in [MS-CFB]) hold that calamine does not return."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from tabular.reading.broken import BROKEN
from tabular.reading.workbook.formats import Marks, telling
from tabular.reading.workbook.package import Inspected, SheetParts, damaged

_LAST = 0xFFFFFFFA  # this and above are not sectors
_ENTRY = 128
_HEADER_SECTORS = 109
_SECTOR_SHIFTS, _MINI_SHIFT = (9, 12), 6
_STREAM, _ROOT = 2, 5


class EndlessChain(Exception):
    """Sectors form a cycle, which calamine would follow until memory ends."""


def stream(content: bytes, names: tuple[str, ...]) -> bytes:
    """
    Return the first stream with one of these names, empty if there is none.

    Raises struct.error or ValueError if the file is broken, and EndlessChain.
    """
    return _Compound(content).stream(names)


class _Compound:
    def __init__(self, content: bytes) -> None:
        self._content = content
        shift, mini_shift = struct.unpack_from("<HH", content, 30)
        if shift not in _SECTOR_SHIFTS or mini_shift != _MINI_SHIFT:
            raise ValueError("sectors of a size that no container has")
        self._size, self._mini_size = 1 << shift, 1 << mini_shift
        self._directory, self._cutoff, self._mini_fat = struct.unpack_from(
            "<4x12xI4xII", content, 32
        )
        self._table = self._numbers(self._table_sectors())

    def _table_sectors(self) -> list[int]:
        sectors = list(struct.unpack_from(f"<{_HEADER_SECTORS}I", self._content, 76))
        following, count = struct.unpack_from("<II", self._content, 68)
        seen: set[int] = set()
        while following < _LAST:  # calamine trusts no count
            if following in seen:
                raise EndlessChain
            seen.add(following)
            *named, following = struct.unpack(f"<{self._size // 4}I", self._sector(following))
            if len(seen) <= count:
                sectors += named
        return sectors

    def _numbers(self, sectors: Iterable[int]) -> tuple[int, ...]:
        most = len(self._content) // self._size  # so that no sector need be named twice
        numbers = islice((sector for sector in sectors if sector < _LAST), most)
        held = b"".join(map(self._sector, numbers))
        return struct.unpack(f"<{len(held) // 4}I", held)

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self._size
        held = self._content[start : start + self._size]
        return held.ljust(self._size, b"\0")  # some programs cut the last one short

    def _chain(self, start: int, table: tuple[int, ...]) -> Iterator[int]:
        for _ in range(len(table)):  # a cycle ends here
            if start >= _LAST or start >= len(table):
                return
            yield start
            start = table[start]

    def _joined(self, start: int) -> bytes:
        return b"".join(map(self._sector, self._chain(start, self._table)))

    def stream(self, names: tuple[str, ...]) -> bytes:
        entries = self._joined(self._directory)
        starts: dict[str, tuple[int, int]] = {}
        large, small = [self._directory, self._mini_fat], list[int]()
        root = 0
        for at in range(0, len(entries) - _ENTRY + 1, _ENTRY):
            length, kind = struct.unpack_from("<HB", entries, at + 64)
            start, size = struct.unpack_from("<II", entries, at + 116)
            name = entries[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
            if kind == _ROOT:
                root = start
                large.append(start)
            elif kind == _STREAM:
                starts.setdefault(name.lower(), (start, size))
                (large if size >= self._cutoff else small).append(start)
        _refuse_rings(large, self._table)
        _refuse_rings(small, self._mini_table())
        first = next((starts[name.lower()] for name in names if name.lower() in starts), None)
        if first is None:
            return b""
        start, size = first
        if size >= self._cutoff:
            return self._joined(start)[:size]
        return self._small(start, size, self._joined(root))

    def _small(self, start: int, size: int, held: bytes) -> bytes:
        table = self._mini_table()
        width = self._mini_size
        places = islice(self._chain(start, table), size // width + 1)
        return b"".join(held[n * width : (n + 1) * width] for n in places)[:size]

    def _mini_table(self) -> tuple[int, ...]:
        return self._numbers(self._chain(self._mini_fat, self._table))


def _refuse_rings(starts: Iterable[int], table: tuple[int, ...]) -> None:
    ending: set[int] = set()
    for start in starts:
        chain: set[int] = set()
        while start < len(table) and start not in ending:
            if start in chain:
                raise EndlessChain
            chain.add(start)
            start = table[start]
        ending |= chain


_BEGIN, _END, _SHEET, _FORMAT, _STYLE, _PROTECTED = 0x809, 0x0A, 0x85, 0x41E, 0xE0, 0x2F
_NUMBER, _SMALL_NUMBER, _SMALL_NUMBERS = 0x203, 0x27E, 0xBD
_FORMULA, _ERROR, _ROW = 0x06, 0x205, 0x208
_UNICODE = 0x600  # the version from which texts are Unicode
_HIDDEN = 0x20
_IS_ERROR = 2  # the result of a formula


def inspect_records(path: Path) -> Inspected:
    """
    Inspect the records of an xls; calamine refuses what is broken in it.

    Raises UnreadableFile (damaged_file) for what calamine would never finish.
    """
    try:
        content = stream(path.read_bytes(), ("Workbook", "Book"))
        return Inspected(_inspect(content))
    except EndlessChain as error:
        raise damaged() from error
    except BROKEN:
        return Inspected({})


def _inspect(content: bytes) -> dict[str, SheetParts]:
    sheets: list[tuple[str, int]] = []
    codes: dict[int, str] = {}
    numbers: list[int] = []
    is_unicode = True
    for kind, at, size in _records(content, 0):
        if kind == _BEGIN:
            is_unicode = _short(content, at) >= _UNICODE
        elif kind == _PROTECTED:
            return {}
        elif kind == _SHEET:
            name = _text(content[at + 6 : at + size], 1, is_unicode)
            sheets.append((name, struct.unpack_from("<I", content, at)[0]))
        elif kind == _FORMAT:
            code = _text(content[at + 2 : at + size], 2 if is_unicode else 1, is_unicode)
            codes[_short(content, at)] = code
        elif kind == _STYLE:
            numbers.append(_short(content, at + 2))
    styles = telling(codes, numbers)
    return {name: _sheet(content, start, Marks(styles)) for name, start in sheets}


def _records(content: bytes, start: int) -> Iterator[tuple[int, int, int]]:
    """Yield number, start and length of each record up to the end of a part of the stream."""
    while start + 4 <= len(content):
        kind, size = struct.unpack_from("<HH", content, start)
        yield kind, start + 4, size
        start += 4 + size
        if kind == _END:
            return


def _text(content: bytes, width: int, is_unicode: bool) -> str:
    length = int.from_bytes(content[:width], "little")
    if not is_unicode:
        return content[width : width + length].decode("cp1252", "replace")
    if content[width] & 1:
        return content[width + 1 : width + 1 + 2 * length].decode("utf-16-le", "replace")
    return content[width + 1 : width + 1 + length].decode("latin-1")


def _short(content: bytes, at: int) -> int:
    return int.from_bytes(content[at : at + 2], "little")


def _sheet(content: bytes, start: int, marks: Marks) -> SheetParts:
    sheet = SheetParts(marks=marks)
    for kind, at, size in _records(content, start):
        if kind in {_NUMBER, _SMALL_NUMBER, _FORMULA}:
            row, column, style = struct.unpack_from("<HHH", content, at)
            if style in marks.styles:
                marks.add_style(row, column, style)
            if (
                kind == _FORMULA
                and content[at + 12 : at + 14] == b"\xff\xff"
                and content[at + 6] == _IS_ERROR
            ):
                sheet.add_error(row, column, content[at + 8])
        elif kind == _SMALL_NUMBERS and marks.styles:
            row, column = struct.unpack_from("<HH", content, at)
            for place in range((size - 6) // 6):
                style = _short(content, at + 4 + 6 * place)
                if style in marks.styles:
                    marks.add_style(row, column + place, style)
        elif kind == _ERROR and content[at + 7]:
            row, column = struct.unpack_from("<HH", content, at)
            sheet.add_error(row, column, content[at + 6])
        elif kind == _ROW:
            sheet.hidden_rows += content[at + 12] & _HIDDEN > 0
    return sheet
