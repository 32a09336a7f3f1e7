"""gz and zip files that hold one file."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import weakref
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from tabular.model.issue import Issue
from tabular.model.limits import Limits
from tabular.model.problem import UnreadableFile
from tabular.model.table import Body, LeftOut, Table
from tabular.reading.broken import BROKEN
from tabular.reading.limiting import too_much

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK = 1 << 20
_CLUTTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")


class Unpacked:
    """The one file of an archive, in a folder that lives as long as this object."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="unpacked-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = Path(folder) / "content"


@dataclass(frozen=True, slots=True)
class UnpackedBody:
    """A body that keeps its unpacked file."""

    body: Body
    unpacked: Unpacked

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream the body (see ``Body``)."""
        return self.body.batches()

    def settled(self) -> tuple[Table, tuple[Issue, ...]]:
        """Give the table with exact counts, and what was odd."""
        return self.body.settled()

    def left_out(self) -> Iterator[LeftOut]:
        """Give every row that is not in the body."""
        return self.body.left_out()


def unpack(path: Path, *, is_zip: bool, password: str | None, limits: Limits) -> Unpacked:
    """
    Unpack the one file of an archive, up to the limit of expanded bytes.

    The name inside is never used as a path. Raises UnreadableFile (damaged_file, several_files,
    password_protected) and LimitExceeded (expanded_bytes).
    """
    unpacked = Unpacked()
    try:
        with _opened(path, is_zip=is_zip, password=password) as source:
            _copy(source, unpacked.path, limits)
    except BROKEN as error:
        raise UnreadableFile(
            "damaged_file", "The archive is cut off or damaged. Please pack or send it again."
        ) from error
    return unpacked


@contextmanager
def _opened(path: Path, *, is_zip: bool, password: str | None) -> Iterator[IO[bytes]]:
    if not is_zip:
        with gzip.open(path) as unzipped:
            yield cast("IO[bytes]", unzipped)
        return
    with zipfile.ZipFile(path) as package:
        entry = _only_entry(package)
        if entry.flag_bits & 1 and not password:
            raise _protected()
        try:
            source = package.open(entry, pwd=password.encode() if password else None)
        except RuntimeError as error:  # zipfile: "Bad password for file"
            raise _protected() from error
        with source:
            yield source


def _protected() -> UnreadableFile:
    return UnreadableFile("password_protected", "The archive is protected by a password.")


def _only_entry(package: zipfile.ZipFile) -> zipfile.ZipInfo:
    entries = [
        entry
        for entry in package.infolist()
        if not entry.is_dir()
        and not entry.filename.startswith(_CLUTTER)
        and not entry.filename.endswith(_CLUTTER)
    ]
    if not entries:
        raise UnreadableFile("no_table_found", "The archive holds no file.")
    if len(entries) > 1:
        raise UnreadableFile(
            "several_files",
            f"The archive holds {len(entries)} files. Please send them one by one.",
            names=[entry.filename[-100:] for entry in entries[:20]],
        )
    return entries[0]


def _copy(source: IO[bytes], target: Path, limits: Limits) -> None:
    left = limits.expanded_bytes
    with target.open("wb") as file:
        while chunk := source.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise too_much("expanded_bytes", limits.expanded_bytes, "The unpacked file")
            file.write(chunk)
