"""Which known text a misspelt one means: blocking, then scoring the texts that share a key."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import process
from rapidfuzz.distance import Indel

from tabular.resolving.keys import block_digests, folded, folded_block_digests
from tabular.values.arrays import Rows

MOST_SHARED = 200  # texts that share a key; a key shared by more says too little
MOST_LIGHTEST = 2_000  # unless no key of a text is shared by fewer
MOST_COMPARED = 400  # texts that one text is compared with
_CHUNK = 4_000  # texts searched for at once
_THREADS = 4
_SPREAD = np.int64(0x1E3779B97F4A7C15)  # odd; spreads small numbers over 64 bits
MARGIN = 0.01  # of likeness below the minimum: a cutoff of rapidfuzz is not exact


@dataclass(frozen=True, slots=True)
class Alike:
    """Pairs of a sought text and a similar known one: numbers of both, scores to 100."""

    sought: Rows
    known: Rows
    scores: "np.ndarray[Any, np.dtype[np.float64]]"


def alike(sought: pa.Array, known: pa.Array, *, min_score: float) -> Alike:
    """
    Return the known texts that each sought text resembles from a minimum score on.

    sought, known: strings without nulls. Case, accents, punctuation and the order of words do not
    count; texts with different digits are never similar, because they name different things.
    """
    ours, theirs = _Side(folded(sought)), _Side(folded(known))
    codes = pa.concat_arrays([ours.digits, theirs.digits]).dictionary_encode().indices.to_numpy()
    rows, digests = block_digests("", theirs.texts)
    order = np.argsort(digests, kind="stable")
    blocks = _Blocks(digests[order], rows[order])
    scored: list[Alike] = []
    for first in range(0, len(sought), _CHUNK):
        wanted, keys = block_digests("", ours.texts.slice(first, _CHUNK))
        pairs = blocks.pairs(wanted, keys, len(known))
        left, right = pairs // max(len(known), 1) + first, pairs % max(len(known), 1)
        fits = codes[left] == codes[len(sought) + right]
        shorter = np.minimum(ours.lengths[left], theirs.lengths[right])
        both = ours.lengths[left] + theirs.lengths[right]
        fits &= 200.0 * shorter >= min_score * both
        scored += _scored(ours, theirs, left[fits], right[fits], min_score)
    return _joined(scored)


def alike_among(
    fields: Sequence[pa.Array], *, min_score: float, same: Sequence[pa.Array] = ()
) -> Alike:
    """
    Return the pairs of records that resemble each other in each field, by both numbers.

    fields: folded strings without nulls, n of each. They are compared as by ``alike``; each pair
    comes once, with its lowest score. same: n texts each that have to be equal in a pair.
    """
    # Similar in each field, two records are similar as a whole: their keys are those of the whole.
    whole = pc.binary_join_element_wise(*fields, *same, " ")
    sides = [_Side(texts) for texts in fields]
    codes = _codes(_digits(whole))
    equal = [_codes(texts) for texts in (*same, *(side.digits for side in sides))]
    rows, digests = folded_block_digests("", whole)
    keys = digests ^ (codes[rows] + 1) * _SPREAD  # other digits, another block
    by_owner, by_key = np.argsort(rows, kind="stable"), np.argsort(keys, kind="stable")
    blocks = _Blocks(keys[by_key], rows[by_key])
    owners, wanted = rows[by_owner], keys[by_owner]
    scored: list[Alike] = []
    for first in range(0, len(whole), _CHUNK):
        begin, end = np.searchsorted(owners, (first, first + _CHUNK))
        pairs = blocks.pairs(owners[begin:end], wanted[begin:end], len(whole))
        left, right = pairs // len(whole), pairs % len(whole)
        fits = left < right
        for of_texts in equal:
            fits &= of_texts[left] == of_texts[right]
        for side in sides:
            shorter = np.minimum(side.lengths[left], side.lengths[right])
            both = side.lengths[left] + side.lengths[right]
            fits &= 200.0 * shorter >= min_score * both
        scored.append(_scored_in_each(sides, left[fits], right[fits], min_score))
    return _joined(scored)


def _scored_in_each(sides: Sequence["_Side"], left: Rows, right: Rows, min_score: float) -> Alike:
    """Return the pairs that are similar on each of some sides, with their lowest scores."""
    least = np.full(len(left), 100.0)
    for side in sides:
        if len(left):
            least = np.minimum(least, _scores(side, side, left, right, min_score))
        at = np.flatnonzero(least >= min_score)
        left, right, least = left[at], right[at], least[at]
    return Alike(left, right, np.round(least, 1))


def _joined(scored: list[Alike]) -> Alike:
    return Alike(
        np.concatenate([np.zeros(0, np.int64), *(f.sought for f in scored)]),
        np.concatenate([np.zeros(0, np.int64), *(f.known for f in scored)]),
        np.concatenate([np.zeros(0), *(f.scores for f in scored)]),
    )


def light_blocks(owners: Rows, sizes: Rows) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """
    Return which blocking keys of some texts are worth comparing.

    owners: n texts the keys belong to. sizes: n, how many known texts share each key.
    """
    least = np.full(int(owners.max(initial=-1)) + 1, MOST_LIGHTEST + 1, np.int64)
    np.minimum.at(least, owners, np.where(sizes > 0, sizes, MOST_LIGHTEST + 1))
    lightest = (sizes == least[owners]) & (sizes <= MOST_LIGHTEST)
    light: np.ndarray[Any, np.dtype[np.bool_]] = (sizes > 0) & ((sizes <= MOST_SHARED) | lightest)
    return light


class _Side:
    """The folded texts of one side, made comparable."""

    def __init__(self, texts: pa.Array) -> None:
        self.texts = texts
        self.digits = _digits(texts)
        self.lengths = pc.utf8_length(self.texts).to_numpy(zero_copy_only=False)
        self.plain = np.array(self.texts.to_pylist(), dtype=object)

        in_order = [" ".join(sorted(text.split())) for text in self.plain]
        self.in_order = np.array(in_order, dtype=object)  # the words of each text, sorted
        self.is_mixed = np.array(self.plain != self.in_order, dtype=bool)


def _digits(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(texts, r"[^0-9]+", "")


def _codes(texts: pa.Array) -> Rows:
    """Return a number for each text, equal for equal texts."""
    codes: Rows = texts.dictionary_encode().indices.to_numpy().astype(np.int64)
    return codes


@dataclass(frozen=True, slots=True)
class _Blocks:
    digests: Any
    rows: Rows

    def pairs(self, wanted: Rows, keys: Any, size: int) -> Rows:
        """Return the pairs that share a key, once each: sought * size + known."""
        left = np.searchsorted(self.digests, keys, "left")
        sizes = np.searchsorted(self.digests, keys, "right") - left
        light = light_blocks(wanted, sizes)
        wanted, left, sizes = wanted[light], left[light], sizes[light]
        order = np.lexsort((sizes, wanted))
        wanted, left, sizes = wanted[order], left[order], sizes[order]
        kept = _within(wanted, sizes)
        wanted, left, sizes = wanted[kept], left[kept], sizes[kept]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else sizes
        at = np.repeat(left - starts, sizes) + np.arange(sizes.sum())
        pairs = np.sort(np.repeat(wanted, sizes) * size + self.rows[at])  # faster than unique
        return pairs[np.diff(pairs, prepend=-1) > 0]


def _within(wanted: Rows, sizes: Rows) -> Any:
    """Return each text's lightest keys, up to the number of comparisons allowed."""
    if not len(wanted):
        return np.zeros(0, dtype=bool)
    total = np.cumsum(sizes)
    first = np.searchsorted(wanted, wanted, "left")
    before = np.where(first > 0, total[first - 1], 0)
    so_far = total - before
    return (so_far <= MOST_COMPARED) | (np.arange(len(wanted)) == first)


