"""The rows that receivers took and refused one by one, as an export takes them along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from changesets.models import Changeset
from changesets.results import changeset_of
from changesets.writing import SUBMIT, delivered
from deliveries.answering import is_refused
from deliveries.models import Delivery
from imports.models import ImportRecord
from imports.services.writing import Chosen

if TYPE_CHECKING:
    from staging.columns import StagedTable


def refused_rows(record: ImportRecord, table: StagedTable) -> Chosen:
    """
    Choose the rows of an applied import that a receiver refused, with its messages.

    table: unused, the changeset has its own. NotApplied before the apply.
    """
    import numpy as np

    changeset = changeset_of(record)
    numbers = delivered(changeset).numbers
    said: dict[int, list[str]] = {}
    for delivery, first in _placed(changeset):
        for result in delivery.host_results or ():
            if is_refused(result["status"]):
                row = int(numbers[first + result["row"]])
                said.setdefault(row, []).append(_sentence(delivery, result))
    return Chosen(
        np.array(sorted(said), numbers.dtype),
        {row: "; ".join(dict.fromkeys(sentences)) for row, sentences in said.items()},
    )


def _placed(changeset: Changeset) -> Iterator[tuple[Delivery, int]]:
    """Give what was delivered, each with the place of its first row among the delivered rows."""
    sent = Delivery.objects.filter(
        tenant=changeset.tenant,
        record_id=changeset.record.public_id,
        changeset_id=changeset.public_id,
        action=SUBMIT,
    ).select_related("registration")
    secrets = ("registration__secret", "registration__previous_secret")
    starts = {part["deliveryId"]: part["first"] for part in changeset.parts}
    next_of: dict[int, int] = {}  # parts were made in the order of their rows
    for delivery in sent.defer(*secrets).order_by("pk").iterator():
        if delivery.part_of_id is None:
            first = starts[delivery.public_id]
        else:
            first = next_of[delivery.part_of_id]
            next_of[delivery.part_of_id] += delivery.row_count
        next_of[delivery.pk] = first
        if delivery.state == Delivery.State.DELIVERED:
            yield delivery, first


def _sentence(delivery: Delivery, result: dict[str, Any]) -> str:
    said = result.get("message") or result["status"]
    label = delivery.registration.label
    return f"{label}: {said}" if label else str(said)
