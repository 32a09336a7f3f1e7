"""Words of right-to-left scripts, in reading order.

A PDF gives each letter's position, in an order that the program chose. This module restores the
order of writing: the inverse of the Unicode bidirectional algorithm (UAX #9).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from tabular.reading.pdf.pages.letters import (
    BASELINE_SLACK,
    WORD_GAP,
    Letter,
    turned_letter,
    words_of,
)
from tabular.reading.pdf.pages.page import Box, Turn, Word, around

RUNS_LEFT = 0.5  # share of right-to-left words above which a page is read from the right
SHADOW = 0.1  # of the letter's height
RIGHT_TO_LEFT = frozenset({"R", "AL"})  # bidirectional classes of letters
NUMBER = frozenset({"EN", "AN"})
WITHIN_NUMBER = frozenset(".,:/٫٬'’")  # between two digits
SAME_GLYPH = 0.05  # points between the origins of letters that one glyph shows
DOUBTFUL_GAP = 0.1  # of it, if another text object begins or pdfium guesses a blank
GUESSED_WIDTH = 0.1  # points
LETTERS_OF_OBJECT = 2.0  # on a line where text objects are more than single letters
PHRASE_GAP = 0.4  # of the letter's height: words of one phrase are no farther apart
WRITTEN_GAP = 1.0  # of it, if the file writes a blank between them
OPENING, CLOSING = "([{", ")]}"
PRESENTATION_FORMS = (("\ufb1d", "\ufdff"), ("\ufe70", "\ufefc"))


@dataclass(frozen=True, slots=True)
class _Glyph:
    """One or more letters in one position; ``text`` is in reading order."""

    text: str
    box: Box
    first: Letter

    @property
    def is_blank(self) -> bool:
        return _is_blank(self.text)

    @property
    def is_right_to_left(self) -> bool:
        return any(is_right_to_left(mark) for mark in self.text)

    @property
    def is_left_to_right(self) -> bool:
        return any(unicodedata.bidirectional(mark) == "L" for mark in self.text)

    @property
    def is_number(self) -> bool:
        return any(unicodedata.bidirectional(mark) in NUMBER for mark in self.text)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Glyphs without a blank between them, from the left."""

    glyphs: tuple[_Glyph, ...]
    after_blank: bool  # the file wrote a blank between this piece and the one to its left

    @property
    def box(self) -> Box:
        return around([glyph.box for glyph in self.glyphs])

    @property
    def is_right_to_left(self) -> bool:
        return any(glyph.is_right_to_left for glyph in self.glyphs)

    @property
    def is_left_to_right(self) -> bool:
        return not self.is_right_to_left and any(g.is_left_to_right for g in self.glyphs)

    @property
    def is_number(self) -> bool:
        return not self.is_right_to_left and any(glyph.is_number for glyph in self.glyphs)

    @property
    def is_whole(self) -> bool:
        """Whether one text object of the page shows it."""
        return len({glyph.first.piece for glyph in self.glyphs}) == 1


def _is_blank(text: str) -> bool:
    return not text.strip("\x00 \t\r\n\xa0")


def is_right_to_left(mark: str) -> bool:
    """Return whether a character belongs to a right-to-left script."""
    return unicodedata.bidirectional(mark) in RIGHT_TO_LEFT


def share_of(letters: Iterable[Letter]) -> float:
    """
    Return the share of words with right-to-left letters among all words with letters.

    Words count, not letters: one email address has more letters than a line of short words.
    """
    text = "".join(letter.text for letter in letters)
    words = [{unicodedata.bidirectional(mark) for mark in word} for word in text.split()]
    backward = sum(bool(RIGHT_TO_LEFT & kinds) for kinds in words)
    forward = sum("L" in kinds and not RIGHT_TO_LEFT & kinds for kinds in words)
    return backward / max(backward + forward, 1)


