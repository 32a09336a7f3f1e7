"""
Write, read and delete stored files.

A file is written under a new, content-based path and is durable before any row names it: synced
(file and folder), and in a bucket confirmed by it. To delete it, the row is committed first and the
file removed afterwards.
"""

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from django.conf import settings

from common.errors import TooLarge
from common.storage.errors import space_needed
from common.storage.homes import home, moment_before, root, sync_folder
from common.storage.in_parts import PartsOf, StoredParts
from sandbox import folders


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is safely on disk."""

    name: str  # relative to the storage folder
    size: int  # bytes
    sha256: str  # hex


def local_path(name: str) -> Path:
    """
    Return the path of a stored file or folder. Raise ValueError for a name outside the storage.

    Raise StorageUnreachable or StorageDamaged if it must be fetched and cannot be.
    """
    path = _inside(name)
    home().ready(name)
    return path


def parts(name: str) -> StoredParts | None:
    """
    Return the parts of a file of a stored folder, to read some without the others.

    Return None if ``local_path`` costs no more: the file is on this machine, or has no parts.
    """
    _inside(name)
    return home().parts(name)


def _inside(name: str) -> Path:
    # By name alone: resolving asks the disk about every folder on the way, for each file sent.
    base = os.path.abspath(root())
    path = os.path.normpath(os.path.join(base, name))
    if not f"{path}/".startswith(f"{base}/"):
        raise ValueError(f"{name!r} is outside the storage")
    return Path(path)


class Incoming:
    """
    A file that is being written; it has no name until ``finish``.

    If the ``with`` block ends without ``finish``, nothing is left behind. ``after``: bytes that
    precede the file wherever it is used; the digest includes them, the file does not.
    """

    def __init__(self, folder: str, *, max_bytes: int | None = None, after: bytes = b"") -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._directory = _directory(folder)
        self._temporary = self._directory / f".{secrets.token_hex(8)}.part"
        self._file = self._temporary.open("xb")
        self._digest = hashlib.sha256(after)
        self.size = 0  # bytes written so far

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def write(self, chunk: bytes) -> None:
        """Append bytes. Raise TooLarge beyond ``max_bytes``, StorageFull if the disk is full."""
        self.size += len(chunk)
        if self._max_bytes is not None and self.size > self._max_bytes:
            raise TooLarge("too_large.file", size=self._max_bytes)
        self._digest.update(chunk)
        with space_needed():
            self._file.write(chunk)

    def finish(self) -> StoredFile:
        """Save the file to disk and give it its name."""
        with space_needed():
            self._file.flush()
            os.fsync(self._file.fileno())
        self._file.close()
        name = f"{self._folder}/{self._digest.hexdigest()[:16]}-{secrets.token_hex(6)}"
        self._temporary.rename(root() / name)
        home().keep(name)
        return StoredFile(name=name, size=self.size, sha256=self._digest.hexdigest())

    def close(self) -> None:
        """Remove what was not finished; closing twice is harmless."""
        with suppress(OSError):  # a full disk fails the last flush, too
            self._file.close()
        self._temporary.unlink(missing_ok=True)


def store(
    folder: str, chunks: Iterable[bytes], *, max_bytes: int | None = None, after: bytes = b""
) -> StoredFile:
    """
    Write a stream of bytes to a new file in ``folder``.

    Raise TooLarge if more than ``max_bytes`` arrive; nothing is left behind then. ``after``: see
    ``Incoming``.
    """
    with Incoming(folder, max_bytes=max_bytes, after=after) as incoming:
        for chunk in chunks:
            incoming.write(chunk)
        return incoming.finish()


def adopt(folder: str, made: Path, *, parts_of: PartsOf | None = None) -> str:
    """
    Move a finished folder of files into the storage under a new name, and return that name.

    parts_of: names what can be read alone of a file; see ``parts``.
    """
    _directory(folder)
    name = f"{folder}/{secrets.token_hex(12)}"
    for file in made.iterdir():
        with file.open("rb") as handle:
            os.fsync(handle.fileno())
    sync_folder(made)
    shutil.move(made, root() / name)
    home().keep(name, parts_of)
    return name


def again(name: str) -> str:
    """Store a file under a second name and return it; each name is deleted on its own."""
    folder, _, file = name.partition("/")
    other = f"{folder}/{file.partition('-')[0]}-{secrets.token_hex(6)}"
    with space_needed():
        if home().copy(name, other):
            return other
    return store(folder, stream(name)).name


def delete(name: str) -> None:
    """Remove a stored file or folder; removing it twice is harmless."""
    _inside(name)
    home().remove(name)


def size_of(folder: str) -> int:
    """Return the total size of a stored folder's files in bytes."""
    return home().size(folder)


def names_before(seconds: float) -> Iterator[str]:
    """Yield the names of files and folders that were stored at least so many seconds ago."""
    return home().names_before(moment_before(seconds))


def stream(name: str, *, chunk_bytes: int = 1 << 20) -> Iterator[bytes]:
    """Return an iterator over the chunks of a stored file."""
    return chunks_of(local_path(name), chunk_bytes=chunk_bytes)


def chunks_of(path: Path, *, chunk_bytes: int = 1 << 20) -> Iterator[bytes]:
    """Yield the chunks of any file."""
    with path.open("rb") as file:
        while chunk := file.read(chunk_bytes):
            yield chunk


@contextmanager
def working_folder(purpose: str) -> Iterator[Path]:
    """Yield a private folder on the storage's file system, and remove it afterwards."""
    base = Path(settings.DATA_DIR) / "work"
    base.mkdir(parents=True, exist_ok=True)
    folder = base / f"{purpose}-{secrets.token_hex(8)}"
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        folders.remove(folder)


def _directory(folder: str) -> Path:
    directory = root() / folder
    directory.mkdir(parents=True, exist_ok=True)
    return directory
