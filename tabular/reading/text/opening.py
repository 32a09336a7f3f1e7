"""Read a text file: its encoding, its dialect, its layout, and the way to its body."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tabular.model.limits import Limits
from tabular.model.table import Progress, Reading, ReadingChoices
from tabular.reading.text import dialect as dialects
from tabular.reading.text.asking import which_encoding
from tabular.reading.text.encoding import detect
from tabular.reading.text.large import read_large
from tabular.reading.text.lines import head_lines
from tabular.reading.text.small import read_small

WHOLE_BYTES = 4 << 20  # a file up to this size is held and laid out as a whole


def read_text(
    path: Path,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    whole_bytes: int = WHOLE_BYTES,
) -> Reading:
    """
    Read a delimited, fixed width or one-column text file.

    whole_bytes: up to this size the file is laid out as a whole; a larger one is streamed.
    Raises UnreadableFile (binary_file, no_table_found), UnusableRequest, LimitExceeded.
    """
    progress("encoding", 0, None)
    encoding = detect(path, chosen=choices.encoding)
    progress("dialect", 0, None)
    head = head_lines(path, encoding)
    scored = dialects.choose(head, delimiter=choices.delimiter, quote=choices.quote)[0]
    if path.stat().st_size <= whole_bytes:
        reading = read_small(path, encoding, scored, choices=choices, limits=limits)
    else:
        reading = read_large(
            path, encoding, scored, choices=choices, limits=limits, progress=progress
        )
    return replace(reading, questions=which_encoding(encoding))
