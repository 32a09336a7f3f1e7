"""Read a PDF: look, extract grids page by page, choose, stitch, name the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tabular.model.issue import Issue
from tabular.model.limits import Limits
from tabular.model.problem import UnreadableFile
from tabular.model.table import Progress, Reading, ReadingChoices
from tabular.reading.limiting import check_counts
from tabular.reading.pdf.asking import table_questions
from tabular.reading.pdf.body import PdfBody
from tabular.reading.pdf.budget import Budget
from tabular.reading.pdf.choosing import grids_of
from tabular.reading.pdf.furniture import without_furniture
from tabular.reading.pdf.grid import Grid
from tabular.reading.pdf.leaving import left_out
from tabular.reading.pdf.looking import opened, page_of
from tabular.reading.pdf.page import Page
from tabular.reading.pdf.sparing import with_spare
from tabular.reading.pdf.stitching import Stitched, stitched
from tabular.reading.pdf.tables import body_of


def read_pdf(path: Path, *, choices: ReadingChoices, limits: Limits, progress: Progress) -> Reading:
    """
    Find the tables of a PDF, best first.

    Raises UnreadableFile (malformed, password_protected, extraction_forbidden, scanned_no_text,
    no_table_found, too_large) and LimitExceeded (too_large, timeout).
    """
    budget = Budget(limits)
    pages = without_furniture(_pages(path, choices, limits, progress, budget))
    if not any(page.words for page in pages):
        raise _without_text(pages)
    tables = sorted(stitched(_grids(pages, progress, budget)), key=lambda table: -table.score)
    if not tables:
        raise UnreadableFile("no_table_found", "The PDF holds text, but no table was found in it.")
    for table in tables:
        check_counts(len(table.rows), table.width, limits)
    bodies = _bodies(tables, pages, choices)
    return Reading(
        file_format="pdf",
        tables=tuple(body.table for body in bodies),
        bodies=tuple(bodies),
        questions=table_questions(tables, bodies) if choices.table is None else (),
        issues=tuple(_page_issues(pages)),
    )


def _grids(
    pages: Sequence[Page], progress: Progress, budget: Budget
) -> list[tuple[Page, list[Grid]]]:
    """Find the grids of each page: the sure ones, and where they leave off, the spare ones."""
    found = []
    for page in pages:
        progress("tables", page.number - 1, len(pages))
        budget.check()
        found.append((page, grids_of(page)))
    return with_spare(found)


def _pages(
    path: Path, choices: ReadingChoices, limits: Limits, progress: Progress, budget: Budget
) -> list[Page]:
    document = opened(path, choices.password, limits)
    pages = []
    try:
        for index in range(len(document)):
            progress("pages", index, len(document))
            budget.check()
            pages.append(page_of(document, index))
    finally:
        document.close()
    return pages


def _without_text(pages: Sequence[Page]) -> UnreadableFile:
    drawn = any(page.images or page.horizontals or page.verticals or page.fills for page in pages)
    if not drawn:
        return UnreadableFile("no_table_found", "The PDF is empty: nothing is printed on it.")
    return UnreadableFile(
        "scanned_no_text",
        "The PDF holds pictures of its pages, no text. Run text recognition (OCR) on it first.",
    )


def _bodies(
    tables: Sequence[Stitched], pages: Sequence[Page], choices: ReadingChoices
) -> list[PdfBody]:
    chosen = choices.table or 0
    return [
        body_of(
            table,
            pages[table.grids[0].page - 1],
            left_out(table, tables, pages),
            choices if index == chosen else None,
        )
        for index, table in enumerate(tables)
    ]


def _page_issues(pages: Sequence[Page]) -> Iterator[Issue]:
    for page in pages:
        if page.images and not page.words:
            yield Issue(
                "page_without_text",
                severity="warning",
                message=f"Page {page.number} is a picture without text; nothing of it was read.",
                hint="Run text recognition (OCR) on the document and send it again.",
            )
