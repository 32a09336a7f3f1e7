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
from typing import Any, Protocol

PARTS = ".parts"
LEAST_BYTES = 1 << 20  # a smaller file is fetched whole

Ranges = list[tuple[int, int]]  # the first byte of each part, and its size
PartsOf = Callable[[Path], tuple[dict[str, Any], Ranges] | None]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a file. digest: the SHA-256 of its bytes, in hex."""

    start: int  # bytes from the start of the file
    size: int  # bytes
    digest: str

    def holds(self, data: bytes | mmap.mmap) -> bool:
        """Return whether these are the bytes that were written."""
        return hashlib.sha256(data).hexdigest() == self.digest


class StoredParts(Protocol):
    """The parts of one stored file."""

    about: dict[str, Any]  # what the reader of a part must know

    def __len__(self) -> int: ...

    def read(self, number: int) -> bytes | mmap.mmap:
        """Return the bytes of one part. Raise StorageUnreachable or StorageDamaged."""


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
