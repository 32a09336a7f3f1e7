"""Export rows as a workbook or CSV; a worker writes large workbooks."""

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePath

from django.db import transaction

from common import clock, storage
from common.errors import StaleState, Unavailable, Unprocessable
from common.http.language import current_language, using_language
from common.ids import new_id
from common.work.claims import ClaimLost, claim, due, renewed
from common.work.wakeups import wake_on_commit
from imports.exports import transitions
from imports.exports.rows import CHOICES, Choose, csv_of, write_rows
from imports.models import ImportRecord, Workbook
from imports.services.review import rows_of

logger = logging.getLogger(__name__)
_writing = threading.Lock()

MAX_WORKBOOK_ROWS = 1_000_000  # a sheet ends at 1,048,576
CELLS_AT_ONCE = 100_000  # takes a second or two; a worker writes larger ones
FOLDER = "exports"
MOST_TRIES = 3
TRY_AGAIN = timedelta(seconds=10)
PROGRESS_EVERY_S = 0.5
WRITE = "workflow.tasks.write_workbook"  # by name, because the task is in a higher layer


class WorkbookTooLarge(Unprocessable):
    """There are too many rows for one sheet. Use format=csv, which has no limit."""

    code = "workbook_too_large"


class WorkbookFailed(Unavailable):
    """The workbook could not be written. Retry, or use format=csv."""

    code = "workbook_failed"


@dataclass(frozen=True, slots=True)
class Export:
    """A file that is written, or read, while it is sent."""

    name: str
    chunks: Iterator[bytes]


def export(
    *, record: ImportRecord, which: str, choose: Choose, file_format: str, at: datetime
) -> Export | Workbook:
    """
    Export the rows that ``choose`` returns. which: their name; file_format: xlsx or csv.

    A worker writes a large workbook; until it is ready, its row is returned and shows the progress.
    Raise WorkbookTooLarge before anything is written. Raise WorkbookFailed once if writing failed.
    """
    table = rows_of(record)
    chosen = choose(record, table)
    rows = len(chosen.rows)
    name = f"{PurePath(record.filename).stem or record.public_id}-{which}.{file_format}"
    if file_format == "csv":
        return Export(name, csv_of(record, table, chosen))
    is_small = rows * len(table.columns) <= CELLS_AT_ONCE
    # A workbook belongs to its revision; findings of hosts change without a new one.
    if rows > MAX_WORKBOOK_ROWS or (chosen.say and not is_small):
        raise WorkbookTooLarge(members={"rows": rows})
    if is_small:
        return Export(name, _written_now(record, choose))
    workbook = _requested(record, which=which, rows=rows, at=at)
    if workbook.state == Workbook.State.READY:
        return Export(name, storage.stream(workbook.file))
    return workbook


def write_due_workbooks() -> None:
    """Write the workbooks that are due, one after the other, in one thread of a process."""
    if not _writing.acquire(blocking=False):
        return  # the thread that writes finds this one too
    try:
        while claimed := claim(Workbook.objects.all(), at=clock.now(), limit=1):
            _write(claimed[0])
    finally:
        _writing.release()


def due_workbooks(limit: int) -> list[str]:
    """Return workbooks that are due and unclaimed, oldest first."""
    waiting = Workbook.objects.filter(due(clock.now())).order_by("due_at")
    return list(waiting.values_list("public_id", flat=True)[:limit])


def drop_workbooks(record: ImportRecord, *, before: int | None = None) -> list[str]:
    """Delete the workbooks of an import, or of its earlier revisions; return their files."""
    old = record.workbooks.all()
    if before is not None:
        old = old.filter(revision__lt=before)
    names = [name for name in old.values_list("file", flat=True) if name]
    old.delete()
    return names


def _requested(record: ImportRecord, *, which: str, rows: int, at: datetime) -> Workbook:
    """Return the workbook of these rows; create it if it was not requested before."""
    with transaction.atomic():
        workbook, is_new = Workbook.objects.get_or_create(
            record=record,
            revision=record.revision,
            which=which,
            language=current_language(),
            defaults={
                "public_id": new_id("wbk_"),
                "state": Workbook.State.WRITING,
                "created_at": at,
                "due_at": at,
                "total": rows,
            },
        )
        names = drop_workbooks(record, before=record.revision) if is_new else []
        if is_new:
            wake_on_commit(WRITE, workbook.public_id)
    for name in names:
        storage.delete(name)
    if workbook.state == Workbook.State.FAILED:
        workbook.delete()  # the next call tries again
        raise WorkbookFailed
    return workbook


def _write(workbook: Workbook) -> None:
    try:
        with (
            renewed([workbook]),
            storage.working_folder("export") as folder,
            using_language(workbook.language),
        ):
            path = folder / "rows.xlsx"
            write_rows(
                path,
                workbook.record,
                choose=CHOICES[workbook.which],  # others are never large workbooks
                revision=workbook.revision,
                progress=_Progress(workbook).note,
            )
            stored = storage.store(FOLDER, storage.chunks_of(path))
    except ClaimLost:
        logger.info("%s: no request waits for it any more", workbook.public_id)
        return
    except Exception:
        logger.exception("%s: could not be written", workbook.public_id)
        _try_again(workbook)
        return
    try:
        transitions.finish(workbook, file=stored.name, at=clock.now())
    except StaleState:
        storage.delete(stored.name)


def _try_again(workbook: Workbook) -> None:
    try:
        if workbook.tries + 1 < MOST_TRIES:
            workbook.update_as_claimed(
                tries=workbook.tries + 1, due_at=clock.now() + TRY_AGAIN, claimed_until=None
            )
        else:
            transitions.fail(workbook, at=clock.now())
    except (ClaimLost, StaleState):
        logger.info("%s: the claim was lost before the failure was written", workbook.public_id)


class _Progress:
    """Writes the progress of a workbook twice a second, under the claim."""

    def __init__(self, workbook: Workbook) -> None:
        self._workbook = workbook
        self._next = 0.0

    def note(self, done: int) -> None:
        """Record the number of written rows. Raise ClaimLost if it is no longer wanted."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PROGRESS_EVERY_S
            self._workbook.update_as_claimed(done=done)


def _written_now(record: ImportRecord, choose: Choose) -> Iterator[bytes]:
    with storage.working_folder("export") as folder:
        path = folder / "rows.xlsx"
        write_rows(path, record, choose=choose, revision=record.revision)
        yield from storage.chunks_of(path)
