"""Wake-ups of imports: the database knows what is due, a task only announces that work is."""

from celery import shared_task

from changesets.lookups import worker as lookups
from changesets.lookups.transitions import LOOK_UP
from common import clock
from common.work.wakeups import wake
from feeds import runs
from feeds.applying import judging, summaries
from feeds.tasks import JUDGE, RUN
from imports.bulk_changes import request
from imports.bulk_changes import worker as changes
from imports.exports import workbooks
from imports.host_checks import answers
from imports.transitions import ADVANCE
from mails import sending
from workflow import digests, rehearsals, retention, worker

SEND_MAILS = "workflow.tasks.send_mails"


@shared_task
def advance(record_id: str) -> None:
    """Run due jobs, including this import's, in fair order; safe to run twice or late."""
    worker.advance_fairly(record_id)


@shared_task
def write_workbook(workbook_id: str) -> None:
    """Write the large workbooks that are due, including this one."""
    workbooks.write_due_workbooks()


@shared_task
def make_change(change_id: str) -> None:
    """Make the bulk changes that are due, including this one."""
    changes.make_due_changes()


@shared_task
def rehearse(rehearsal_id: str) -> None:
    """Play the rehearsals that are due, including this one."""
    rehearsals.play_due()


@shared_task
def look_up(lookup_id: str) -> None:
    """Fetch what hosts have for the keys of imports, including this one's."""
    lookups.look_up_due()


@shared_task
def send_mails() -> None:
    """Make the daily summaries that are due, and send what is due by mail."""
    digests.queue_due()
    summaries.queue_due(at=clock.now())
    sending.send_due()


@shared_task
def sweep() -> None:
    """Wake workers while work on imports, or another kind of work, is due and unclaimed."""
    for record_id in worker.due_imports():
        wake(ADVANCE, record_id)
    for workbook_id in workbooks.due_workbooks(limit=1):
        wake(workbooks.WRITE, workbook_id)
    for change_id in changes.due_changes(limit=1):
        wake(request.MAKE, change_id)
    for rehearsal_id in rehearsals.due_rehearsals(limit=1):
        wake(rehearsals.PLAY, rehearsal_id)
    for lookup_id in lookups.due_lookups(limit=lookups.AT_ONCE):
        wake(LOOK_UP, lookup_id)
    if sending.is_work_due(at=clock.now()) or summaries.is_due(at=clock.now()):
        wake(SEND_MAILS)
    if runs.is_due():
        wake(RUN)
    if judging.is_work_due():
        wake(JUDGE)


@shared_task
def follow_checks() -> None:
    """Store what hosts report of rows in review, and ask again about edited ones."""
    answers.follow_due()


@shared_task
def purge() -> None:
    """Delete what retention no longer allows, including unfinished applies, and unnamed files."""
    retention.purge()
