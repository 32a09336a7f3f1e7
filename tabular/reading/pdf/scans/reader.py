"""Read image files: pictures of tables."""

from __future__ import annotations

from pathlib import Path

from tabular.model.places import ReadingChoices
from tabular.model.problem import Limits
from tabular.model.recognition import Recogniser
from tabular.model.table import Progress, Reading
from tabular.reading.pdf.pages.document import Budget
from tabular.reading.pdf.reader import reading_of
from tabular.reading.pdf.scans.pictures import frames_of
from tabular.reading.pdf.scans.recognised import page_recognised


def read_picture(
    path: Path,
    *,
    choices: ReadingChoices,
    limits: Limits,
    progress: Progress,
    recogniser: Recogniser,
) -> Reading:
    """
    Find the tables of a PNG, JPEG or TIFF, best first.

    Raise UnreadableFile (damaged_file, too_large, recognition_failed, no_table_found) and
    LimitExceeded (too_large, timeout).
    """
    budget = Budget(limits)
    pages = []
    for number, count, gray, dots in frames_of(path, limits):
        progress("recognising", number - 1, count)
        budget.check()
        pages.append(page_recognised(gray, dots, number, recogniser))
    return reading_of(
        pages,
        "image",
        choices=choices,
        limits=limits,
        progress=progress,
        budget=budget,
        recogniser=recogniser,
    )