def _scored(
    ours: _Side, theirs: _Side, left: Rows, right: Rows, min_score: float
) -> Iterator[Alike]:
    if not len(left):
        return
    score = _scores(ours, theirs, left, right, min_score)
    at = np.flatnonzero(score >= min_score)
    yield Alike(left[at], right[at], np.round(score[at], 1))


def _scores(
    ours: _Side, theirs: _Side, left: Rows, right: Rows, min_score: float
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return the likeness of n pairs of texts, to 100, in the better order of their words."""
    score = _likeness(ours.plain[left], theirs.plain[right], min_score)
    # The same texts, or words that are in order already, would be scored alike again.
    again = np.flatnonzero((score < 1.0) & (ours.is_mixed[left] | theirs.is_mixed[right]))
    words = _likeness(ours.in_order[left[again]], theirs.in_order[right[again]], min_score)
    score[again] = np.maximum(score[again], words)
    return 100.0 * score


def _likeness(
    left: "np.ndarray[Any, Any]", right: "np.ndarray[Any, Any]", min_score: float
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return the likeness of n pairs of texts, 0 to 1; 0 where it is below the minimum score."""
    return process.cpdist(
        left.tolist(),
        right.tolist(),
        scorer=Indel.normalized_similarity,
        score_cutoff=min_score / 100.0 - MARGIN,
        workers=min(_THREADS, os.cpu_count() or 1),
        dtype=np.float64,
    )
