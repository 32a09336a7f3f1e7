"""The pages of a PDF that are pictures, recognised; and a look at those that carry their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from tabular.model.recognition import Recogniser, RecognitionFailed
from tabular.model.table import Progress
from tabular.reading.pdf.pages.page import Page, Word
from tabular.reading.pdf.scans.pages import page_of_picture
from tabular.reading.pdf.scans.pictures import painted
from tabular.reading.pdf.scans.upright import Gray

if TYPE_CHECKING:
    import pypdfium2

COMPARED = 3  # pages of a document whose text is compared with its picture
LEAST_WORDS = 5  # on a page, to be compared
LEAST_LENGTH = 2  # letters: shorter words are recognised by chance
NEAR = 6.0  # points between the middles of a word of the text and one of the picture
LIKE = 70  # per cent of a word's letters that are the same
AGREED = 0.8  # share of the words that the picture shows; with fewer, the text is doubted
READABLE = 60  # mean confidence below which a picture says nothing about its text


def page_recognised(gray: Gray, dots: float, number: int, recogniser: Recogniser) -> Page:
    """Recognise one picture; where that fails, return a page that says why."""
    try:
        return page_of_picture(gray, number, recogniser, dots_per_inch=dots)
    except RecognitionFailed as failure:
        height, width = gray.shape
        return Page(
            number=number,
            width=width * 72 / dots,
            height=height * 72 / dots,
            images=1,
            unread=str(failure),
        )


def with_recognised(
    document: pypdfium2.PdfDocument,
    pages: Sequence[Page],
    recogniser: Recogniser,
    progress: Progress,
) -> list[Page]:
    """Return the pages of a document, with those recognised that hold no text."""
    pictures = [page.number for page in pages if is_picture(page)]
    sample = set(_sampled([page.number for page in pages if page.is_painted_over]))
    read_pages = []
    done = 0
    for page in pages:
        if page.number in pictures:
            progress("recognising", done, len(pictures))
            read_pages.append(_recognised(document, page, recogniser))
            done += 1
        elif page.number in sample:
            seen = _recognised(document, page, recogniser)
            read_pages.append(replace(page, differs=differs(page, seen)))
        else:
            read_pages.append(page)
    return read_pages


def is_looked_at(page: Page) -> bool:
    """Return whether a page is recognised, or may be compared with its picture."""
    return is_picture(page) or page.is_painted_over


def is_picture(page: Page) -> bool:
    """Return whether a page shows something, but holds no text."""
    return not page.words and bool(page.images or page.horizontals or page.verticals or page.fills)


def _sampled(numbers: Sequence[int]) -> Iterator[int]:
    """Yield the first, the middle and the last of some pages."""
    if numbers:
        yield from (numbers[0], numbers[len(numbers) // 2], numbers[-1])


def _recognised(document: pypdfium2.PdfDocument, page: Page, recogniser: Recogniser) -> Page:
    opened = document[page.number - 1]
    try:
        return page_recognised(*painted(opened, page.number), page.number, recogniser)
    finally:
        opened.close()


def differs(page: Page, seen: Page) -> bool:
    """Return whether the text of a page is not what its picture shows."""
    words = [word for word in page.words if len(word.text) >= LEAST_LENGTH]
    if len(words) < LEAST_WORDS or not seen.words or (seen.confidence or 0) < READABLE:
        return False
    agreed = sum(any(_is_same(word, other) for other in seen.words) for word in words)
    return agreed < AGREED * len(words)


def _is_same(word: Word, other: Word) -> bool:
    x, y = word.box.middle
    return other.box.holds(x, y, NEAR) and fuzz.ratio(word.text, other.text) >= LIKE
