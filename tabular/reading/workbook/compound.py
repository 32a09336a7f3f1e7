"""One stream of a compound file ([MS-CFB]): the container of old workbooks."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice

_LAST = 0xFFFFFFFA  # this and above are no sectors
_ENTRY = 128
_HEADER_SECTORS = 109


def stream(content: bytes, names: tuple[str, ...]) -> bytes:
    """
    Give the first stream of one of these names, nothing where there is none.

    Raises struct.error or ValueError where the file is broken.
    """
    return _Compound(content).stream(names)


class _Compound:
    def __init__(self, content: bytes) -> None:
        self._content = content
        shift, mini_shift = struct.unpack_from("<HH", content, 30)
        self._size, self._mini_size = 1 << shift, 1 << mini_shift
        self._directory, self._cutoff, self._mini_fat = struct.unpack_from(
            "<4x12xI4xII", content, 32
        )
        self._table = self._numbers(self._table_sectors())

    def _table_sectors(self) -> Iterator[int]:
        yield from struct.unpack_from(f"<{_HEADER_SECTORS}I", self._content, 76)
        following, count = struct.unpack_from("<II", self._content, 68)
        for _ in range(min(count, len(self._content) // self._size)):
            *sectors, following = struct.unpack(f"<{self._size // 4}I", self._sector(following))
            yield from sectors

    def _numbers(self, sectors: Iterator[int]) -> tuple[int, ...]:
        held = b"".join(self._sector(sector) for sector in sectors if sector < _LAST)
        return struct.unpack(f"<{len(held) // 4}I", held)

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self._size
        held = self._content[start : start + self._size]
        return held.ljust(self._size, b"\0")  # some programs cut the last one short

    def _chain(self, start: int, table: tuple[int, ...]) -> Iterator[int]:
        for _ in range(len(table)):  # a ring ends here
            if start >= _LAST or start >= len(table):
                return
            yield start
            start = table[start]

    def _joined(self, start: int) -> bytes:
        return b"".join(map(self._sector, self._chain(start, self._table)))

    def stream(self, names: tuple[str, ...]) -> bytes:
        entries = self._joined(self._directory)
        starts: dict[str, tuple[int, int]] = {}
        root = 0
        for at in range(0, len(entries) - _ENTRY + 1, _ENTRY):
            length, kind = struct.unpack_from("<HB", entries, at + 64)
            start, size = struct.unpack_from("<II", entries, at + 116)
            name = entries[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
            if kind == 5:
                root = start
            elif kind == 2:
                starts.setdefault(name.lower(), (start, size))
        found = next((starts[name.lower()] for name in names if name.lower() in starts), None)
        if found is None:
            return b""
        start, size = found
        if size >= self._cutoff:
            return self._joined(start)[:size]
        return self._small(start, size, self._joined(root))

    def _small(self, start: int, size: int, held: bytes) -> bytes:
        table = self._numbers(self._chain(self._mini_fat, self._table))
        width = self._mini_size
        places = islice(self._chain(start, table), size // width + 1)
        return b"".join(held[n * width : (n + 1) * width] for n in places)[:size]
