"""The result of reading a column, and the two ways of reading one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.issue import Severity
from tabular.values.arrays import Rows, replaced, where
from tabular.values.blanks import BLANKS

LONGEST = 4_096  # characters that a value other than free text may have; a longer text is never one


@dataclass(frozen=True, slots=True)
class Fault:
    """Rows of an array that share one finding."""

    code: str
    rows: Rows  # positions in the array, ascending
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Parsed:
    """
    One column, read.

    values: n values of the type's Arrow type; null if the text is empty or refused. faults: what
    was refused (errors) or changed beyond the spelling (warnings).
    """

    values: pa.Array
    faults: tuple[Fault, ...] = ()


def tidy(texts: pa.Array) -> pa.Array:
    """
    Strip outer white space and make empty texts null.

    texts: n strings. Returns n strings; no-break spaces and byte order marks count as white space.
    """
    if _is_tidy(texts):
        return texts
    trimmed = pc.utf8_trim(texts, characters=BLANKS)
    return pc.if_else(pc.equal(pc.binary_length(trimmed), 0), None, trimmed)


_MAY_BEGIN = np.isin(np.arange(256), [c.encode()[0] for c in BLANKS])
_MAY_END = np.isin(np.arange(256), [c.encode()[-1] for c in BLANKS])


def _is_tidy(texts: pa.Array) -> bool:
    """Return whether the outer bytes of every text already show that there is nothing to strip."""
    _, bounds, payload = texts.buffers()
    if payload is None or not len(texts):
        return False
    offsets = np.frombuffer(bounds, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    if np.count_nonzero(offsets[:-1] == offsets[1:]) != texts.null_count:
        return False
    letters = np.frombuffer(payload, np.uint8)[: offsets[-1]]
    if not len(letters):
        return True
    # An empty row shows its neighbour's letter here, which is checked anyway.
    first = letters[np.minimum(offsets[:-1], len(letters) - 1)]
    last = letters[offsets[1:] - 1]
    return not (_MAY_BEGIN[first].any() or _MAY_END[last].any())


def refused(texts: pa.Array, values: pa.Array) -> Rows:
    """Return the rows that have a text but gave no value."""
    return where(pc.and_(pc.is_valid(texts), pc.is_null(values)))


def per_distinct(
    texts: pa.Array, read: Callable[[str], Any], type_: pa.DataType, *, longest: int = LONGEST
) -> pa.Array:
    """
    Read each distinct text once.

    texts: n strings. read: returns a value, or None if the text is not of its type. Returns n
    values of ``type_``; a text above ``longest`` characters is never read.
    """
    encoded = texts.dictionary_encode()
    values = [
        read(text) if len(text) <= longest else None for text in encoded.dictionary.to_pylist()
    ]
    return pa.array(values, type_).take(encoded.indices)


def bulk_then_distinct(
    texts: pa.Array,
    *,
    bulk: Callable[[pa.Array], pa.Array],
    read_text: Callable[[str], Any],
    code: str,
) -> Parsed:
    """
    Read the common notations by array kernels and only the rest one distinct text at a time.

    texts: n tidy strings. bulk: n strings to n values, null where it is not certain.
    """
    values = bulk(texts)
    rest = refused(texts, values)
    if not len(rest):
        return Parsed(values)
    late = per_distinct(texts.take(pa.array(rest)), read_text, values.type)
    values = replaced(values, rest, late)
    lost = rest[where(pc.is_null(late))]
    return Parsed(values, faults(code, lost))


def faults(code: str, rows: Rows, severity: Severity = "error") -> tuple[Fault, ...]:
    """Return a fault if there are rows to report."""
    return (Fault(code, rows, severity),) if len(rows) else ()
