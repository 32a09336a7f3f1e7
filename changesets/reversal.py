"""Revert an apply: notify the hosts that want it, then restore what was known before."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from changesets import known_entities, transitions
from changesets.approval.limits import most_alone
from changesets.approval.persons import refuse_same
from changesets.bodies import APPLYING
from changesets.models import Changeset, RevertPart
from changesets.plans.under_way import applies_of_entities
from common import clock, storage
from common.actors import Actor
from common.errors import Conflict
from common.ids import new_id
from deliveries import bodies, splitter
from deliveries import selectors as delivery_selectors
from deliveries import services as deliveries
from deliveries.bodies import Body
from deliveries.models import Delivery
from deliveries.services.registrations import DELETE
from imports.models import ImportRecord
from imports.progress import Reporter
from imports.selectors import days_kept

REVERT = "revert"
State = Changeset.State
TOLD_BEFORE = "told_before"
# For a host with several deliveries, the first of these applies; empty: it is notified.
SAID_FIRST = (
    "still_delivering",
    "",
    TOLD_BEFORE,
    "not_told",
    "registration_gone",
    "body_purged",
    "not_delivered",
)


@dataclass(frozen=True, slots=True)
class Receiver:
    """A host that a changeset was sent to, and what a revert would do there."""

    registration_id: str
    label: str
    reason: str  # why it is not notified; empty if it is
    row_count: int  # rows that it accepted
    until: datetime | None  # it can be notified until then; None if it is not notified

    @property
    def is_informed(self) -> bool:
        """Return whether it would receive the rows again, to revert them."""
        return not self.reason


class NotRevertable(Conflict):
    """Only an applied changeset can be reverted."""

    code = "not_revertable"


class StillDelivering(Conflict):
    """Some deliveries have not finished. Wait, or delete their registration first."""

    code = "still_delivering"


class BuiltOn(Conflict):
    """Later changes build on this changeset. Revert those first, or use `force`."""

    code = "built_on"


def revert(
    *,
    changeset: Changeset,
    force: bool,
    actor: Actor,
    is_page: bool,
    overlay: Mapping[str, Any] | None = None,
    at: datetime,
) -> Changeset:
    """
    Start to revert a changeset; a staged one is discarded by its own call.

    More rows than one person may revert wait until another person calls this, too. is_page: whether
    the actor calls from a page. overlay: of its session. Raise NotRevertable, StillDelivering,
    BuiltOn or SecondPersonNeeded before anything changes.
    """
    if changeset.state != State.APPLIED:
        raise NotRevertable("not_revertable.state", state=changeset.state)
    with transaction.atomic():
        locked = Changeset.objects.select_for_update().only("pk", "revert_requested_by")
        changeset.revert_requested_by = locked.get(pk=changeset.pk).revert_requested_by
        is_requested = changeset.revert_requested_by is not None
        if is_requested:  # also by a session that asks for a second person, and this one does not
            refuse_same(changeset, actor, is_page=is_page)
        # Lock the deliveries first: a host must not receive again what it should drop.
        deliveries.mark_reverted(_deliveries(changeset), is_reverted=True)
        if _deliveries(changeset).filter(state__in=Delivery.UNSETTLED).exists():
            raise StillDelivering
        _refuse_named_again(changeset)
        if not force:
            _refuse_built_on(changeset)
        if not is_requested and _needs_second_person(changeset, overlay):
            deliveries.mark_reverted(_deliveries(changeset), is_reverted=False)
            transitions.request_revert(changeset, actor=actor, at=at)
            transitions.note(changeset, "import.reverted", actor=actor, at=at)
            return changeset
        informed = _informed(changeset)
        parts, notes = _receivers_to_notify(changeset, informed)
        changeset.revert_parts.exclude(reverts__in=informed).delete()
        RevertPart.objects.bulk_create(parts)
        transitions.begin_reverting(
            changeset,
            notes=notes,
            is_forced=force,
            actor=actor,
            at=at,
        )
        transitions.note(changeset, "import.reverted", actor=actor, at=at)
    return changeset


def _needs_second_person(changeset: Changeset, overlay: Mapping[str, Any] | None) -> bool:
    record = changeset.record
    alone = most_alone(record.catalog_version, "revert", record.overlay, overlay)
    return alone is not None and changeset.touched > alone


def _refuse_built_on(changeset: Changeset) -> None:
    later, refs = known_entities.built_on(changeset)
    if later or refs:
        raise BuiltOn(members={"changesets": later, "refs": refs[:100]})


def _refuse_named_again(changeset: Changeset) -> None:
    """Raise if an apply under way may create again what a full sync deleted."""
    if changeset.is_full and (
        others := applies_of_entities(changeset.record, list(changeset.deletes or ()))
    ):
        raise StillDelivering(members={"changesets": others})


def _deliveries(changeset: Changeset, *actions: str) -> Any:
    mine = delivery_selectors.deliveries_of(changeset.tenant, changeset.record.public_id)
    return mine.filter(changeset_id=changeset.public_id, action__in=actions or APPLYING)


def receivers_of(changeset: Changeset) -> list[Receiver]:
    """Return what a revert would do now at each host that a changeset was sent to."""
    if changeset.state != State.APPLIED:
        return []
    informed, days = _informed(changeset), days_kept(changeset.record)
    by_registration: dict[str, list[Delivery]] = {}
    secrets = ("registration__secret", "registration__previous_secret")
    for sent in _deliveries(changeset).filter(parts__isnull=True).defer(*secrets, "host_results"):
        by_registration.setdefault(sent.registration.public_id, []).append(sent)
    return [
        Receiver(
            registration_id=registration_id,
            label=sent[0].registration.label,
            reason=min((_why_not(item, informed) for item in sent), key=SAID_FIRST.index),
            row_count=sum(
                item.row_count for item in sent if item.state == Delivery.State.DELIVERED
            ),
            until=_until([item for item in sent if not _why_not(item, informed)], days),
        )
        for registration_id, sent in by_registration.items()
    ]


def _until(informed: list[Delivery], days: int) -> datetime | None:
    """Return the time until which everything that was sent is kept and can be sent again."""
    finished_at = [delivery.settled_at for delivery in informed if delivery.settled_at is not None]
    return min(finished_at) + timedelta(days=days) if finished_at else None


def _informed(changeset: Changeset) -> set[str]:
    """Return the deliveries that an earlier try reverted."""
    return {part.reverts for part in changeset.revert_parts.all() if _is_told(changeset, part)}


def _is_told(changeset: Changeset, part: RevertPart) -> bool:
    done = _deliveries(changeset, REVERT).filter(state=Delivery.State.DELIVERED)
    return bool(done.filter(public_id=part.delivery_id).exists())


def _receivers_to_notify(
    changeset: Changeset, informed: set[str]
) -> tuple[list[RevertPart], list[dict[str, Any]]]:
    """Fix the deliveries of a revert, and record which hosts are not notified, and why."""
    parts, notes = [], []
    for sent in _deliveries(changeset).filter(state=Delivery.State.DELIVERED):
        why_not = _why_not(sent, informed)
        if not why_not:
            part = RevertPart(
                changeset=changeset, delivery_id=new_id("dlv_"), reverts=sent.public_id
            )
            parts.append(part)
        elif why_not != TOLD_BEFORE:
            about = {"registrationId": sent.registration.public_id, "deliveryId": sent.public_id}
            notes.append({**about, "code": why_not})
    return parts, notes


def _why_not(sent: Delivery, informed: set[str]) -> str:
    """Return why a host is not notified that a delivery is reverted; empty if it is notified."""
    if sent.state in Delivery.UNSETTLED:
        return "still_delivering"
    if sent.state != Delivery.State.DELIVERED:
        return "not_delivered"
    if sent.public_id in informed:
        return TOLD_BEFORE
    if sent.registration.deleted_at is not None:
        return "registration_gone"
    if REVERT not in sent.registration.actions:
        return "not_told"
    return "" if sent.body_name else "body_purged"


def write_reverts(record: ImportRecord, reporter: Reporter) -> None:
    """
    Write the revert deliveries: the job of the state ``reverting``.

    Each body contains exactly the delivered rows. If no host is to be notified, the revert ends
    here.
    """
    changeset = record.changesets.get(state=State.REVERTING)
    written = set(_deliveries(changeset, REVERT).values_list("public_id", flat=True))
    parts = changeset.revert_parts.exclude(delivery_id__in=written)
    left = known_entities.staying_deleted(changeset) if changeset.is_full else {}
    made = [(part, *_body(changeset, part, left)) for part in parts]
    at = clock.now()
    with transaction.atomic():
        for part, sent, body in made:
            deliveries.enqueue(
                tenant=changeset.tenant,
                registration=sent.registration,
                delivery_id=part.delivery_id,
                record_id=record.public_id,
                changeset_id=changeset.public_id,
                action=REVERT,
                body=body,
                row_count=sent.row_count,
                at=at,
            )
        record.update_as_claimed(due_at=None, claimed_until=None)
    record.due_at = None
    if not _deliveries(changeset, REVERT).exclude(state=Delivery.State.DELIVERED).exists():
        finish(changeset=changeset, at=at)


def _body(
    changeset: Changeset, part: RevertPart, left: Mapping[str, Collection[str]]
) -> tuple[Delivery, Body]:
    """Write the body of a revert. left: the deleted entities that stay deleted, by entity."""
    sent = _deliveries(changeset).get(public_id=part.reverts)
    results = Delivery.objects.values_list("host_results", flat=True).get(pk=sent.pk)
    pieces = splitter.with_members(
        storage.local_path(sent.body_name),
        head=sent.body_head.encode(),
        before={"deliveryId": part.delivery_id, "action": REVERT},
        after={
            "occurredAt": clock.iso(clock.now()),
            "reverts": {"changesetId": changeset.public_id, "deliveryId": sent.public_id},
            **({"results": results} if results else {}),
        },
        left_out=left if sent.action == DELETE else {},
    )
    return sent, bodies.store(pieces)


def follow_revert(*, changeset: Changeset, at: datetime) -> None:
    """Finish a revert once every notified host answered; a host that refuses keeps its data."""
    informed = list(_deliveries(changeset, REVERT))
    mine = set(changeset.revert_parts.values_list("delivery_id", flat=True))
    informed = [delivery for delivery in informed if delivery.public_id in mine]
    if len(informed) < len(mine) or any(
        delivery.state in Delivery.UNSETTLED for delivery in informed
    ):
        return
    if all(delivery.state == Delivery.State.DELIVERED for delivery in informed):
        finish(changeset=changeset, at=at)
        return
    with transaction.atomic():
        deliveries.mark_reverted(_deliveries(changeset), is_reverted=False)
        transitions.keep_applied(changeset, conflicts=list(_conflicts(informed)), at=at)


def _conflicts(informed: list[Delivery]) -> Iterator[dict[str, Any]]:
    for delivery in informed:
        if delivery.state != Delivery.State.DELIVERED:
            last = delivery.history.order_by("-number").first()
            yield {
                "registrationId": delivery.registration.public_id,
                "deliveryId": delivery.public_id,
                "code": "host_refused"
                if delivery.state == Delivery.State.REJECTED
                else delivery.state,
                "httpStatus": None if last is None else last.http_status,
                "answer": "" if last is None else last.response_head,
            }


def finish(*, changeset: Changeset, at: datetime) -> None:
    """Restore what was known before, then mark the changeset as reverted."""
    left = known_entities.restore(changeset=changeset, at=at)
    notes = [{"code": "changed_since", "ref": ref} for ref in left]
    transitions.revert(changeset, notes=notes, at=at)
