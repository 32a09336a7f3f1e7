"""The bulk changes of imports: which ones run, and what they block."""

from collections.abc import Iterable

from common.errors import NotFound
from common.rows import the_only
from imports.bulk_changes.model import BulkChange
from imports.models import ImportRecord

State = BulkChange.State


class UnknownChange(NotFound):
    """There is no such bulk change of this import."""

    code = "unknown_change"


def change_of(record: ImportRecord, change_id: str) -> BulkChange:
    """Return a bulk change of an import. Raise UnknownChange if it has no such change."""
    change = the_only(record.bulk_changes.filter(public_id=change_id))
    if change is None:
        raise UnknownChange
    return change


def running_changes(records: Iterable[ImportRecord]) -> dict[int, BulkChange]:
    """Return the running bulk changes, by the key of their import."""
    keys = [record.pk for record in records if record.state == ImportRecord.State.REVIEW]
    running = BulkChange.objects.filter(record__in=keys, state=State.RUNNING)
    running = running.select_related("record")
    return {change.record_id: change for change in running} if keys else {}
