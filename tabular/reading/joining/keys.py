"""Keys of rows as codes: how many of them match, and which rows belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

NONE = -1  # the code of a key with a blank in it, and the position of a row that is not there


@dataclass(frozen=True)
class Codes:
    """The key of each row of two tables: equal texts have equal codes; NONE matches nothing."""

    child: Numbers
    parent: Numbers
    size: int  # how many codes there are

    @property
    def rates(self) -> tuple[float, float]:
        """The shares of the distinct keys of either table that the other one has."""
        has_child, has_parent = self.counts(self.child) > 0, self.counts(self.parent) > 0
        both = int((has_child & has_parent).sum())
        return both / max(1, int(has_child.sum())), both / max(1, int(has_parent.sum()))

    def counts(self, codes: Numbers) -> Numbers:
        """Return the number of rows with each code."""
        import numpy as np

        return np.bincount(codes[codes != NONE], minlength=self.size).astype(np.int64)


def codes_of(
    child: Sequence[pa.ChunkedArray[Any]], parent: Sequence[pa.ChunkedArray[Any]]
) -> Codes:
    """
    Return the keys of two tables as codes. Blanks around a text do not count.

    child, parent: the columns of the key, pair by pair.
    """
    import numpy as np

    rows = len(child[0])
    codes, size = np.zeros(rows + len(parent[0]), np.int64), 1
    for first, other in zip(child, parent, strict=True):
        texts, distinct = _encoded(first, other)
        blank = (codes == NONE) | (texts == NONE)
        codes = np.where(blank, NONE, codes * distinct + texts)
        values, codes = np.unique(codes, return_inverse=True)
        if len(values) and values[0] == NONE:
            codes, values = codes - 1, values[1:]
        size = len(values)
    return Codes(codes[:rows], codes[rows:], size)


def trimmed(texts: Any) -> Any:
    """Return texts without blanks around them; null where nothing is left."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pc.utf8_trim_whitespace(texts)
    return pc.if_else(pc.equal(plain, ""), pa.scalar(None, plain.type), plain)


def _encoded(first: pa.ChunkedArray[Any], other: pa.ChunkedArray[Any]) -> tuple[Numbers, int]:
    """Return the codes of the texts of two columns, one after the other, and their number."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    large = pa.large_string()  # all keys together may exceed the offsets of a string array
    chunks = [*first.cast(large).chunks, *other.cast(large).chunks]
    texts = trimmed(pa.chunked_array(chunks, large)).combine_chunks()
    encoded = pc.dictionary_encode(texts)
    codes = pc.fill_null(encoded.indices, NONE).to_numpy(zero_copy_only=False)
    return codes.astype(np.int64), max(1, len(encoded.dictionary))


@dataclass(frozen=True)
class Matching:
    """
    How many rows a join has: matches of each child row, and the rows without a match.

    lonely: the rows of the parent without a match.
    """

    codes: Codes
    matches: Numbers  # of each row of the child
    lonely: Numbers  # positions

    @classmethod
    def of(cls, codes: Codes) -> Matching:
        """Return the matching of the rows of two tables."""
        import numpy as np

        in_parent, in_child = codes.counts(codes.parent), codes.counts(codes.child)
        matches = _of_codes(in_parent, codes.child)
        lonely = np.flatnonzero(_of_codes(in_child, codes.parent) == 0)
        return cls(codes, matches, lonely)

    @property
    def matched(self) -> int:
        """The rows of the child with a match."""
        return int((self.matches > 0).sum())

    @property
    def rows(self) -> int:
        """The rows of the join: the pairs, and what has no match on either side."""
        return int(self.matches.sum()) + int((self.matches == 0).sum()) + len(self.lonely)

    @property
    def is_by_parent(self) -> bool:
        """Whether rows of the parent, and not of the child, are each in one row of the join."""
        codes = self.codes
        return (
            int(self.matches.max(initial=0)) > 1
            and int(codes.counts(codes.child).max(initial=0)) <= 1
        )

    @property
    def copies(self) -> int:
        """The most rows of the join that have the same row of the table that numbers them."""
        return 1 if self.is_by_parent else int(self.matches.max(initial=1))

    def pairs(self) -> tuple[Numbers, Numbers, Numbers]:
        """
        Return the position in the child, in the parent, and which match of its child each row is.

        In the child's order; the parent's rows without a match come last.
        """
        import numpy as np

        codes = self.codes
        order = np.argsort(codes.parent, kind="stable")
        starts = np.searchsorted(codes.parent[order], np.arange(codes.size))
        repeats = np.maximum(self.matches, 1)
        child = np.repeat(np.arange(len(repeats)), repeats)
        nth = np.arange(len(child)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
        parent = np.full(len(child), NONE, np.int64)
        has_match = np.repeat(self.matches > 0, repeats)
        first = starts[codes.child[child[has_match]]]
        parent[has_match] = order[first + nth[has_match]]
        none = np.full(len(self.lonely), NONE, np.int64)
        return (
            np.concatenate([child, none]),
            np.concatenate([parent, self.lonely]),
            np.concatenate([nth, np.zeros(len(none), np.int64)]),
        )


def _of_codes(counts: Numbers, codes: Numbers) -> Numbers:
    """Return the count of each code; none for NONE."""
    import numpy as np

    return np.where(codes == NONE, 0, np.append(counts, 0)[codes])
