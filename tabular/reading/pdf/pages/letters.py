"""Join a page's letters from pdfium into words."""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import pypdfium2.raw as pdfium

from tabular.reading.pdf.pages.page import Box, Turn, Word, around, turned

HYPHENS = {"\x02": "-", "\ufffe": "-", "\xad": "-"}
WORD_GAP = 0.2  # of the letter's height: a wider gap separates two words
BASELINE_SLACK = 0.35  # of the letter's height


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter; ``turn`` is its own direction in quarter turns, ``written`` false for a guess."""

    text: str
    box: Box
    turn: int
    written: bool
    foot: tuple[float, float] = (0.0, 0.0)  # where the letter meets its baseline
    weight: int = 0  # of its font, 0 if the file does not say
    piece: int = 0  # the text object of the page that shows it, counted in reading order


def letters_of(textpage: pdfium.FPDF_TEXTPAGE, count: int) -> list[Letter]:
    """Read every letter in the order of the content stream, boxes in the page's own space."""
    rectangle = pdfium.FS_RECTF()
    x, y = ctypes.c_double(), ctypes.c_double()
    letters = []
    piece = shown_by = 0
    codes = [pdfium.FPDFText_GetUnicode(textpage, index) for index in range(count)]
    for index, text in enumerate(characters(codes)):
        if not text:
            continue
        pdfium.FPDFText_GetLooseCharBox(textpage, index, rectangle)
        angle = pdfium.FPDFText_GetCharAngle(textpage, index)
        box = Box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        written = not pdfium.FPDFText_IsGenerated(textpage, index)
        # pdfium measures angles clockwise.
        pdfium.FPDFText_GetCharOrigin(textpage, index, x, y)
        quarters = -round(angle / (math.pi / 2)) % 4
        weight = pdfium.FPDFText_GetFontWeight(textpage, index)
        if written:
            shown_before, shown_by = shown_by, _text_object(textpage, index)
            piece += shown_by != shown_before
        letters.append(Letter(text, box, quarters, written, (x.value, y.value), weight, piece))
    return letters


def characters(codes: Sequence[int]) -> Iterator[str]:
    """
    Yield the character of each UTF-16 code of a page.

    Yield "" for the second half of a surrogate pair, and U+FFFD for half a pair, as damaged files
    have it.

    >>> list(characters([0x41, 0xD83D, 0xDE00, 0xDCC0]))
    ['A', '😀', '', '�']
    """
    is_second = False
    for place, code in enumerate(codes):
        if not 0xD800 <= code < 0xE000:
            yield chr(code)
        elif is_second:
            is_second = False
            yield ""
        elif code < 0xDC00 and place + 1 < len(codes) and 0xDC00 <= codes[place + 1] < 0xE000:
            is_second = True
            yield chr(0x10000 + (code - 0xD800) * 0x400 + codes[place + 1] - 0xDC00)
        else:
            yield "\ufffd"


def _text_object(textpage: pdfium.FPDF_TEXTPAGE, index: int) -> int:
    shown_by = pdfium.FPDFText_GetTextObject(textpage, index)
    return ctypes.addressof(shown_by.contents) if shown_by else 0


def main_turn(letters: Iterable[Letter]) -> int:
    """Return the direction of most letters, in quarter turns."""
    turns = Counter(letter.turn for letter in letters if not letter.text.isspace())
    return max(turns, key=lambda turn: (turns[turn], turn == 0)) if turns else 0


def words_of(letters: list[Letter], turn: Turn) -> list[Word]:
    """Join letters into words, upright after ``turn``; words printed twice count once."""
    words = list(_joined(letters, turn))
    return _without_shadows(words)


def _joined(letters: list[Letter], turn: Turn) -> Iterator[Word]:
    run: list[Letter] = []
    gap_before = False
    piece = 0
    for letter in (turned_letter(letter, turn) for letter in letters):
        if letter.text.isspace() or letter.text == "\x00":
            if run:
                yield _word(run, gap_before, piece)
                run, piece = [], run[-1].piece
                gap_before = not letter.written
            else:
                gap_before = gap_before and not letter.written
            continue
        if run and not _continues(run[-1], letter):
            yield _word(run, gap_before, piece)
            run, gap_before, piece = [], True, run[-1].piece
        run.append(letter)
    if run:
        yield _word(run, gap_before, piece)


def turned_letter(letter: Letter, turn: Turn) -> Letter:
    """Return the letter in the space of the upright page."""
    box = turned(letter.box, turn)
    text = HYPHENS.get(letter.text, letter.text)
    foot = turn.point(*letter.foot)
    quarters = (letter.turn - turn.quarters) % 4
    return replace(letter, text=text, box=box, turn=quarters, foot=foot)


def _continues(before: Letter, letter: Letter) -> bool:
    if before.turn != letter.turn:
        return False
    if letter.turn % 2:
        size = max(before.box.width, letter.box.width, 1.0)
        apart = abs(before.box.x0 - letter.box.x0)
        gap = max(letter.box.y0 - before.box.y1, before.box.y0 - letter.box.y1)
        return apart < BASELINE_SLACK * size and gap < WORD_GAP * size
    size = max(before.box.height, letter.box.height, 1.0)
    apart = abs(before.foot[1] - letter.foot[1])
    gap = letter.box.x0 - before.box.x1
    back = letter.box.x0 < before.box.x0 - 0.1 * size
    return apart < BASELINE_SLACK * size and gap < WORD_GAP * size and not back


def _word(run: list[Letter], gap_before: bool, piece_before: int) -> Word:
    return Word(
        text="".join(letter.text for letter in run),
        box=around([letter.box for letter in run]),
        starts=tuple(letter.box.x0 for letter in run for _ in letter.text),
        baseline=run[0].foot[1],
        weight=run[0].weight,
        upright=run[0].turn == 0,
        after_gap=gap_before,
        begins=run[0].piece != piece_before,
        is_whole=run[0].piece == run[-1].piece,
    )


def _without_shadows(words: list[Word]) -> list[Word]:
    """Drop words that are printed twice with a small offset, as some files do for bold."""
    seen: dict[tuple[str, int, int], Box] = {}
    kept = []
    for word in words:
        x, y = round(word.box.x0 / 4), round(word.box.y0 / 4)
        near = ((word.text, x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        boxes = [seen[key] for key in near if key in seen]
        if any(_same_place(word.box, box) for box in boxes):
            continue
        seen[word.text, x, y] = word.box
        kept.append(word)
    return kept


def _same_place(first: Box, other: Box) -> bool:
    slack = 0.15 * max(first.height, 1.0)
    return abs(first.x0 - other.x0) < slack and abs(first.y0 - other.y0) < slack
