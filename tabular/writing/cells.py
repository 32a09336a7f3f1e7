"""What a cell of an export may contain. A spreadsheet must show a text, and never run it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

MAX_CHARACTERS = 32_767  # of one cell, in every spreadsheet program
RUNS = (
    "=",
    "+",
    "-",
    "@",
    "＝",
    "＋",
    "－",
    "＠",
)  # wide ones count in East Asia
BREAKS = ("\t", "\r", "\n", ";")  # a program that splits there begins a cell after them
NUMBER = re.compile(r"[-+]?[0-9][0-9., '\u00a0\u202f]*%?")
UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PARTS = re.compile(r"([\t\r\n;])")
_ADDED = re.compile(r"(^|[\t\r\n;])'(?=[=+\-@＝＋－＠])")

# The same for whole columns (RE2): what is checked value by value, and what never needs to be.
_COLUMN_SUSPECT = r"^[\t\r\n]|(^|[\t\r\n;])[=+\-@＝＋－＠]"
_COLUMN_NUMBER = r"^[-+]?[0-9][0-9., '\x{a0}\x{202f}]*%?$"
_COLUMN_UNWRITABLE = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x{fffe}\x{ffff}]"


def neutralised(text: str) -> str:
    """
    Put an apostrophe before what a spreadsheet could read as a formula; numbers stay unchanged.

    A file with commas that is opened with semicolons as separators is split at those, so each part
    counts.

    >>> neutralised("=1+1"), neutralised("@SUM(A1)"), neutralised("-12,50"), neutralised("a=b")
    ("'=1+1", "'@SUM(A1)", '-12,50', 'a=b')
    >>> neutralised("a;=1+1"), neutralised("＝1+1"), neutralised("1;-2")
    ("a;'=1+1", "'＝1+1", '1;-2')
    """
    parts = _PARTS.split(text)
    safe = "".join("'" + part if _could_run(part) else part for part in parts)
    return "'" + safe if safe.startswith(BREAKS[:3]) else safe


def _could_run(part: str) -> bool:
    return part.startswith(RUNS) and not NUMBER.fullmatch(part)


def restored(text: str) -> str:
    """
    Remove the apostrophes of ``neutralised``.

    >>> restored("'=1+1"), restored("'Sold' tag"), restored("it's"), restored("a;'=1")
    ('=1+1', "'Sold' tag", "it's", 'a;=1')
    """
    outer = text[1:] if text.startswith("'") and text[1:].startswith(BREAKS[:3]) else text
    return _ADDED.sub(r"\1", outer)


def written(text: str | None) -> str:
    """Return a text as a cell holds it: harmless, without what XML refuses, not too long."""
    clean = UNWRITABLE.sub("\ufffd", text or "")
    return neutralised(clean)[:MAX_CHARACTERS]


def written_column(texts: pa.Array) -> pa.Array:
    """Return n texts, each as from ``written``; a null is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.fill_null(texts, "")
    texts = pc.replace_substring_regex(texts, _COLUMN_UNWRITABLE, "\ufffd")
    suspect = pc.and_not(
        pc.or_(
            pc.match_substring_regex(texts, _COLUMN_SUSPECT),
            pc.greater(pc.utf8_length(texts), MAX_CHARACTERS),
        ),
        pc.match_substring_regex(texts, _COLUMN_NUMBER),
    )
    if not pc.any(suspect).as_py():
        return texts
    distinct = texts.filter(suspect).dictionary_encode()
    safe = [written(text) for text in distinct.dictionary.to_pylist()]
    by = pa.array(safe, texts.type).take(distinct.indices)
    return pc.replace_with_mask(texts, suspect, by)