def ordered_words(letters: Sequence[Letter], turn: Turn, *, runs_left: bool) -> list[Word]:
    """
    Return the words of a page, upright after ``turn``, x from the left.

    runs_left: whether the page's own direction is from right to left. On another page, only lines
    with a right-to-left letter are reordered here.
    """
    upright = {}
    for place, letter in enumerate(letters):
        made = turned_letter(letter, turn)
        if made.turn == 0:
            upright[place] = made
    lines = list(_lines_to_order(upright, every=runs_left))
    taken = {place for line in lines for place, _ in line}
    rest = [letter for place, letter in enumerate(letters) if place not in taken]
    words = words_of(rest, turn)
    for line in lines:
        words += _words_of_line([letter for _, letter in sorted(line)], runs_left=runs_left)
    return words


def _lines_to_order(
    letters: Mapping[int, Letter], *, every: bool
) -> Iterator[list[tuple[int, Letter]]]:
    """Group letters by baseline; only lines with a right-to-left letter, unless ``every``."""
    lines: list[list[tuple[int, Letter]]] = []
    heights: list[float] = []
    # A blank may have no height, so it cannot show how far a line reaches.
    blanks = [pair for pair in letters.items() if _is_blank(pair[1].text)]
    marked = [pair for pair in letters.items() if not _is_blank(pair[1].text)]
    for place, letter in sorted(marked, key=lambda pair: pair[1].foot[1]):
        if lines:
            height = max(letter.box.height, heights[-1])
            if letter.foot[1] - lines[-1][0][1].foot[1] < BASELINE_SLACK * height:
                lines[-1].append((place, letter))
                heights[-1] = height
                continue
        lines.append([(place, letter)])
        heights.append(letter.box.height)
    feet = [line[0][1].foot[1] for line in lines]
    for place, letter in blanks if lines else []:
        after = bisect_left(feet, letter.foot[1])
        near = min(
            range(max(after - 1, 0), min(after + 1, len(feet))),
            key=lambda at: abs(feet[at] - letter.foot[1]),
        )
        lines[near].append((place, letter))
    for line in lines:
        if every or any(is_right_to_left(mark) for _, letter in line for mark in letter.text):
            yield line


def _words_of_line(line: Sequence[Letter], *, runs_left: bool) -> Iterator[Word]:
    """Yield the words of one baseline, from the left; letters are in the file's order."""
    glyphs = _glyphs(line)
    pieces = list(_pieces(glyphs))
    top = min((glyph.box.y0 for glyph in glyphs if not glyph.is_blank), default=0.0)
    bottom = max((glyph.box.y1 for glyph in glyphs if not glyph.is_blank), default=0.0)
    for word in _words(_phrases(pieces, runs_left=runs_left), runs_left=runs_left):
        # Some fonts give each letter a box of its own height; distances are relative to heights.
        yield replace(word, box=replace(word.box, y0=top, y1=bottom))


def _glyphs(line: Sequence[Letter]) -> list[_Glyph]:
    """Return the line's glyphs, from the left; ligatures whole, marks with their letters."""
    glyphs = [_glyph(run) for run in _by_glyph([letter for letter in line if letter.written])]
    glyphs.sort(key=lambda glyph: glyph.box.middle[0])
    once = glyphs[:1] + [glyph for left, glyph in pairwise(glyphs) if not _is_shadow(left, glyph)]
    return list(_with_marks(once))


def _is_shadow(before: _Glyph, glyph: _Glyph) -> bool:
    """Return whether a letter is printed twice with a small offset, as some files do for bold."""
    near = abs(before.box.x0 - glyph.box.x0) < SHADOW * max(glyph.box.height, 1.0)
    return near and before.text == glyph.text and before.first.piece != glyph.first.piece


def _by_glyph(letters: Sequence[Letter]) -> Iterator[list[Letter]]:
    run: list[Letter] = []
    for letter in letters:
        if run and not _shown_by_one(run[-1], letter):
            yield run
            run = []
        run.append(letter)
    if run:
        yield run


def _shown_by_one(first: Letter, other: Letter) -> bool:
    near = abs(first.foot[0] - other.foot[0]) < SAME_GLYPH
    return (
        near and first.piece == other.piece and all(map(is_right_to_left, first.text + other.text))
    )


def _glyph(run: list[Letter]) -> _Glyph:
    # pdfium gives the letters of a ligature in reverse, unless it splits their box.
    places = sorted(range(len(run)), key=lambda place: (-run[place].box.x1, -place))
    text = "".join(plain(run[place].text) for place in places)
    return _Glyph(text, around([letter.box for letter in run]), run[0])


