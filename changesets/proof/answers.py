"""What receivers answered about the rows of a changeset, read a delivery at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from changesets.bodies import SUBMIT
from changesets.comparison.outcome import prepared_of
from changesets.models import Changeset, Reconciled
from changesets.proof.reconciliation import Known, Outcome, Tally, judge, rows_with, tally
from changesets.selectors import RowsPurged
from deliveries.answer import is_refused
from deliveries.models import Delivery

if TYPE_CHECKING:
    from django.db.models import QuerySet

COMPARED = ("new", "changed", "unchanged", "unclear")
UNREAD = ("host_results", "registration__secret", "registration__previous_secret")


@dataclass(frozen=True, slots=True)
class ProvenRow:
    """One row at one receiver; ``row`` counts the delivered rows from 0."""

    row: int
    webhook_id: str
    delivery_id: str
    known: str | None
    outcome: Outcome
    answer: str | None
    is_refused: bool


@dataclass(frozen=True, slots=True)
class ReceiverProof:
    """What one receiver made of the rows. deliveries: how many are in each state."""

    webhook_id: str
    label: str
    deliveries: dict[str, int]
    tally: Tally


@dataclass(frozen=True, slots=True)
class _Place:
    """One delivery of a changeset and the position of its first row."""

    delivery: Delivery
    first: int
    tally: Tally

    def answers(self) -> dict[int, str]:
        """Return the receiver's status for each row that it named."""
        if not self.tally.agreed and not self.tally.differs:
            return {}
        results = Delivery.objects.values_list("host_results", flat=True).get(pk=self.delivery.pk)
        return {result["row"]: result["status"] for result in results or ()}


def receivers_of(changeset: Changeset) -> list[ReceiverProof]:
    """Return what each receiver made of the rows, in the order of their first deliveries."""
    by_webhook: dict[str, list[_Place]] = {}
    for place in _places(changeset):
        by_webhook.setdefault(place.delivery.registration.public_id, []).append(place)
    return [
        ReceiverProof(
            webhook_id=webhook_id,
            label=mine[0].delivery.registration.label,
            deliveries=dict(Counter(place.delivery.state for place in mine)),
            tally=sum((place.tally for place in mine), Tally()),
        )
        for webhook_id, mine in by_webhook.items()
    ]


def page(
    changeset: Changeset,
    *,
    outcome: Outcome | None = None,
    webhook_id: str = "",
    offset: int,
    limit: int,
) -> tuple[list[ProvenRow], int | None]:
    """
    Return some rows with their outcomes, and the offset of the next page, None on the last.

    offset: counts the rows of all receivers, one after the other, whatever the filters are. Raise
    RowsPurged if what receivers answered is gone.
    """
    if changeset.record.purged_at is not None:
        raise RowsPurged
    places = [
        place
        for place in _places(changeset)
        if webhook_id in {"", place.delivery.registration.public_id}
    ]
    shown = list(islice(_rows(changeset, places, outcome, offset), limit + 1))
    after = shown[limit][0] if len(shown) > limit else None
    return [row for _, row in shown[:limit]], after


def _rows(
    changeset: Changeset, places: list[_Place], outcome: Outcome | None, offset: int
) -> Iterator[tuple[int, ProvenRow]]:
    """Yield each row with its offset; a delivery without such rows is not read."""
    begins = 0
    for place in places:
        count = place.tally.rows
        rows = range(max(0, offset - begins), count)
        if rows and (outcome is None or place.tally.of(outcome)):
            answers = place.answers()
            known = _known(changeset, place.first)
            for row in rows_with(outcome, answers, known, rows):
                yield begins + row, _proven(place, row, answers.get(row), known(row))
        begins += count


def _proven(place: _Place, row: int, answer: str | None, known: str | None) -> ProvenRow:
    return ProvenRow(
        row=place.first + row,
        webhook_id=place.delivery.registration.public_id,
        delivery_id=place.delivery.public_id,
        known=known,
        outcome=judge(answer, known),
        answer=answer,
        is_refused=answer is not None and is_refused(answer),
    )


def _known(changeset: Changeset, first: int) -> Known:
    """Return what the rows of a delivery were, by their number there; None without a comparison."""
    prepared = prepared_of(changeset.prepared)
    if prepared is None or not any(status in changeset.counts for status in COMPARED):
        return lambda row: None
    statuses = prepared.table("rows")["status"]
    return lambda row: str(statuses[first + row].as_py())


def _places(changeset: Changeset) -> Iterator[_Place]:
    """Yield the deliveries that hold the rows, each with its outcomes, which are counted once."""
    parts = Delivery.objects.filter(part_of=OuterRef("pk"))
    sent = sent_by(changeset).annotate(is_split=Exists(parts)).defer(*UNREAD)
    mine = Reconciled.objects.filter(changeset=changeset)
    counted = {item.delivery_id: item for item in mine}
    for delivery, first in placed(changeset, sent):
        if not delivery.is_split:  # type: ignore[attr-defined]  # annotated
            before = counted.get(delivery.public_id)
            yield _Place(delivery, first, _tally(changeset, delivery, first, before))


def _tally(
    changeset: Changeset, delivery: Delivery, first: int, before: Reconciled | None
) -> Tally:
    if before is not None and before.attempts == delivery.attempts:
        return before.tally
    if not delivery.attempts:
        return Tally(rows=delivery.row_count)
    results = Delivery.objects.values_list("host_results", flat=True).get(pk=delivery.pk)
    if results is None and not delivery.body_name:  # purged since
        return Tally(rows=delivery.row_count) if before is None else before.tally
    answers = {result["row"]: result["status"] for result in results or ()}
    counted = tally(answers, _known(changeset, first), delivery.row_count)
    Reconciled.keep(changeset, delivery.public_id, delivery.attempts, counted)
    return counted


def refusals(changeset: Changeset) -> Iterator[tuple[int, Delivery, dict[str, Any]]]:
    """Yield each result by which a receiver did not accept a row, with the position of the row."""
    sent = sent_by(changeset).defer(*UNREAD[1:])
    for delivery, first in placed(changeset, sent):
        if delivery.state == Delivery.State.DELIVERED:
            for result in delivery.host_results or ():
                if is_refused(result["status"]):
                    yield first + result["row"], delivery, result


def sent_by(changeset: Changeset) -> QuerySet[Delivery]:
    """Return the deliveries of a changeset's rows, each before its parts."""
    sent = Delivery.objects.filter(
        tenant=changeset.tenant,
        record_id=changeset.record.public_id,
        changeset_id=changeset.public_id,
        action=SUBMIT,
    )
    return sent.select_related("registration").order_by("pk")


def placed(changeset: Changeset, sent: QuerySet[Delivery]) -> Iterator[tuple[Delivery, int]]:
    """Yield each delivery with the position of its first row among the delivered rows."""
    starts = dict(changeset.parts.values_list("delivery_id", "first"))
    next_of: dict[int, int] = {}  # parts were made in row order
    for delivery in sent.iterator():
        if delivery.part_of_id is None:
            first = starts[delivery.public_id]
        else:
            first = next_of[delivery.part_of_id]
            next_of[delivery.part_of_id] += delivery.row_count
        next_of[delivery.pk] = first
        yield delivery, first
