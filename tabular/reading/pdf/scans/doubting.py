"""
A second opinion on recognised words.

Tesseract is as sure of many wrong words as of right ones. Read again as a block of lines, about
half of the wrong words come out otherwise, and one right word in seventy: where the two readings
differ, the word is doubted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tabular.reading.pdf.scans.words import Seen

DOUBTED = 50  # the most confidence in a word that is read in two ways
EDGE = 4.0  # pixels around a word in which the same word of the other reading has its middle
LINE_REMAINS = re.compile(r"[|_\[\]{}\s]")  # remains of lines, which a block of lines has more of


def doubted(seen: Sequence[Seen], again: Sequence[Seen]) -> list[Seen]:
    """Return the words, those with less confidence that another reading of the page contradicts."""
    return [
        replace(word, confidence=min(word.confidence, DOUBTED)) if _is_other(word, again) else word
        for word in seen
    ]


def _is_other(word: Seen, again: Sequence[Seen]) -> bool:
    inside = [
        other
        for other in again
        if word.box.holds(*other.box.middle, EDGE) or other.box.holds(*word.box.middle)
    ]
    text = "".join(other.text for other in sorted(inside, key=lambda other: other.box.x0))
    plain = LINE_REMAINS.sub("", word.text)
    return bool(inside) and plain not in LINE_REMAINS.sub("", text)
