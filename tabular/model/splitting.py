"""Cutting a column's texts into the parts that several fields take."""

from collections import Counter
from collections.abc import Sequence

SEPARATORS = (" / ", "/", "; ", ";", ", ", ",", " | ", "|", " - ", " ")


def separator_of(samples: Sequence[str]) -> str:
    """
    Find what stands between the parts in most samples.

    >>> separator_of(["10115 Berlin", "20095 Hamburg"]), separator_of(["Doe, Jane", "Roe, Jim"])
    (' ', ', ')
    """
    counts = Counter(s for text in samples for s in SEPARATORS if s in text.strip())
    usual = [s for s in SEPARATORS if counts[s] * 2 > len(samples)]
    return usual[0] if usual else " "


def parts_of(text: str, separator: str, count: int) -> list[str]:
    """
    Cut one text as the recipe's step does; the last part takes what is left.

    >>> parts_of("Bär, Karl-Heinz", ", ", 2), parts_of("Plato", ", ", 2)
    (['Bär', 'Karl-Heinz'], ['Plato', ''])
    """
    parts = [part.strip() for part in text.split(separator, count - 1)]
    return parts + [""] * (count - len(parts))
