"""
The job of each state in which a worker has work to do.

This package is above all that know a step, so it names them; nothing registers itself.
"""

import logging
from collections.abc import Callable, Mapping
from functools import partial

from django.db import Error as DatabaseError

from changesets.exported import refused_rows
from changesets.lookups import state as lookups
from changesets.reversal import write_reverts
from changesets.services import write_deliveries
from common import clock
from contracts.services.checks import carry_out_check
from imports.jobs.read import read
from imports.jobs.transform import transform
from imports.models import ImportRecord
from imports.progress import Reporter
from previews.draft_test import carry_out_test
from previews.impact import look_at_rows
from previews.inference import suggest_catalog

logger = logging.getLogger(__name__)

Job = Callable[[ImportRecord, Reporter], None]
State, Purpose = ImportRecord.State, ImportRecord.Purpose


def transform_and_look_up(record: ImportRecord, reporter: Reporter) -> None:
    """Make the rows, then have their host asked about their keys while people review them."""
    transform(record, reporter)
    try:
        lookups.begin(record, at=clock.now())
    except DatabaseError as error:  # the rows are there; the first call that compares them begins
        logger.warning("%s: no lookup was begun: %s", record.public_id, type(error).__name__)


JOBS: Mapping[str, Job] = {
    State.READING: partial(read, refused_rows=refused_rows),
    State.TRANSFORMING: transform_and_look_up,
    State.APPLYING: write_deliveries,
    State.REVERTING: write_reverts,
}
# What reading means for a file that does not become an import.
READING: Mapping[str, Job] = {
    Purpose.CHECK: carry_out_check,
    Purpose.INFER: suggest_catalog,
    Purpose.TEST: carry_out_test,
    Purpose.IMPACT: look_at_rows,
}


def job_of(record: ImportRecord) -> Job:
    """Return the job of an import's state. Raise KeyError if no worker has work to do."""
    if record.state == State.READING and record.purpose in READING:
        return READING[record.purpose]
    return JOBS[record.state]
