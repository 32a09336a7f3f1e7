"""
Parts of stored files that are read alone, each with a digest of its own.

A folder in a bucket has an object ``.parts`` that names them. A folder of this machine needs none:
there a file is mapped into memory, and only what is used is read.
"""

import hashlib
import json
import mmap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARTS = ".parts"
LEAST_BYTES = 1 << 20  # a smaller file is fetched whole

Data = bytes | mmap.mmap
Ranges = list[tuple[int, int]]  # the first byte of each part, and its size
PartsOf = Callable[[Path], tuple[dict[str, Any], Ranges] | None]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file. digest: the SHA-256 of its bytes, in hex."""

    start: int  # bytes from the start of the file
    size: int  # bytes
    digest: str

    def holds(self, data: Data) -> bool:
        """Return whether these are the bytes that were written."""
        return hashlib.sha256(data).hexdigest() == self.digest


class StoredParts:
    """The parts of one stored file. about: what the reader of a part must know."""

    def __init__(self, written: dict[str, Any], read: Callable[[Part], Data]) -> None:
        """written: what ``write_parts`` wrote of the file. read: returns the bytes of a part."""
        self.about: dict[str, Any] = written["about"]
        self._parts = [Part(*members) for members in written["parts"]]
        self._read = read

    def __len__(self) -> int:
        return len(self._parts)

    def read(self, number: int) -> Data:
        """Return the bytes of one part. Raise StorageUnreachable or StorageDamaged."""
        return self._read(self._parts[number])


def write_parts(folder: Path, parts_of: PartsOf) -> None:
    """Write which parts the larger files of a folder have."""
    named = {}
    for path in folder.iterdir():
        if path.stat().st_size >= LEAST_BYTES and (parts := parts_of(path)):
            about, ranges = parts
            named[path.name] = {"about": about, "parts": list(_digested(path, ranges))}
    if named:
        (folder / PARTS).write_text(json.dumps(named), encoding="utf-8")


def _digested(path: Path, ranges: Ranges) -> Iterator[tuple[int, int, str]]:
    with path.open("rb") as file:
        for start, size in ranges:
            file.seek(start)
            yield start, size, hashlib.sha256(file.read(size)).hexdigest()


def mapped(path: Path) -> mmap.mmap:
    """Map the copy of a part into memory."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
