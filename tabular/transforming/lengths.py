"""Compute how long texts become before they are made: a replacement can make them endless."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MOST_CHARACTERS = 32_767  # of a cell that a step or a user lengthens; a spreadsheet allows no more

Change = Callable[[pa.Array], pa.Array]  # n strings to n strings


class CellTooLong(ValueError):
    """A text would exceed the length of a cell. place: which of the texts."""

    def __init__(self, place: int) -> None:
        self.place = place
        super().__init__(f"text {place} would have more than {MOST_CHARACTERS:,} characters")


def changed(texts: pa.Array, change: Change, *, most: NDArray[np.int64]) -> pa.Array:
    """
    Return changed texts. Raise CellTooLong if one becomes longer than allowed.

    most: n characters, the upper bound of each text's length after the change. A text that already
    exceeds a cell may keep its length.
    """
    before = lengths(texts)
    allowed = np.maximum(before, MOST_CHARACTERS)
    doubtful = np.flatnonzero(most > allowed)
    for place in doubtful.tolist():
        if lengths(change(texts.slice(place, 1)))[0] > allowed[place]:
            raise CellTooLong(place)
    return change(texts)


def after_replacing(
    texts: pa.Array, counts: pa.Array, *, by: int, references: int = 0
) -> NDArray[np.int64]:
    """
    Return the upper bound of each text's length once its matches are replaced. n int64, characters.

    counts: matches in each text. by: the characters of the replacement; references: how often it
    repeats a group, which is never longer than the text.
    """
    replacements = pc.fill_null(counts, 0).to_numpy(zero_copy_only=False).astype(np.int64)
    before = lengths(texts)
    most: NDArray[np.int64] = (
        before + replacements * by + np.where(replacements > 0, references * before, 0)
    )
    return most


def lengths(texts: pa.Array) -> NDArray[np.int64]:
    """Return the characters of each text. n int64; 0 for null."""
    sizes = pc.fill_null(pc.utf8_length(texts), 0).to_numpy(zero_copy_only=False)
    return np.asarray(sizes, dtype=np.int64)
