"""
Write ``tabular/reading/text/letter_pairs.json`` from CLDR's names in each language.

For each language, the pairs of neighbouring letters with one outside ASCII, from the most frequent
to the rarest; ``^`` and ``$`` are the ends of a word.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from babel import Locale

LANGUAGES = (
    "ar", "be", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fa", "fi", "fr", "he", "hr", "hu",
    "is", "it", "lt", "lv", "mk", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr",
    "uk", "ur",
)  # fmt: skip
MOST = 500
COVERED = 0.97  # of all occurrences; the rest are names of foreign places
TARGET = Path(__file__).resolve().parent.parent / "tabular/reading/text/letter_pairs.json"
_WORD = re.compile(r"[^\W\d_]+")


def main() -> None:
    """Write the file."""
    pairs = {language: "".join(_pairs(language)) for language in LANGUAGES}
    TARGET.write_text(json.dumps(pairs, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print(f"{TARGET.name}: {sum(map(len, pairs.values())) // 2} pairs of {len(pairs)} languages")


def _pairs(language: str) -> list[str]:
    counts: Counter[str] = Counter()
    for text in set(_texts(Locale(language))):
        for word in _WORD.findall(text.lower()):
            if not word.isascii():
                both = (a + b for a, b in pairwise(f"^{word}$"))
                counts.update(pair for pair in both if not pair.isascii())
    kept: list[str] = []
    covered = 0
    for pair, count in counts.most_common(MOST):
        if covered > COVERED * counts.total():
            break
        covered += count
        kept.append(pair)
    return [pair for pair in kept if len(pair) == 2]


def _texts(locale: Locale) -> Iterator[str]:
    for part in ("territories", "languages", "currencies", "scripts", "variants", "months", "days",
                 "quarters", "eras", "time_zones", "meta_zones", "unit_display_names"):  # fmt: skip
        yield from _leaves(getattr(locale, part, None) or locale._data.get(part, {}))


def _leaves(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif hasattr(node, "values"):
        for value in node.values():
            yield from _leaves(value)


if __name__ == "__main__":
    main()
