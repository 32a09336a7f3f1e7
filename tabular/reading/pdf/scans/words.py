"""The words of a recognised picture, in the boxes that a page of text would give them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tabular.reading.pdf.pages.page import Box, Word, around

WORD_LEVEL = "5"
COLUMNS = 12  # of tesseract's TSV
REMAINS = re.compile(r"[|_~¦\[\]{}—–=.,:;'`‘’“”\"^*°«»<>/\\-]+")
DASHES = frozenset({"-", "–", "—"})
UNSURE_REMAINS = 50  # confidence below which a word of these signs alone is a speck or a line
HANGING = re.compile(r"[gjpqyQ,;()\[\]{}|@/§ß]")  # letters that reach below the baseline
TALL = re.compile(r"[A-ZÀ-Þ0-9bdfhkltßäöüéèà()\[\]{}|/!?%&§$€£]")
SMALL = re.compile(r"[-–—.,·:;'’\"„“”_~=+*°^]+")  # words whose height says nothing of their font
CAPITAL = 0.72  # heights of a font's parts, in its size
SMALL_LETTER = 0.53
BELOW = 0.21
WIDE_GAP = 1.7  # usual gaps between words: a wider one begins another cell
LEAST_GAP = 0.4  # sizes of the font: a narrower gap never does
AT_SIGN_GAP = 0.6  # heights of a word: tesseract sees blanks around an at sign
ABOVE = 0.93


@dataclass(frozen=True, slots=True)
class Seen:
    """One recognised word, its box in pixels, and whether it begins a line of its own."""

    text: str
    box: Box
    confidence: int  # 0 to 100, by the program itself
    begins: bool
    is_alone: bool = False  # found by itself, so nothing says where its line begins


def seen_in(tsv: str) -> list[Seen]:
    """Return the words of tesseract's TSV, without the remains of lines."""
    words = []
    line = ""
    for row in tsv.splitlines():
        cells = row.split("\t")
        if len(cells) != COLUMNS or cells[0] != WORD_LEVEL or not cells[11].strip():
            continue
        try:
            left, top, width, height = map(int, cells[6:10])
            confidence = max(0, min(100, int(float(cells[10]))))
        except ValueError:
            continue
        text = cells[11].strip()
        if REMAINS.fullmatch(text) and confidence < UNSURE_REMAINS and text not in DASHES:
            continue
        own = "\t".join(cells[1:5])
        box = Box(left, top, left + width, top + height)
        words.append(Seen(text, box, confidence, begins=own != line))
        line = own
    return list(_with_addresses(words))


def _with_addresses(seen: Sequence[Seen]) -> Iterator[Seen]:
    """Yield the words with those joined that only an at sign parts, as no one writes them."""
    held: Seen | None = None
    for word in seen:
        if held is not None and _is_address(held, word):
            box = around([held.box, word.box])
            sure = min(held.confidence, word.confidence)
            text = held.text.removesuffix("@") + word.text if word.text[0] == "@" else ""
            held = Seen(text or held.text + word.text, box, sure, held.begins)
            continue
        if held is not None:
            yield held
        held = word
    if held is not None:
        yield held


def _is_address(before: Seen, word: Seen) -> bool:
    meets = before.text.endswith("@") or word.text.startswith("@")
    gap = word.box.x0 - before.box.x1
    height = max(before.box.height, word.box.height)
    is_level = abs(before.box.middle[1] - word.box.middle[1]) < height / 2
    return meets and is_level and -height < gap < AT_SIGN_GAP * height


def confidence_of(seen: Sequence[Seen]) -> float:
    """Return the mean confidence by letter, 0 for none."""
    letters = sum(len(word.text) for word in seen)
    return sum(len(word.text) * word.confidence for word in seen) / letters if letters else 0.0


def words_of(seen: Sequence[Seen], scale: float) -> Iterator[Word]:
    """
    Yield the words in points, each as high as its font, as in a page of text.

    The boxes of recognised words are as high as their letters: without this, ``on`` and ``by`` are
    on different lines. scale: points of a pixel.
    """
    wide = WIDE_GAP * _usual_gap(seen)
    before: Seen | None = None
    sizes = [_size(word) for word in seen if not SMALL.fullmatch(word.text)]
    usual = median(sizes) if sizes else 0.0
    for word in seen:
        box, size = word.box, _size(word)
        if SMALL.fullmatch(word.text) or abs(size - usual) < 0.25 * usual:
            size = usual or size
        foot = box.y1 - (BELOW * size if HANGING.search(word.text) else 0.0)
        if word.text in {"-", "–", "—", "=", "~", "+", "*", "·"}:
            foot = (box.y0 + box.y1) / 2 + SMALL_LETTER / 2 * size
        gap = word.box.x0 - before.box.x1 if before is not None else 0.0
        is_first = word.begins or gap > max(wide, LEAST_GAP * size)
        before = word
        x0, x1, width = box.x0 * scale, box.x1 * scale, box.width * scale
        starts = tuple(x0 + place * width / len(word.text) for place in range(len(word.text)))
        yield Word(
            text=word.text,
            box=Box(x0, (foot - ABOVE * size) * scale, x1, (foot + BELOW * size) * scale),
            starts=starts,
            baseline=foot * scale,
            after_gap=is_first,
            begins=is_first and not word.is_alone,
            confidence=word.confidence,
        )


def _usual_gap(seen: Sequence[Seen]) -> float:
    """Return the usual gap between words of one line, in pixels."""
    gaps = [w.box.x0 - before.box.x1 for before, w in pairwise(seen) if not w.begins]
    return median(gaps) if gaps else 0.0


def _size(word: Seen) -> float:
    """Return the size of a word's font, by its letters."""
    parts = CAPITAL if TALL.search(word.text) else SMALL_LETTER
    parts += BELOW if HANGING.search(word.text) else 0.0
    return word.box.height / parts
