"""Hold an import whose file arrived by itself: a person decides about it, and learns why."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from imports.events import announce_state
from imports.models import ImportRecord


def hold(record: ImportRecord, reasons: Sequence[dict[str, Any]], *, at: datetime) -> None:
    """
    Record why an import is not applied by itself, and announce that it waits for a person.

    reasons: each with a code and numbers, never with the value of a cell. Raise StaleState if the
    import was moved since it was read.
    """
    with transaction.atomic():
        record.write(held=list(reasons))
        announce_state(record, at=at)


def reconsider(record: ImportRecord) -> None:
    """
    Let the feed of an import judge it again, because its rows were corrected.

    Raise StaleState if the import was moved since it was read.
    """
    if record.held is not None and record.state == ImportRecord.State.REVIEW:
        record.write(held=None)
