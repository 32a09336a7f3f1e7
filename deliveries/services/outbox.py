"""Queue deliveries, the first time and again. Spec: Events > Delivery and retry."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from common import clock, storage
from common.actors import Actor
from common.errors import Conflict
from common.ids import PREFIXES, new_id
from common.work.life import tell
from deliveries import bodies, payload, splitter, transitions
from deliveries.bodies import Body
from deliveries.models import Delivery, Registration
from deliveries.services.pace import refuse_tests_beyond
from deliveries.services.registrations import CHECK, DELETE, NOTIFY
from licensing.models import Tenant
from tabular.model.sentences import Sentence, counted


class ChangesetReverted(Conflict):
    """The rows of this delivery were reverted; they are resent only on request."""

    code = "changeset_reverted"


class DeletionNotResent(Conflict):
    """This deletion arrived, was reverted, or precedes a later import. It is not sent again."""

    code = "deletion_not_resent"


class ParentTooLarge(Conflict):
    """A parent and its children must fit one delivery. Allow more rows for each."""

    code = "parent_too_large"


def enqueue(
    *,
    tenant: Tenant,
    registration: Registration,
    delivery_id: str,
    record_id: str,
    changeset_id: str,
    action: str,
    body: Body,
    row_count: int,
    at: datetime,
    is_test: bool = False,
    part_of: Delivery | None = None,
    event: str = "",
) -> Delivery:
    """
    Create a delivery that is due at once; call it in the transaction of its event.

    The dispatcher is woken when that transaction commits.
    """
    delivery = Delivery.objects.create(
        public_id=delivery_id,
        state=Delivery.State.PENDING,
        tenant=tenant,
        registration=registration,
        record_id=record_id,
        changeset_id=changeset_id,
        action=action,
        event=event,
        is_test=is_test,
        part_of=part_of,
        is_reverted=part_of is not None and part_of.is_reverted,
        body_head=body.head,
        body_name=body.file,
        body_size=body.size,
        body_sha256=body.sha256,
        row_count=row_count,
        due_at=at,
        created_at=at,
    )
    tell("delivery", delivery_id, before="", after=delivery.state, about=delivery.log_members())
    transitions.wake_dispatcher()
    return delivery


def send_test(*, registration: Registration, at: datetime, size: int = 0) -> Delivery:
    """
    Send a delivery without rows, marked ``test: true``, of ``size`` bytes at least.

    Raise TooManyTests if the tenant sent its maximum within the minute.
    """
    tenant = registration.tenant
    refuse_tests_beyond(tenant, at=at)
    envelope = payload.Envelope(
        delivery_id=new_id(PREFIXES["delivery"]),
        tenant_id=tenant.host_id,
        record_id=new_id(PREFIXES["import"]),
        action="submit",
        row_count=0,
        mapping={},
        occurred_at=clock.iso(at),
        test=True,
    )
    body = bodies.store(payload.padded_body(envelope, size=size))
    with transaction.atomic():
        return enqueue(
            tenant=tenant,
            registration=registration,
            delivery_id=envelope.delivery_id,
            record_id=envelope.record_id,
            changeset_id="",
            action=envelope.action,
            body=body,
            row_count=0,
            at=at,
            is_test=True,
        )


def redeliver(
    *, delivery: Delivery, actor: Actor, at: datetime, send_reverted: bool = False
) -> Delivery:
    """
    Send a delivery again, with the same id and the same bytes; the schedule of waits restarts.

    A waiting delivery is sent now. Raise Conflict if it is being sent, if its registration or its
    bytes are gone, or if its rows were sent in parts. Raise ChangesetReverted if its rows were
    reverted, unless ``send_reverted``; DeletionNotResent if it would delete what came back since.
    """
    _refuse_unsendable(delivery)
    with transaction.atomic():
        _refuse_reverted(delivery, send_reverted=send_reverted)
        transitions.redeliver(delivery, actor=actor, at=at)
    return delivery


def resend_in_parts(
    *,
    delivery: Delivery,
    max_rows: int,
    actor: Actor,
    at: datetime,
    send_reverted: bool = False,
) -> list[Delivery]:
    """
    Send the rows of a rejected delivery as several smaller ones, each with an id of its own.

    Raise Conflict if it was not rejected, or if its parts are already queued; ChangesetReverted and
    DeletionNotResent as for ``redeliver``. It stays rejected; comparing its version prevents two
    people from resending it twice.
    """
    _refuse_unsendable(delivery)
    if delivery.action in {CHECK, NOTIFY}:
        raise Conflict("not_resent")
    if delivery.state != Delivery.State.REJECTED:
        raise Conflict("not_rejected")
    ids, cuts, stored = _stored_parts(delivery, max_rows)
    with transaction.atomic():
        _refuse_reverted(delivery, send_reverted=send_reverted)
        hint = Sentence("Resent in {PARTS}.", PARTS=counted(len(ids), "part"))
        transitions.keep_rejected(delivery, hint=hint, actor=actor, at=at)
        return [
            enqueue(
                tenant=delivery.tenant,
                registration=delivery.registration,
                delivery_id=delivery_id,
                record_id=delivery.record_id,
                changeset_id=delivery.changeset_id,
                action=delivery.action,
                body=body,
                row_count=cut.rows,
                at=at,
                part_of=delivery,
            )
            for delivery_id, body, cut in zip(ids, stored, cuts, strict=True)
        ]


def _stored_parts(
    delivery: Delivery, max_rows: int
) -> tuple[list[str], list[splitter.Cut], list[Body]]:
    """Write the bodies of the parts, each with an id of its own. Raise ParentTooLarge."""
    path, head = storage.local_path(delivery.body_name), delivery.body_head.encode()
    try:
        cuts = splitter.cuts_of(path, max_rows=max_rows, head=head)
    except splitter.LargeParent as error:
        raise ParentTooLarge(members={"rows": error.rows, "allowed": max_rows}) from error
    ids = [new_id(PREFIXES["delivery"]) for _ in cuts]
    parts = splitter.parts(path, delivery_ids=ids, cuts=cuts, head=head)
    return ids, cuts, [bodies.store(body) for body in parts]


def _refuse_unsendable(delivery: Delivery) -> None:
    if delivery.registration.deleted_at is not None:
        raise Conflict("registration_gone")
    if not (delivery.body_name or delivery.event):
        raise Conflict("body_purged")
    if delivery.parts.exists():
        raise Conflict("resent_in_parts")


def _refuse_reverted(delivery: Delivery, *, send_reverted: bool) -> None:
    """
    Raise ChangesetReverted or DeletionNotResent.

    The row stays locked, so that neither a revert nor a later apply begins meanwhile.
    """
    now = Delivery.objects.select_for_update().get(pk=delivery.pk)
    has_arrived = now.state == Delivery.State.DELIVERED
    if now.action == DELETE and (has_arrived or now.is_reverted or now.is_outdated):
        raise DeletionNotResent
    if now.is_reverted and not send_reverted:
        raise ChangesetReverted(members={"changesetId": delivery.changeset_id})


def mark_reverted(mine: "QuerySet[Delivery]", *, is_reverted: bool) -> None:
    """Mark deliveries whose rows are reverted, or stay applied; call it in a transaction."""
    keys = list(mine.select_for_update().order_by("pk").values_list("pk", flat=True))
    Delivery.objects.filter(pk__in=keys).update(is_reverted=is_reverted)


def mark_outdated(mine: "QuerySet[Delivery]") -> None:
    """Mark deletions that a later apply may contradict; call it in a transaction."""
    keys = list(mine.select_for_update().order_by("pk").values_list("pk", flat=True))
    Delivery.objects.filter(pk__in=keys).update(is_outdated=True)
