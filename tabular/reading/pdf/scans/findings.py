"""What a person has to know about recognised pages: issues, and the question to look at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabular.model.issue import Candidate, Issue, Question
from tabular.model.recognition import Recogniser
from tabular.model.sentences import Sentence, numbered
from tabular.reading.pdf.pages.page import Page
from tabular.reading.pdf.scans.missed import UNREAD

HARDLY = 60  # mean confidence below which a page is probably no print
PAGES_SHOWN = 10
UNRECOGNISED = "of page {page} could not be recognised, and each is shown as {mark}."


def look_questions(pages: Sequence[Page], recogniser: Recogniser | None) -> Iterator[Question]:
    """Ask a person to compare what was recognised, or what its picture contradicts."""
    recognised = [page for page in pages if page.confidence is not None]
    different = [page for page in pages if page.differs]
    evidence = []
    if recognised:
        named = recogniser.named if recogniser else ""
        mean = round(sum(page.confidence or 0 for page in recognised) / len(recognised))
        by = "recognised by {program}, with a mean confidence of {n2} %"
        single, many = f"{{n1}} page {by}", f"{{n1}} pages {by}"
        evidence.append(numbered(len(recognised), single, many, program=named, n2=mean))
    if different:
        evidence.append(
            Sentence("the text differs from the picture: page {pages}", pages=_numbers(different))
        )
    if evidence:
        compared = Candidate(
            "compared",
            "the rows were compared with the pages",
            effect="The import can be applied",
        )
        yield Question("recognised_text", (), (compared,), tuple(evidence))


def page_findings(pages: Sequence[Page]) -> Iterator[Issue]:
    """Yield what is wrong with pages that were recognised, or compared with their picture."""
    for page in pages:
        if page.unread:
            yield Issue(
                "page_not_recognised",
                severity="warning",
                message=Sentence(
                    "The text of page {n1} could not be recognised: {reason}. Nothing of it was "
                    "read.",
                    n1=str(page.number),
                    reason=page.unread,
                ),
                hint="Send the file again, or contact the operator.",
            )
        elif page.confidence is not None and not page.words:
            yield Issue(
                "page_without_text",
                severity="warning",
                message=Sentence("No text was recognised on page {n1}.", n1=str(page.number)),
                hint="Compare the page: handwriting and poor scans are not read.",
            )
        elif page.confidence is not None and page.confidence < HARDLY:
            yield Issue(
                "page_hardly_recognised",
                severity="warning",
                message=Sentence(
                    "The text of page {n1} was hardly recognised (confidence {n2} %): handwriting, "
                    "or a poor scan.",
                    n1=str(page.number),
                    n2=str(page.confidence),
                ),
                hint="Compare each row with the page, or scan it again at 300 dots per inch.",
            )
    yield from _doubts(pages)


def _doubts(pages: Sequence[Page]) -> Iterator[Issue]:
    for page in pages:
        if page.unread_marks:
            yield Issue(
                "marks_not_recognised",
                severity="warning",
                message=numbered(
                    page.unread_marks,
                    f"{{n1}} mark {UNRECOGNISED}",
                    f"{{n1}} marks {UNRECOGNISED}",
                    page=page.number,
                    mark=UNREAD,
                ),
                hint="Compare these cells with the page.",
            )
    if different := [page for page in pages if page.differs]:
        yield Issue(
            "text_layer_differs",
            severity="warning",
            message=Sentence(
                "The text of the file is not what its picture shows, on page {pages}.",
                pages=_numbers(different),
            ),
            hint="Compare the rows with the page, or print it to a new file and send that.",
        )


def _numbers(pages: Sequence[Page]) -> str:
    more = ", ..." if len(pages) > PAGES_SHOWN else ""
    return ", ".join(str(page.number) for page in pages[:PAGES_SHOWN]) + more
