"""
Copies of stored files on this machine, bounded in bytes and shared by its processes.

A copy is synced before it has its name, so it is whole even after a power failure. The bound is
kept by removing what was not used for the longest time. What was used within the last hour is never
removed, since a program may still read it by its path: until then the cache may exceed its bound.
"""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from common.storage.errors import space_needed
from common.storage.homes import remove_local

IN_USE_S = 3600
UNUSED_S = 24 * 3600  # then a copy goes also if there is space: its file may have been deleted
SWEPT_EVERY_S = 600
SHARE_BEFORE_SWEEP = 16  # this part of the bound may be added before the next look at all copies


class Cache:
    """The copies below one folder."""

    def __init__(self, root: Path, most_bytes: int) -> None:
        self.root = root
        self._most = most_bytes
        self._added = 0
        self._swept = 0.0

    def use(self, name: str) -> bool:
        """Note that a copy is used now. Return False if there is none."""
        top = self.root / "/".join(name.split("/")[:2])
        try:
            os.utime(top)
        except FileNotFoundError:
            return False
        return (self.root / name).exists()

    def added(self, size: int) -> None:
        """Count bytes of a new copy, and keep the bound from time to time."""
        self._added += size
        is_much = self._added * SHARE_BEFORE_SWEEP > self._most
        if is_much or time.monotonic() - self._swept > SWEPT_EVERY_S:
            self.sweep()

    @contextmanager
    def incoming(self, name: str, *, is_synced: bool = True) -> Iterator[Path]:
        """
        Yield a path to write to; the copy gets its name if the block ends without an error.

        is_synced: without, each reader of the copy compares its digest.
        """
        path = self.root / name
        with space_needed():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.parent / f".{secrets.token_hex(8)}.part"
            try:
                yield part
                if is_synced:
                    with part.open("rb") as file:
                        os.fsync(file.fileno())
                part.rename(path)
            finally:
                part.unlink(missing_ok=True)

    def sweep(self, most_bytes: int | None = None) -> None:
        """Remove the copies that were not used for the longest time, down to the bound."""
        self._added, self._swept = 0, time.monotonic()
        self.root.mkdir(parents=True, exist_ok=True)
        with self.root.with_suffix(".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # another process does it
            self._shrink(self._most if most_bytes is None else most_bytes)

    def _shrink(self, most_bytes: int) -> None:
        now = time.time()
        copies = sorted(self._copies())
        left = sum(size for _, size, _ in copies)
        for used, size, path in copies:
            if now - used < IN_USE_S or (left <= most_bytes and now - used < UNUSED_S):
                return
            remove_local(_moved_away(path))
            left -= size

    def _copies(self) -> Iterator[tuple[float, int, Path]]:
        """Yield when each copy was used, its size and its path."""
        for path in self.root.glob("*/*"):
            with suppress(FileNotFoundError):  # another process removed it
                about = path.stat()
                size = about.st_size
                if path.is_dir():
                    size = sum(file.stat().st_size for file in path.iterdir())
                yield about.st_mtime, size, path


def _moved_away(path: Path) -> Path:
    """Take the name from a copy first, so that none is ever seen in part."""
    other = path.parent / f".{path.name}.{secrets.token_hex(4)}.gone"
    path.rename(other)
    return other
