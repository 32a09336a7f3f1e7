"""Stored files, in one folder that web and workers share.

A file is written under a new, content-based path and fsynced (file and folder) before any row names
it. To delete it, the row is committed first and the file removed afterwards.
"""

import errno
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

from common.errors import TooLarge, Unavailable
from sandbox import folders


class StorageFull(Unavailable):
    """The engine has no space for this file. Contact the operator, then retry."""

    code = "storage_full"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that is safely on disk."""

    name: str  # relative to the storage folder
    size: int  # bytes
    sha256: str  # hex


def root() -> Path:
    """Return the storage folder."""
    return Path(settings.DATA_DIR) / "files"


def local_path(name: str) -> Path:
    """Return a readable path of a stored file. Raise ValueError for a name outside the storage."""
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
        with _room_needed():
            self._file.write(chunk)

    def finish(self) -> StoredFile:
        """Save the file to disk and give it its name."""
        with _room_needed():
            self._file.flush()
            os.fsync(self._file.fileno())
        self._file.close()
        name = f"{self._folder}/{self._digest.hexdigest()[:16]}-{secrets.token_hex(6)}"
        self._temporary.rename(root() / name)
        _fsync_folder(self._directory)
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


def adopt(folder: str, made: Path) -> str:
    """Move a finished folder of files into the storage under a new name, and return that name."""
    directory = _directory(folder)
    name = f"{folder}/{secrets.token_hex(12)}"
    for file in made.iterdir():
        with file.open("rb") as handle:
            os.fsync(handle.fileno())
    _fsync_folder(made)
    shutil.move(made, root() / name)
    _fsync_folder(directory)
    return name


def again(name: str) -> str:
    """Link a stored file under a second name and return it; each name is deleted on its own."""
    path = local_path(name)
    other = f"{name.partition('/')[0]}/{path.name.partition('-')[0]}-{secrets.token_hex(6)}"
    with _room_needed():
        try:
            os.link(path, local_path(other))
        except OSError as error:
            if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EMLINK}:
                raise
            return store(name.partition("/")[0], stream(name)).name  # a disk without hard links
    _fsync_folder(path.parent)
    return other


def delete(name: str) -> None:
    """Remove a stored file or folder; removing it twice is harmless."""
    path = local_path(name)
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def size_of(folder: str) -> int:
    """Return the total size of a stored folder's files in bytes."""
    return sum(file.stat().st_size for file in local_path(folder).iterdir())


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


def _fsync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _room_needed() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StorageFull from error
        raise
