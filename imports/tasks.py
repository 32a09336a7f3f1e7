"""Wake-ups of imports: the database says what is due, a task only says that something is."""

from celery import shared_task

from common.wakeups import wake
from imports import advancing, purging
from imports.host_checks import following
from imports.services import exporting
from imports.waking import ADVANCE


@shared_task
def advance(record_id: str) -> None:
    """Run due jobs, this import's among them, fairly; harmless twice or late."""
    advancing.advance_fairly(record_id)


@shared_task
def write_workbook(workbook_id: str) -> None:
    """Write the large workbooks that are due, this one among them."""
    exporting.write_due_workbooks()


@shared_task
def sweep() -> None:
    """Wake workers while imports or workbooks are due that nobody holds."""
    for record_id in advancing.due_imports():
        wake(ADVANCE, record_id)
    for workbook_id in exporting.due_workbooks(limit=1):
        wake(exporting.WRITE, workbook_id)


@shared_task
def follow_checks() -> None:
    """Take in what hosts say of rows in review, and ask again about edited ones."""
    following.follow_due()


@shared_task
def purge() -> None:
    """Remove what retention no longer allows, and files that no row names."""
    purging.purge()
