"""The lines of a text file, line ends unchanged."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabular.reading.text.encoding import Encoding

HEAD_CHARACTERS = 1 << 18


@contextmanager
def open_lines(path: Path, encoding: Encoding) -> Iterator[io.TextIOWrapper]:
    """
    Open a file as text.

    Bytes that do not exist in the encoding appear as ``\\xNN``: visible, and not lost.
    """
    with path.open("r", encoding=encoding.name, errors="backslashreplace", newline="") as file:
        yield file


def head_lines(path: Path, encoding: Encoding) -> list[str]:
    """Return the first lines, about a quarter of a million characters, the last one whole."""
    with open_lines(path, encoding) as file:
        return file.readlines(HEAD_CHARACTERS)
