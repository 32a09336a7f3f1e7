"""Wake-ups of imports: the database knows what is due, a task only announces that work is."""

from celery import shared_task

from common.wakeups import wake
from imports import advancing
from imports.host_checks import following
from imports.services import bulk, bulk_worker, exporting
from imports.waking import ADVANCE


@shared_task
def advance(record_id: str) -> None:
    """Run due jobs, including this import's, in fair order; safe to run twice or late."""
    advancing.advance_fairly(record_id)


@shared_task
def write_workbook(workbook_id: str) -> None:
    """Write the large workbooks that are due, including this one."""
    exporting.write_due_workbooks()


@shared_task
def make_change(change_id: str) -> None:
    """Make the bulk changes that are due, including this one."""
    bulk_worker.make_due_changes()


@shared_task
def sweep() -> None:
    """Wake workers while imports, workbooks or bulk changes are due and unclaimed."""
    for record_id in advancing.due_imports():
        wake(ADVANCE, record_id)
    for workbook_id in exporting.due_workbooks(limit=1):
        wake(exporting.WRITE, workbook_id)
    for change_id in bulk_worker.due_changes(limit=1):
        wake(bulk.MAKE, change_id)


@shared_task
def follow_checks() -> None:
    """Store what hosts report of rows in review, and ask again about edited ones."""
    following.follow_due()
