"""The bytes of a text file from some line on, as UTF-8, for Arrow's CSV reader."""

from __future__ import annotations

import codecs
import io
from dataclasses import dataclass
from pathlib import Path

from tabular.reading.text.encoding import Encoding

_BLOCK = 1 << 20
_MARK_BYTES = len(codecs.BOM_UTF8)


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file: the number of lines and characters before it."""

    lines: int
    characters: int
    utf8_bytes: int  # without a byte order mark


def place_after(lines: list[str], count: int) -> Place:
    """Return the position after the first ``count`` of these lines."""
    before = lines[:count]
    return Place(count, sum(map(len, before)), sum(len(line.encode()) for line in before))


def open_utf8(path: Path, encoding: Encoding, place: Place) -> io.RawIOBase:
    """Open the file as UTF-8 bytes, from a position on."""
    if encoding.is_utf8:
        file = path.open("rb", buffering=0)
        mark = _MARK_BYTES if encoding.name == "utf-8-sig" else 0
        file.seek(mark + place.utf8_bytes)
        return file
    return _Transcoded(path, encoding, place.characters)


class _Transcoded(io.RawIOBase):
    """A file in another encoding, read as UTF-8."""

    def __init__(self, path: Path, encoding: Encoding, skipped: int) -> None:
        super().__init__()
        self._file = path.open("r", encoding=encoding.name, errors="strict", newline="")
        self._rest = b""
        self._file.read(skipped)

    def readable(self) -> bool:
        """Return True: the file can be read."""
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]  # narrower on purpose
        """Fill the target with UTF-8."""
        if not self._rest:
            self._rest = self._file.read(_BLOCK).encode()
        taken = self._rest[: len(target)]
        target[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
