"""Which spelling a text is a typing error of, if clearly one."""

from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import process
from rapidfuzz.distance import OSA, Indel

MARGIN = 8.0  # points the best spelling must lead the next option by
CUTOFF = 85.0
_SLIPS = 2  # beyond these nothing is alike
SHORTEST = 3  # letters; shorter spellings differ too little from each other


def nearest(text: str, spellings: Mapping[str, Any]) -> str | None:
    """
    Find the one spelling that a text is a typing error of.

    spellings: folded spelling to option value. Codes with other digits never match, nor does a
    prefix that turns a meaning round.

    >>> nearest("boosk", {"books": 1, "toys": 2}), nearest("uncompleted", {"completed": 1})
    ('books', None)
    """
    close = process.extract(
        text, list(spellings), scorer=OSA.distance, score_cutoff=_SLIPS, limit=None
    )
    scored = sorted(
        ((likeness(text, spelling), spelling) for spelling, _, _ in close), reverse=True
    )
    if not scored or scored[0][0] < CUTOFF:
        return None
    best, chosen = scored[0]
    rivals = [score for score, other in scored if spellings[other] != spellings[chosen]]
    return chosen if not rivals or best - rivals[0] >= MARGIN else None


def likeness(text: str, spelling: str) -> float:
    """
    Score how likely a text is a typing error of a spelling, 0 to 100.

    One slip (a letter missing, doubled, added, or two exchanged) in three letters or more, two
    slips in eight or more with the first letter right.
    """
    if len(spelling) < SHORTEST or _digits(text) != _digits(spelling):
        return 0.0
    slips = OSA.distance(text, spelling)
    similar = 100 * Indel.normalized_similarity(text, spelling)
    if slips == 1:
        swapped_or_resized = len(text) != len(spelling) or sorted(text) == sorted(spelling)
        return max(similar, 90.0) if swapped_or_resized else similar
    if slips == 2 and len(spelling) >= 8 and text[:1] == spelling[:1]:
        return similar
    return 0.0


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def similar(text: str, spellings: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
    """Rank spellings by likeness to a text, 0 to 100, the most alike first."""
    ranked = process.extract(text, spellings, scorer=Indel.normalized_similarity, limit=limit)
    return [(spelling, 100 * score) for spelling, score, _ in ranked]
