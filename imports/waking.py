"""Wake a worker for an import."""

from common.work.wakeups import wake_on_commit
from imports.models import ImportRecord

ADVANCE = "workflow.tasks.advance"  # by name, because the task is in a higher layer


def wake_up(record: ImportRecord) -> None:
    """Wake a worker for this import once the transaction is committed."""
    wake_on_commit(ADVANCE, record.public_id)
