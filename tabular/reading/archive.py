"""gz and zip files: the only file they contain, or the files of an archive."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import weakref
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from tabular.model.issue import Issue
from tabular.model.places import plain_name
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.sentences import Sentence
from tabular.model.table import Body, SkippedRow, Table
from tabular.reading.aes_zip import AES, AesEntry, WrongKey
from tabular.reading.broken import BROKEN
from tabular.reading.limiting import too_much

if TYPE_CHECKING:
    import pyarrow as pa

MOST_FILES = 200  # of an archive, read together
_CHUNK = 1 << 20
_LONGEST_NAME = 100
_CLUTTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


class Unpacked:
    """One file of an archive, in a folder that lives as long as this object."""

    def __init__(self, name: str | None = None) -> None:
        folder = tempfile.mkdtemp(prefix="unpacked-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / "content"
        self.name = name  # inside an archive of several files


@dataclass(frozen=True, slots=True)
class UnpackedBody:
    """A body that keeps its unpacked file."""

    body: Body
    unpacked: Unpacked

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Return an iterator over the batches (see ``Body``)."""
        return self.body.batches()

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table with its file, exact counts and issues; its pages cannot be shown."""
        table, issues = self.body.outcome()
        return replace(table, file=self.unpacked.name, frames=()), issues

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return every row that is not in the body."""
        return self.body.skipped_rows()


def unpack(
    path: Path, *, is_zip: bool, password: str | None, limits: Limits
) -> tuple[Unpacked, ...]:
    """
    Unpack the files of an archive, up to the limit of expanded bytes in total.

    The names inside are never used as paths. Raises UnreadableFile (damaged_file, several_files,
    password_protected) and LimitExceeded (expanded_bytes).
    """
    try:
        if not is_zip:
            with gzip.open(path) as unzipped:
                return (
                    _unpacked(cast("IO[bytes]", unzipped), None, limits.expanded_bytes, limits),
                )
        with zipfile.ZipFile(path) as package:
            return tuple(_all_of(package, password, limits))
    except BROKEN as error:
        raise UnreadableFile(
            "damaged_file", "The archive is incomplete or damaged. Pack or send it again."
        ) from error


def _all_of(package: zipfile.ZipFile, password: str | None, limits: Limits) -> Iterator[Unpacked]:
    entries = _entries(package)
    left = limits.expanded_bytes
    for entry in entries:
        if entry.flag_bits & 1 and not password:
            raise _protected()
        try:
            source = opened(package, entry, password)
        except (RuntimeError, WrongKey) as error:  # zipfile: "Bad password for file"
            raise _protected() from error
        with source:
            name = _shown(entry.filename) if len(entries) > 1 else None
            unpacked = _unpacked(source, name, left, limits)
        left -= unpacked.path.stat().st_size
        yield unpacked


def opened(package: zipfile.ZipFile, entry: zipfile.ZipInfo, password: str | None) -> IO[bytes]:
    """Return the content of an entry. Raises RuntimeError or WrongKey for a wrong password."""
    if password and entry.flag_bits & 1 and entry.compress_type == AES:
        return AesEntry.of(package, entry).opened(password)
    return package.open(entry, pwd=password.encode() if password else None)


def _unpacked(source: IO[bytes], name: str | None, left: int, limits: Limits) -> Unpacked:
    unpacked = Unpacked(name)
    with unpacked.path.open("wb") as file:
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise too_much(
                    "expanded_bytes", limits.expanded_bytes, "The unpacked file is larger"
                )
            file.write(chunk)
    return unpacked


def _shown(name: str) -> str:
    """Return a name for display: its last part, without path and control characters."""
    return plain_name(name)[-_LONGEST_NAME:] or "file"


def _protected() -> UnreadableFile:
    return UnreadableFile(
        "password_protected",
        "The file is protected by a password. Enter it, or send an unprotected file.",
    )


def _entries(package: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = [
        entry
        for entry in package.infolist()
        if not entry.is_dir()
        and not entry.filename.startswith(_CLUTTER)
        and not entry.filename.endswith(_CLUTTER)
    ]
    if not entries:
        raise UnreadableFile("no_table_found", "The archive holds no file.")
    if len(entries) > MOST_FILES:
        raise UnreadableFile(
            "several_files",
            Sentence(
                "The archive holds {n1} files; the limit is {n2}. Split it into several archives.",
                n1=len(entries),
                n2=str(MOST_FILES),
            ),
            names=[_shown(entry.filename) for entry in entries[:20]],
        )
    return entries
