"""
Where stored files live: the folder of this machine, or a bucket with a cache on this machine.

A name has two parts: ``sources/<digest>-<random>`` is a file, ``staged/<random>`` a folder, whose
files have three. Either home keeps files below ``root()``, where programs read them by path.
"""

import errno
import os
import shutil
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

from django.conf import settings

from common.storage.in_parts import PartsOf, StoredParts


class Home(Protocol):
    """Makes local files durable, and durable files local."""

    root: Path  # what is readable here

    def keep(self, name: str, parts_of: PartsOf | None = None) -> None:
        """
        Make the new file or folder at ``root / name`` durable. Raise StorageUnreachable.

        parts_of: for a folder, names what can be read alone of its files.
        """

    def ready(self, name: str) -> None:
        """Make a stored file or folder readable at ``root / name``, if it exists."""

    def parts(self, name: str) -> StoredParts | None:
        """Return the parts of a file of a folder, or None if it is here or has none."""

    def copy(self, name: str, other: str) -> bool:
        """Store a file under a second name. Return False if the caller must copy its bytes."""

    def remove(self, name: str) -> None:
        """Remove a stored file or folder; removing it twice is harmless."""

    def size(self, folder: str) -> int:
        """Return the total size of a stored folder's files in bytes."""

    def names_before(self, moment: float) -> Iterator[str]:
        """Yield the names of files and folders that were stored before ``moment`` (Unix time)."""


class Folder:
    """A folder that all programs share; what is synced to its disk is durable."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def keep(self, name: str, parts_of: PartsOf | None = None) -> None:
        """Sync the folder that has the new entry."""
        sync_folder((self.root / name).parent)

    def ready(self, name: str) -> None:
        """Do nothing: every file is readable where it is stored."""

    def parts(self, name: str) -> StoredParts | None:
        """Return None: every file is readable where it is stored."""

    def copy(self, name: str, other: str) -> bool:
        """Link the file; some disks have no links."""
        try:
            os.link(self.root / name, self.root / other)
        except OSError as error:
            if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EMLINK}:
                raise
            return False
        sync_folder((self.root / other).parent)
        return True

    def remove(self, name: str) -> None:
        """Remove it from the disk."""
        remove_local(self.root / name)

    def size(self, folder: str) -> int:
        """Return what the files take on disk."""
        return sum(file.stat().st_size for file in (self.root / folder).iterdir())

    def names_before(self, moment: float) -> Iterator[str]:
        """Yield names by the time of their last change."""
        for path in self.root.glob("*/*"):
            if path.stat().st_mtime < moment:
                yield str(path.relative_to(self.root))


def folder() -> Folder:
    """Return the folder of this machine, whether it is in use or not."""
    return _folder(str(settings.DATA_DIR))


@cache
def _folder(data: str) -> Folder:
    return Folder(Path(data) / "files")


def home() -> Home:
    """Return where this engine stores files."""
    if not settings.S3_URL:
        return folder()
    return bucket(settings.S3_URL, settings.S3_REGION, Path(settings.DATA_DIR))


@cache
def bucket(url: str, region: str, data: Path) -> Home:
    """Return the bucket at an address, with its cache below the data folder."""
    from common.storage.bucket import Bucket
    from common.storage.cached import Cache

    return Bucket(url, region, Cache(data / "cache" / "files", settings.CACHE_BYTES))


def root() -> Path:
    """Return the folder below which this machine reads stored files."""
    return home().root


def sync_folder(path: Path) -> None:
    """Write the entries of a folder to its disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_local(path: Path) -> None:
    """Remove a file or a folder of this machine; removing it twice is harmless."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def moment_before(seconds: float) -> float:
    """Return the Unix time of so many seconds ago."""
    return time.time() - seconds
