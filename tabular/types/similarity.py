"""Which spelling a text is clearly a typing error of, and which spellings are similar."""

from collections.abc import Mapping, Sequence
from typing import Any

MARGIN = 8.0  # points by which the best entity must lead the next one
SHORTEST = 5  # letters; a slip in a shorter text may as well be another word


def nearest(text: str, spellings: Mapping[str, Any]) -> str | None:
    """
    Return the spelling that a text is a typing error of: one slip in five letters or more.

    spellings: folded spelling to option value. A slip is a letter inserted, missing or replaced, or
    two neighbours exchanged. None if spellings of several values are equally near; codes with other
    digits never match.

    >>> nearest("boosk", {"books": 1, "toys": 2}), nearest("tois", {"toys": 1})
    ('books', None)
    """
    if sum(map(str.isalpha, text)) < SHORTEST:
        return None
    from rapidfuzz import process  # loaded for misspelled texts alone
    from rapidfuzz.distance import OSA

    near = [
        spelling
        for spelling, _, _ in process.extract(
            text, list(spellings), scorer=OSA.distance, score_cutoff=1, limit=None
        )
        if _digits(spelling) == _digits(text)
    ]
    values = {spellings[spelling] for spelling in near}
    return near[0] if len(values) == 1 else None


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def similar(text: str, spellings: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
    """Return spellings by similarity to a text, 0 to 100, the most similar first."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    ranked = process.extract(text, spellings, scorer=Indel.normalized_similarity, limit=limit)
    return [(spelling, 100 * score) for spelling, score, _ in ranked]
