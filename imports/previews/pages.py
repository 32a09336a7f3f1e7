"""A page of a PDF or a scan next to the rows that were read from it."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings

from common import storage
from common.errors import NotFound, Unavailable, Unprocessable
from common.wording.messages import english_message
from imports.models import ImportRecord
from imports.previews.dry_run import JobsBusy, NotReadYet
from imports.rows.left_out import SkippedRow, skipped_rows_of
from imports.services.again import FileGone
from sandbox import JobCancelled, JobFailed, run_job
from tabular.model.places import Frame
from tabular.model.problem import Limits, TabularProblem
from tabular.model.table import BESIDE, BOXES_COLUMN, PAGE_COLUMN, ROW_COLUMN, silent
from tabular.protocol.files import PaintRequest, PaintResult
from tabular.protocol.results import FoundTable

if TYPE_CHECKING:
    import pyarrow as pa

MOST_SECONDS = 20.0
MOST_ROWS = 300  # of one page
MOST_SKIPPED = 1_000  # rows that are looked through for those of one page
CHARACTERS = 200  # of a cell
Sides = tuple[float, float, float, float]

logger = logging.getLogger(__name__)


class NoPage(NotFound):
    """This page cannot be shown. Only PDF files and pictures have pages."""

    code = "unknown_page"


class PaintBroken(Unavailable):
    """The page could not be shown. Retry later."""

    code = "paint_broken"


@dataclass(frozen=True, slots=True)
class PageRow:
    """A row on the page: its number in the source, its box, and its cells."""

    row: int
    box: Sides
    cells: list[str | None]


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A painted page; frames, rows and what was left out are in points from its corner."""

    page: int
    painted: PaintResult
    frames: list[Frame]
    rows: list[PageRow]
    left_out: list[SkippedRow]


def shown_page(record: ImportRecord, table: int, page: int) -> ShownPage:
    """
    Return a page with what was taken from it; rows only of the table that is used.

    Raise NotReadYet, NoPage, FileGone, JobsBusy or PaintBroken.
    """
    found_table = _table(record, table)
    painted = _painted(record, found_table, page, None)
    frames = [frame for frame in found_table.frames if frame.page == page]
    is_used = record.file_read is not None and table == record.file_read.chosen
    rows, left = (_rows(record, page), _skipped_rows(record, page)) if is_used else ([], [])
    return ShownPage(page, painted, frames, rows, left)


def clip_of(record: ImportRecord, table: int, page: int, box: Sides) -> PaintResult:
    """Return a part of a page, as it was read. Raise what ``shown_page`` raises."""
    return _painted(record, _table(record, table), page, box)


def clip_link(record: ImportRecord, page: int | None, box: Sequence[float] | None) -> str | None:
    """Return where a part of a page is shown, below the import; None without pages."""
    read = record.file_read
    if read is None or page is None or not box or not read.table.frames:
        return None
    sides = ",".join(f"{side:.1f}" for side in box)
    return f"tables/{read.chosen}/page/{page}?box={sides}"


def _table(record: ImportRecord, number: int) -> FoundTable:
    read = record.file_read
    if read is None:
        raise NotReadYet
    if not 0 <= number < len(read.tables):
        raise NoPage("unknown_page.table", number=number)
    found_table = read.tables[number]
    if found_table.page is None or found_table.file is not None:
        raise NoPage
    return found_table


def _painted(record: ImportRecord, table: FoundTable, page: int, box: Sides | None) -> PaintResult:
    if not record.file:
        raise FileGone(
            members={"purgedAt": record.purged_at.isoformat() if record.purged_at else None}
        )
    turn = next((frame.turn for frame in table.frames if frame.page == page), 0)
    request = PaintRequest(
        input=str(storage.local_path(record.file)),
        limits=Limits(**settings.LIMITS),
        page=page,
        turn=turn,
        box=box,
    )
    end = time.monotonic() + MOST_SECONDS
    try:
        with storage.working_folder("page") as folder:
            return run_job(
                folder, request, progress=silent, cancelled=lambda: time.monotonic() > end
            )
    except JobCancelled as error:
        raise JobsBusy(members={"retryAfter": 10}) from error
    except JobFailed as error:
        logger.warning("%s: a page was not rendered: %s", record.public_id, error)
        raise PaintBroken(members={"retryAfter": 10}) from error
    except TabularProblem as problem:
        if problem.code == "unknown_page":
            raise NoPage(english_message(problem.sentence)) from problem
        raise Unprocessable(english_message(problem.sentence), code=problem.code) from problem


def _rows(record: ImportRecord, page: int) -> list[PageRow]:
    import pyarrow.compute as pc

    from tabular.protocol.tables import whole

    source: pa.Table = whole(storage.local_path(record.source) / "source.arrow")
    if not {PAGE_COLUMN, BOXES_COLUMN} <= set(source.column_names):
        return []
    on_page = source.filter(pc.equal(source[PAGE_COLUMN], page)).slice(0, MOST_ROWS)
    names = [name for name in on_page.column_names if name not in BESIDE]
    return [
        PageRow(item[ROW_COLUMN], _around(item[BOXES_COLUMN]), [_cut(item[n]) for n in names])
        for item in on_page.to_pylist()
    ]


def _around(boxes: list[float]) -> Sides:
    """Return the box around the cells of a row."""
    sides = [[round(side, 1) for side in boxes[place::4]] for place in range(4)]
    return min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])


def _cut(text: Any) -> str | None:
    return None if text is None else str(text)[:CHARACTERS]


def _skipped_rows(record: ImportRecord, page: int) -> list[SkippedRow]:
    rows = skipped_rows_of(record).page(offset=0, limit=MOST_SKIPPED)
    return [left for left in rows if left.page == page and left.box][:MOST_ROWS]
