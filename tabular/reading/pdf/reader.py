"""Read a PDF: inspect, extract grids page by page, choose, stitch, name the columns, ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tabular.model.issue import Candidate, Issue, Question
from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.recognition import Recogniser
from tabular.model.sentences import Sentence, counted, numbered
from tabular.model.table import Progress, Reading
from tabular.reading.limiting import check_counts
from tabular.reading.pdf.frames import framed
from tabular.reading.pdf.grids.choosing import grids_of
from tabular.reading.pdf.grids.grid import Grid, Row
from tabular.reading.pdf.leftovers import left_out
from tabular.reading.pdf.pages.document import Budget, opened, page_of
from tabular.reading.pdf.pages.page import Page
from tabular.reading.pdf.pages.running_lines import without_running_lines
from tabular.reading.pdf.scans.findings import look_questions, page_findings
from tabular.reading.pdf.scans.recognised import is_looked_at, with_recognised
from tabular.reading.pdf.sparse_tables import with_spare
from tabular.reading.pdf.stitching import Stitched, stitched
from tabular.reading.pdf.tables import PdfBody, body_of

CLOSE = 0.75  # of the best table's score: a table this good may be the intended one
MOST_CANDIDATES = 8
NAMES_SHOWN = 6
ROWS_SHOWN = 3
CHARACTERS_SHOWN = 160
BACKWARD = 0.02  # share of words in a right-to-left script from which a page is reported
PAGES_SHOWN = 10
BACKWARD_TEXT = (
    "with text from right to left ({pages}): a PDF does not say in which order it was written."
)
UNKNOWN_LETTERS = (
    "with letters that cannot be read ({pages}): their font is neither in the file nor installed."
)


def table_questions(tables: Sequence[Stitched], bodies: Sequence[PdfBody]) -> tuple[Question, ...]:
    """
    Ask which table to import if another one scores almost as well as the best.

    If the rows of the best hardly hold together, ask a person to compare them with the page.
    """
    best = tables[0].score
    close = [index for index, table in enumerate(tables) if table.score >= CLOSE * best]
    doubts = bodies[0].table.doubts
    if len(close) < 2 and not doubts:
        return ()
    candidates = tuple(
        Candidate(
            value=index,
            label=_label(bodies[index]),
            score=round(100 * tables[index].score / best, 1),
            effect=Sentence(
                "{ROWS} imported", ROWS=counted(len(bodies[index].rows), "row is", "rows are")
            ),
        )
        for index in close[:MOST_CANDIDATES]
    )
    scores = tuple(
        f"{body.table.range}: score {table.score:.0f}"
        for table, body in list(zip(tables, bodies, strict=True))[: len(close)]
    )
    return (Question(kind="table", candidates=candidates, evidence=(*doubts, *scores), default=0),)


def joined_questions(bodies: Sequence[PdfBody]) -> tuple[Question, ...]:
    """Ask whether lines that were read as the end of a row are separate rows."""
    rows = [row for body in bodies for _, row in body.rows if row.pieces]
    if not rows:
        return ()
    total, lines = sum(len(body.rows) for body in bodies), sum(len(r.pieces) - 1 for r in rows)
    shown = rows[:ROWS_SHOWN]
    joined = Candidate(
        "join",
        "each goes on with the row above",
        effect=f"{counted(total, 'row')}, such as {_text_of(rows[0])}",
    )
    apart = Candidate(
        "apart",
        "each is a row of its own",
        effect=f"{counted(total + lines, 'row')}, such as {_texts_apart(rows[0])}",
    )
    doubt = f"{counted(lines, 'line')} may be the end of the row above, or a row"
    evidence = (
        doubt,
        *(f"page {r.page}: {_text_of(r)}, or apart: {_texts_apart(r)}" for r in shown),
    )
    return (Question("joined_lines", (), (joined, apart), evidence, default="join"),)


def _texts_apart(row: Row) -> str:
    return " and ".join(_text_of(piece) for piece in row.pieces)


def _text_of(row: Row) -> str:
    """Return a row as the question shows it: its cells, an empty one as a dash."""
    return f"“{' | '.join(cell or '–' for cell in row.cells)[:CHARACTERS_SHOWN]}”"


def _label(body: PdfBody) -> str:
    names = body.table.columns
    more = ", ..." if len(names) > NAMES_SHOWN else ""
    return f"Page {body.table.page}: {', '.join(names[:NAMES_SHOWN])}{more}"


def read_pdf(
    path: Path,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    recogniser: Recogniser | None = None,
) -> Reading:
    """
    Find the tables of a PDF, best first.

    recogniser: of text in pictures; without, a scan is refused. Raises UnreadableFile (malformed,
    password_protected, extraction_forbidden, scanned_no_text, recognition_failed, no_table_found,
    too_large) and LimitExceeded (too_large, timeout).
    """
    budget = Budget(limits)
    pages = _pages(path, choices, limits, progress, budget, recogniser)
    return reading_of(
        pages,
        "pdf",
        choices=choices,
        limits=limits,
        progress=progress,
        budget=budget,
        recogniser=recogniser,
    )


def reading_of(
    pages: list[Page],
    file_format: str,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    budget: Budget,
    recogniser: Recogniser | None,
) -> Reading:
    """Find the tables of some pages, best first. Raise as ``read_pdf`` does."""
    pages = without_running_lines(pages)
    if not any(page.words for page in pages):
        raise _without_text(pages)
    tables = _tables(pages, choices, progress, budget)
    if not tables:
        raise UnreadableFile("no_table_found", _no_table(pages))
    for table in tables:
        check_counts(len(table.rows), table.width, limits)
    bodies = _bodies(tables, pages, choices)
    return Reading(
        file_format=file_format,
        tables=tuple(body.table for body in bodies),
        bodies=tuple(bodies),
        questions=(*_questions(tables, bodies, choices), *look_questions(pages, recogniser)),
        issues=(*_page_issues(pages), *page_findings(pages)),
    )


def _tables(
    pages: list[Page], choices: ReadingChoices, progress: Progress, budget: Budget
) -> list[Stitched]:
    """Find the tables, best first; a person's frames replace the chosen one."""
    stitched_tables = stitched(_grids(pages, progress, budget))
    tables = sorted(stitched_tables, key=lambda table: -table.score)
    place = choices.table or 0
    drawn = framed(choices.frames, pages)
    if drawn is not None and place < len(tables):
        tables[place] = drawn
    return tables


