"""Measure and remove a job's folder without trusting what the child left there.

A compromised child may nest folders deeper than the longest possible path or Python's recursion
limit. Nothing here recurses, and no path grows longer than ``MOST_DEPTH`` allows.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

MOST_DEPTH = 4  # below a job's folder; a job itself makes one level


class StrangeFolder(Exception):
    """The child left files that no job creates: deeply nested folders, links or pipes."""


def size(folder: Path) -> int:
    """Return the total bytes of a folder's files. Raise StrangeFolder for unexpected files."""
    return sum(map(_bytes, _files(folder)))


def refuse_strange(folder: Path) -> None:
    """Raise StrangeFolder for links, pipes and deep folders. Follows no links."""
    for entry in _files(folder):
        if not entry.is_file(follow_symlinks=False):
            raise StrangeFolder(f"something that is not a file: {entry.name}")


def remove(folder: Path) -> None:
    """Remove a folder and its contents at any depth. Ignores what is gone or cannot be removed."""
    with suppress(OSError):
        for entry in _entries(folder):
            with suppress(OSError):
                _remove_below(entry, folder)
        folder.rmdir()


def remove_inner(folder: Path) -> None:
    """Remove the folders inside a folder, and keep its files."""
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            remove(Path(entry.path))


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a private folder for jobs, and remove it afterwards."""
    folder = Path(mkdtemp(prefix="tabular-")).resolve()
    try:
        yield folder
    finally:
        remove(folder)


def _remove_below(entry: os.DirEntry[str], folder: Path) -> None:
    """Remove one entry. Subfolders are moved up first, so that paths stay short."""
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.path)
        return
    waiting = [Path(entry.path)]
    while waiting:
        emptied = waiting.pop()
        os.chmod(emptied, 0o700)
        for inner in _entries(emptied):
            if inner.is_dir(follow_symlinks=False):
                os.chmod(inner.path, 0o700)
                up = folder / f"removed-{secrets.token_hex(8)}"
                os.rename(inner.path, up)
                waiting.append(up)
            else:
                os.unlink(inner.path)
        emptied.rmdir()


def _bytes(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except FileNotFoundError:  # a running job removes some files
        return 0


def _files(folder: Path) -> Iterator[os.DirEntry[str]]:
    waiting = [(folder, 0)]
    while waiting:
        below, depth = waiting.pop()
        if depth > MOST_DEPTH:
            raise StrangeFolder(f"folders nested deeper than {MOST_DEPTH} levels")
        with suppress(FileNotFoundError):
            for entry in _entries(below):
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((Path(entry.path), depth + 1))
                else:
                    yield entry


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)