def plain(text: str) -> str:
    """
    Return letters without their shape: presentation forms become the letters they show.

    >>> plain("\ufefb") == "\u0644\u0627"
    True
    """
    is_shape = any(first <= text <= last for first, last in PRESENTATION_FORMS)
    return unicodedata.normalize("NFKC", text) if is_shape else text


def _with_marks(glyphs: Sequence[_Glyph]) -> Iterator[_Glyph]:
    """Put marks, such as vowels, after their letter."""
    letters = [glyph for glyph in glyphs if not _is_mark(glyph)]
    marks = [glyph for glyph in glyphs if _is_mark(glyph)]
    texts = {id(letter): letter.text for letter in letters}
    for mark in marks:
        if letters:
            x = mark.box.middle[0]
            bearer = min(letters, key=lambda letter: abs(letter.box.middle[0] - x))
            texts[id(bearer)] += mark.text
    for letter in letters:
        yield _Glyph(texts[id(letter)], letter.box, letter.first)


def _is_mark(glyph: _Glyph) -> bool:
    return all(unicodedata.bidirectional(mark) == "NSM" for mark in glyph.text)


def _pieces(glyphs: Sequence[_Glyph]) -> Iterator[_Piece]:
    objects = len({glyph.first.piece for glyph in glyphs})
    has_runs = len(glyphs) > LETTERS_OF_OBJECT * objects
    height = max((glyph.box.height for glyph in glyphs), default=1.0)
    run: list[_Glyph] = []
    is_guessed = is_written = begins_after_blank = False
    for glyph in glyphs:
        if glyph.is_blank:
            # pdfium's guesses have no width; nothing else marks them among these letters.
            is_written |= glyph.box.width > GUESSED_WIDTH
            is_guessed |= glyph.box.width <= GUESSED_WIDTH
            continue
        if run:
            is_other = has_runs and run[-1].first.piece != glyph.first.piece
            is_written |= is_guessed and has_runs and not is_other
            least = DOUBTFUL_GAP if is_guessed or is_other else WORD_GAP
            if is_written or _gap(run[-1], glyph) >= least * height:
                yield _Piece(tuple(run), begins_after_blank)
                run, begins_after_blank = [], is_written
        is_guessed = is_written = False
        run.append(glyph)
    if run:
        yield _Piece(tuple(run), begins_after_blank)


def _gap(left: _Glyph, right: _Glyph) -> float:
    """Return the gap in points; a letter's box may begin right of its origin."""
    between = min(right.box.x0, right.first.foot[0]) - left.box.x1
    if right.is_right_to_left and left.is_right_to_left:
        between = min(between, right.first.foot[0] - left.first.foot[0] - left.box.width)
    return between


def _phrases(pieces: Sequence[_Piece], *, runs_left: bool) -> list[list[_Piece]]:
    """Join consecutive pieces that run against the page's direction."""
    phrases: list[list[_Piece]] = []
    for piece in pieces:
        if phrases and _goes_on(phrases[-1][-1], piece, runs_left=runs_left):
            phrases[-1].append(piece)
        else:
            phrases.append([piece])
    return phrases


def _goes_on(left: _Piece, right: _Piece, *, runs_left: bool) -> bool:
    height = max(left.box.height, right.box.height, 1.0)
    if right.box.x0 - left.box.x1 > (WRITTEN_GAP if right.after_blank else PHRASE_GAP) * height:
        return False
    one_object = left.glyphs[-1].first.piece == right.glyphs[0].first.piece
    if not (one_object or right.after_blank) and left.is_whole and right.is_whole:
        return False  # two text objects next to each other: two cells
    if runs_left:
        return left.is_left_to_right and (right.is_left_to_right or right.is_number)
    return right.is_right_to_left and (left.is_right_to_left or left.is_number)


