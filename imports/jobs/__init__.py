"""
The jobs that workers run, one module per working state.

``JOBS`` lists the states that have work. A higher app adds the job of a state that it decides
(changesets: ``applying``), or of a purpose (contracts: ``check``), when it is ready, so that
imports never looks up.
"""

from collections.abc import Callable

from imports.jobs.reading import read
from imports.jobs.transforming import transform
from imports.models import ImportRecord
from imports.progress import Reporter

Job = Callable[[ImportRecord, Reporter], None]

JOBS_OF_PURPOSE: dict[tuple[str, str], Job] = {}  # by purpose and state; they precede JOBS
JOBS: dict[str, Job] = {
    ImportRecord.State.READING: read,
    ImportRecord.State.TRANSFORMING: transform,
}
