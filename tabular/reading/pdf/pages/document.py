"""Open a document page by page: does it open, may it be read, is it whole, what is on a page."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import pypdfium2
import pypdfium2.raw as pdfium

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.sentences import Sentence, counted
from tabular.reading.pdf.pages.decompression_limits import refuse_decompression_bombs
from tabular.reading.pdf.pages.letters import Letter, letters_of, main_turn
from tabular.reading.pdf.pages.page import Box, Page, Turn, mirrored
from tabular.reading.pdf.pages.pictured_lines import is_covered, pictured_lines
from tabular.reading.pdf.pages.right_to_left import RUNS_LEFT, ordered_words, share_of
from tabular.reading.pdf.pages.strokes import rulings_and_fills, strokes_of


class Budget:
    """A budget of CPU time, counted from its creation and checked between pages."""

    def __init__(self, limits: Limits) -> None:
        self._allowed = limits.seconds
        self._end = process_time() + limits.seconds

    def check(self) -> None:
        """Raise LimitExceeded (timeout) once the time is used up."""
        if process_time() > self._end:
            raise LimitExceeded(
                Sentence(
                    "Reading the PDF takes more than {SECONDS}.",
                    SECONDS=counted(round(self._allowed), "second"),
                ),
                limit="seconds",
                allowed=self._allowed,
                code="timeout",
            )


COPY_PERMISSION = 1 << 4  # ISO 32000-1, table 22, bit 5
LARGEST_SIDE = 14_400.0  # points: ISO 32000-1, annex C
MOST_LETTERS = 100_000  # on one page
MOST_OBJECTS = 200_000  # on one page
LEAST_RULES = 2  # the least number of lines each way in a drawn table
TAIL = 2_048  # bytes: some writers append a little after the end marker

CUT_OFF = "The PDF is incomplete: its end is missing. Send the whole file again."
BROKEN = "The file is damaged and cannot be opened as a PDF. Save it again."


def opened(path: Path, password: str | None, limits: Limits) -> pypdfium2.PdfDocument:
    """Open a PDF whose every page may be read; the caller closes it."""
    content = path.read_bytes()
    refuse_cut_off(content)
    refuse_decompression_bombs(content, limits)
    try:
        document = pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError as error:
        raise _unopened(error) from error
    try:
        _refuse_forbidden(document, password)
        _refuse_pages(document, limits)
    except Exception:
        document.close()
        raise
    return document


def refuse_cut_off(content: bytes) -> None:
    """Refuse bytes that are not a PDF or only the first part of one."""
    if b"%PDF-" not in content[:1024]:
        raise UnreadableFile("malformed", BROKEN)
    end = content.rstrip(b"\x00\r\n\t ")
    if b"%%EOF" not in end[-TAIL:] or b"startxref" not in end[-TAIL * 2 :]:
        raise UnreadableFile("malformed", CUT_OFF)
    # A linearised file states its length; a part of one ends early with its own end marker.
    stated = re.search(rb"/Linearized\b[^>]*?/L\s+(\d+)", content[:TAIL])
    if stated and int(stated[1]) > len(content):
        raise UnreadableFile("malformed", CUT_OFF)
    place = re.search(rb"startxref\s+(\d+)\s+%%EOF(?!.*%%EOF)", end[-TAIL * 2 :], re.DOTALL)
    if place and int(place[1]) > len(content):
        raise UnreadableFile("malformed", CUT_OFF)


def _unopened(error: pypdfium2.PdfiumError) -> UnreadableFile:
    if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
        return UnreadableFile(
            "password_protected",
            "The file is protected by a password. Enter it, or send an unprotected file.",
        )
    return UnreadableFile("malformed", BROKEN)


def _refuse_forbidden(document: pypdfium2.PdfDocument, password: str | None) -> None:
    protected = pdfium.FPDF_GetSecurityHandlerRevision(document) != -1
    if protected and not pdfium.FPDF_GetDocPermissions(document) & COPY_PERMISSION:
        raise UnreadableFile(
            "extraction_forbidden",
            "The PDF forbids copying."
            if password
            else "The PDF forbids copying. Give the owner's password, or ask its author for "
            "another copy.",
        )


def _refuse_pages(document: pypdfium2.PdfDocument, limits: Limits) -> None:
    count = len(document)
    if count == 0:
        raise UnreadableFile("malformed", "The PDF has no pages.")
    if count > limits.pages:
        raise LimitExceeded(
            Sentence(
                "The PDF has {PAGES}; at most {n1} may be read.",
                PAGES=counted(count, "page"),
                n1=limits.pages,
            ),
            limit="pages",
            allowed=limits.pages,
        )


def page_of(document: pypdfium2.PdfDocument, index: int) -> Page:
    """Read words, rulings and fills of one page, index from 0."""
    try:
        page = document[index]
    except pypdfium2.PdfiumError as error:
        raise UnreadableFile(
            "malformed", Sentence("Page {n1} of the PDF is damaged.", n1=str(index + 1))
        ) from error
    try:
        return _read(page, index + 1)
    finally:
        page.close()


def turn_of(page: pypdfium2.PdfPage, number: int) -> Turn | None:
    """Return how a page is turned upright by its text; None if it holds none."""
    space = _space_of(page, number)
    letters = _letters_on(page, number)
    return Turn(main_turn(letters), space) if letters else None


def _space_of(page: pypdfium2.PdfPage, number: int) -> Box:
    left, bottom, right, top = page.get_cropbox()
    space = Box(min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    if max(space.width, space.height) > LARGEST_SIDE:
        raise UnreadableFile(
            "too_large",
            Sentence(
                "Page {n1} is {width} by {height} points large; PDF allows {n2}.",
                n1=str(number),
                width=f"{space.width:.0f}",
                height=f"{space.height:.0f}",
                n2=f"{LARGEST_SIDE:.0f}",
            ),
        )
    return space


def _letters_on(page: pypdfium2.PdfPage, number: int) -> list[Letter]:
    textpage = page.get_textpage()
    count = pdfium.FPDFText_CountChars(textpage)
    if count > MOST_LETTERS:
        raise UnreadableFile(
            "too_large",
            Sentence(
                "Page {n1} holds {n2} letters; at most {n3} are read.",
                n1=str(number),
                n2=str(count),
                n3=str(MOST_LETTERS),
            ),
        )
    letters = letters_of(textpage, count)
    textpage.close()
    return letters


def _read(page: pypdfium2.PdfPage, number: int) -> Page:
    space = _space_of(page, number)
    letters = _letters_on(page, number)
    turn = Turn(main_turn(letters), space)
    strokes = strokes_of(page, MOST_OBJECTS)
    across, down, fills = rulings_and_fills(strokes.boxes, turn)
    pictured: list[Box] = []
    if letters and strokes.images and not (len(across) >= LEAST_RULES and len(down) >= LEAST_RULES):
        pictured = pictured_lines(page)
    pictured_across, pictured_down, _ = rulings_and_fills(pictured, turn)
    width, height = turn.size
    share = share_of(letters)
    runs_left = share > RUNS_LEFT
    with_words = Page(
        number=number,
        width=width,
        height=height,
        words=tuple(ordered_words(letters, turn, runs_left=runs_left)),
        horizontals=tuple(across),
        verticals=tuple(down),
        fills=tuple(fills),
        pictured_across=tuple(pictured_across),
        pictured_down=tuple(pictured_down),
        images=strokes.images,
        dropped_texts=strokes.dropped_texts,
        backward=share,
        is_painted_over=bool(letters and strokes.images) and is_covered(page),
    )
    return mirrored(with_words) if runs_left else with_words