def _words(phrases: Sequence[Sequence[_Piece]], *, runs_left: bool) -> Iterator[Word]:
    """Yield each phrase as a word; what comes before it depends on the page's direction."""
    for place, phrase in enumerate(phrases):
        left, right = (place, place + 1) if runs_left else (place - 1, place)
        if left < 0 or right == len(phrases):
            yield _word(phrase, runs_left=runs_left, after_gap=False, begins=True)
            continue
        left_piece, other = phrases[left][-1], phrases[right][0]
        edges = left_piece.glyphs[-1], other.glyphs[0]
        # Another script within one text is another object, too, with a written blank between them.
        goes_on = other.after_blank and _kind(edges[0]) != _kind(edges[1])
        begins = edges[0].first.piece != edges[1].first.piece and not goes_on
        yield _word(phrase, runs_left=runs_left, after_gap=not other.after_blank, begins=begins)


def _word(phrase: Sequence[_Piece], *, runs_left: bool, after_gap: bool, begins: bool) -> Word:
    backward = any(piece.is_right_to_left for piece in phrase)
    ordered = [_logical(piece) for piece in (reversed(phrase) if backward else phrase)]
    text = " ".join("".join(glyph.text for glyph in glyphs) for glyphs in ordered)
    box = around([piece.box for piece in phrase])
    if backward:
        text = _bracketed(text)
    elif runs_left:
        text = _signed(text)
    if backward == runs_left and len(phrase) == 1:
        starts = [
            glyph.box.x1 if runs_left else glyph.box.x0 for glyph in ordered[0] for _ in glyph.text
        ]
    else:
        starts = [box.x1 if runs_left else box.x0] * len(text)
    objects = {glyph.first.piece for piece in phrase for glyph in piece.glyphs}
    runs = sum(1 for piece in phrase for _ in groupby(piece.glyphs, key=_kind))
    first = phrase[0].glyphs[0].first
    return Word(
        text=text,
        box=box,
        starts=tuple(starts),
        baseline=first.foot[1],
        weight=first.weight,
        after_gap=after_gap,
        begins=begins,
        is_whole=len(objects) <= runs,
    )


def _bracketed(text: str) -> str:
    """
    Make brackets open where a text begins and close where it ends: files use either form.

    >>> _bracketed(")x("), _bracketed("x("), _bracketed("(x)")
    ('(x)', 'x)', '(x)')
    """
    if text[:1] in CLOSING:
        text = OPENING[CLOSING.index(text[0])] + text[1:]
    if text[-1:] in OPENING:
        text = text[:-1] + CLOSING[OPENING.index(text[-1])]
    return text


def _kind(glyph: _Glyph) -> tuple[bool, bool]:
    """Return what programs write as separate text objects: scripts, and what is between them."""
    return glyph.is_right_to_left, glyph.is_left_to_right or glyph.is_number


def _signed(text: str) -> str:
    """
    Move the sign of a number to the front: a line from right to left shows it behind.

    >>> _signed("5.00-"), _signed("%15"), _signed("A-1")
    ('-5.00', '15%', 'A-1')
    """
    if behind := re.fullmatch(r"([\d.,٫٬'’]+)([-+−])", text):
        return f"{behind[2]}{behind[1]}"
    if ahead := re.fullmatch(r"([%‰٪])([\d.,٫٬'’]+)", text):
        return f"{ahead[2]}{ahead[1]}"
    return text


def _logical(piece: _Piece) -> list[_Glyph]:
    """Return the glyphs of a piece in reading order."""
    if not piece.is_right_to_left:
        return list(piece.glyphs)
    pairs = zip(piece.glyphs, _forward(piece.glyphs), strict=True)
    ordered: list[_Glyph] = []
    for forward, run in groupby(reversed(list(pairs)), key=lambda pair: pair[1]):
        glyphs = [glyph for glyph, _ in run]
        ordered += reversed(glyphs) if forward else glyphs
    return ordered


def _forward(glyphs: Sequence[_Glyph]) -> list[bool]:
    """Return, for each glyph, whether it belongs to a run from left to right."""
    forward = [glyph.is_number or glyph.is_left_to_right for glyph in glyphs]
    for place, glyph in enumerate(glyphs):
        between = 0 < place < len(glyphs) - 1
        if between and forward[place - 1] and glyphs[place + 1].is_number:
            forward[place] |= glyph.text in WITHIN_NUMBER
    return forward
