"""Keys for finding a text: an exact key, and blocking keys that a misspelt text shares.

Blocking as in record linkage (Christen, Data Matching, 2012): only texts with a key in common are
compared. A word's beginning, the end of the whole text and the beginnings of its first two words
are keys, so that one slip leaves at least one of them unchanged.
"""

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.types.hashing import hash_rows
from tabular.values.arrays import Rows

Digests = NDArray[np.int64]

MOST_CHARACTERS = 200  # of a text that is a key; a longer one names nothing
WORDS = 3  # of a text whose beginnings are keys
SHORT, LONG = 3, 5  # characters of a key; texts of a length between have both


def key_text(value: Any) -> str | None:
    """
    Return a known value as the text that names it in a file, or None if it names nothing.

    >>> key_text(" A-1 "), key_text(42), key_text(True), key_text([1]), key_text("")
    ('A-1', '42', 'true', None, None)
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return str(value)
        case str():
            text = value.strip()
            return text if 0 < len(text) <= MOST_CHARACTERS else None
        case _:
            return None


def digests(tag: str, field: str, texts: pa.Array) -> Digests:
    """
    Return 64-bit numbers that equal texts of a field share, under a tag.

    texts: n strings without nulls. Equal numbers require comparing the texts.
    """
    tagged = pc.binary_join_element_wise(pa.scalar(f"{tag}\x1f{field}"), texts, "\x1f")
    return hash_rows([tagged.cast(pa.string())]).view(np.int64)


def exact_digests(field: str, texts: pa.Array) -> Digests:
    """Return the numbers under which texts of a field are found exactly."""
    return digests("exact", field, texts)


def block_digests(field: str, texts: pa.Array) -> tuple[Rows, Digests]:
    """Return blocking keys as numbers: which text each belongs to, and the number."""
    return folded_block_digests(field, folded(texts))


def folded_block_digests(field: str, texts: pa.Array) -> tuple[Rows, Digests]:
    """Return the blocking keys of texts that are folded."""
    blocks = [(rows, digests(tag, field, keys)) for tag, rows, keys in _blocks(texts) if len(rows)]
    if not blocks:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate([r for r, _ in blocks]), np.concatenate([d for _, d in blocks])


def folded(texts: pa.Array) -> pa.Array:
    """
    Strip case, accents and punctuation; one blank between words. texts: n strings.

    >>> folded(pa.array([" Müller-Bau  GmbH "])).to_pylist()
    ['muller bau gmbh']
    """
    plain = pc.replace_substring_regex(pc.utf8_normalize(texts, "NFKD"), r"\pM+", "")
    plain = pc.replace_substring(pc.utf8_lower(plain), "ß", "ss")
    return pc.utf8_trim(pc.replace_substring_regex(plain, r"[^\pL\pN]+", " "), " ")


def created_ref(entity: str, key: str, taken: int = 0) -> str:
    """
    Return the name of an entity that an import creates; the same key always gets the same name.

    taken: how many names of this key belong to other entities by now.

    >>> created_ref("customer", "C-1") == created_ref("customer", "C-1")
    True
    """
    words = [entity, key, *([str(taken)] if taken else [])]
    return "ent_" + hashlib.sha256("\x1f".join(words).encode()).hexdigest()[:32]


def _blocks(texts: pa.Array) -> Iterator[tuple[str, Rows, pa.Array]]:
    words = pc.split_pattern(texts, " ")
    parents = pc.list_parent_indices(words).to_numpy()
    first = words.offsets.to_numpy()[:-1] - words.offsets.to_numpy()[0]
    place = np.arange(len(parents)) - first[parents]
    yield from _ends("word", parents, words.flatten(), place < WORDS, stop=True)
    whole = pc.replace_substring(texts, " ", "")
    rows = np.arange(len(whole))
    yield from _ends("end", rows, whole, np.ones(len(whole), dtype=bool), stop=False)
    pairs = pc.extract_regex(texts, r"^(?P<one>[^ ]{1,3})[^ ]* (?P<two>[^ ]{1,3})")
    both = np.flatnonzero(pairs.is_valid().to_numpy(zero_copy_only=False))
    fields = [pc.struct_field(pairs, name).take(pa.array(both)) for name in ("one", "two")]
    yield "pair", both, pc.binary_join_element_wise(*fields, " ")


def _ends(
    tag: str, rows: NDArray[np.int64], texts: pa.Array, taken: NDArray[np.bool_], *, stop: bool
) -> Iterator[tuple[str, Rows, pa.Array]]:
    """Yield the first (or last) characters of texts: few of short ones, more of long ones."""
    length = pc.utf8_length(texts).to_numpy(zero_copy_only=False)
    between = LONG + SHORT - 1  # both, so that a slip across the border keeps one in common
    for size, fits in (
        (SHORT, (length >= 2) & (length <= between + 1)),
        (LONG, length >= between),
    ):
        at = np.flatnonzero(fits & taken)
        chosen = texts.take(pa.array(at))
        keys = (
            pc.utf8_slice_codeunits(chosen, 0, size)
            if stop
            else pc.utf8_slice_codeunits(chosen, -size)
        )
        yield f"{tag}{size}", rows[at].astype(np.int64), keys