def _no_table(pages: Sequence[Page]) -> str:
    if any(page.confidence is not None for page in pages):
        return (
            "Text was recognised in the picture, but no table was found in it. Handwriting and "
            "poor scans are not read: scan the page flat, at 300 dots per inch."
        )
    return "The PDF holds text, but no table was found in it."


def _questions(
    tables: Sequence[Stitched], bodies: Sequence[PdfBody], choices: ReadingChoices
) -> Iterator[Question]:
    if choices.table is None and not choices.frames:
        yield from table_questions(tables, bodies)
    if choices.joined_lines is None:
        yield from joined_questions(
            [body for number, body in enumerate(bodies) if choices.concerns(number)]
        )


def _grids(
    pages: Sequence[Page], progress: Progress, budget: Budget
) -> list[tuple[Page, list[Grid]]]:
    """Find the grids of each page: the sure ones, and the spare ones where there are none."""
    by_page = []
    for page in pages:
        progress("tables", page.number - 1, len(pages))
        budget.check()
        by_page.append((page, grids_of(page)))
    return with_spare(by_page)


def _pages(
    path: Path,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    budget: Budget,
    recogniser: Recogniser | None,
) -> list[Page]:
    document = opened(path, choices.password, limits)
    pages = []
    try:
        for index in range(len(document)):
            progress("pages", index, len(document))
            budget.check()
            pages.append(page_of(document, index))
        if recogniser is not None and any(map(is_looked_at, pages)):
            pages = with_recognised(document, pages, recogniser, progress)
    finally:
        document.close()
    return pages


def _without_text(pages: Sequence[Page]) -> UnreadableFile:
    failed = next((page for page in pages if page.unread), None)
    if failed is not None:
        return UnreadableFile(
            "recognition_failed",
            Sentence(
                "Page {n1} could not be recognised: {reason}. Send the file again, or contact "
                "the operator.",
                n1=str(failed.number),
                reason=failed.unread,
            ),
        )
    if any(page.confidence is not None for page in pages):
        return UnreadableFile(
            "no_table_found", "No text was recognised in the picture, so there is no table."
        )
    drawn = any(page.images or page.horizontals or page.verticals or page.fills for page in pages)
    if not drawn:
        return UnreadableFile("no_table_found", "The PDF has only blank pages.")
    return UnreadableFile(
        "scanned_no_text",
        "The PDF holds pictures of pages, no text. Run text recognition (OCR) on it first.",
    )


def _bodies(
    tables: Sequence[Stitched], pages: Sequence[Page], choices: ReadingChoices
) -> list[PdfBody]:
    return [
        body_of(
            table,
            pages,
            left_out(table, tables, pages),
            _choices_about(index, choices),
        )
        for index, table in enumerate(tables)
    ]


def _choices_about(number: int, choices: ReadingChoices) -> ReadingChoices | None:
    if not choices.concerns(number):
        return None
    return replace(choices, restored=choices.restored_in(number))


def _page_issues(pages: Sequence[Page]) -> Iterator[Issue]:
    backward = [page.number for page in pages if page.backward > BACKWARD]
    if backward:
        yield Issue(
            "right_to_left_text",
            severity="warning",
            message=numbered(
                len(backward),
                f"{{n1}} page {BACKWARD_TEXT}",
                f"{{n1}} pages {BACKWARD_TEXT}",
                pages=_first(backward),
            ),
            hint="Compare a few cells with the page: mixed scripts, brackets, signs of numbers.",
        )
    incomplete = [page.number for page in pages if page.dropped_texts]
    if incomplete:
        yield Issue(
            "missing_font",
            severity="warning",
            message=numbered(
                len(incomplete),
                f"{{n1}} page {UNKNOWN_LETTERS}",
                f"{{n1}} pages {UNKNOWN_LETTERS}",
                pages=_first(incomplete),
            ),
            hint="Save the PDF with its fonts, or ask the operator to install an East Asian font.",
        )
    for page in pages:
        is_read = page.confidence is not None or page.unread
        if page.images and not page.words and not is_read:
            yield Issue(
                "page_without_text",
                severity="warning",
                message=Sentence(
                    "Page {n1} is a picture without text; nothing of it was read.",
                    n1=str(page.number),
                ),
                hint="Run text recognition (OCR) on the document and send it again.",
            )


def _first(pages: Sequence[int]) -> str:
    """
    Name the first of these pages.

    >>> _first([2, 5])
    '2, 5'
    """
    numbers = ", ".join(map(str, pages[:PAGES_SHOWN]))
    return f"{numbers}, ..." if len(pages) > PAGES_SHOWN else numbers
