"""Register an apply endpoint, rotate its secret, delete it. Spec: Resources > Webhook."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from urllib3.exceptions import LocationParseError

from common import events
from common.actors import ENGINE, Actor
from common.errors import Conflict, InvalidRequest
from common.ids import PREFIXES, new_id
from common.wording.messages import Message
from deliveries import bodies, transitions
from deliveries.http import guard, signing
from deliveries.http.targets import read_target, vet_plain
from deliveries.models import Delivery, Registration
from deliveries.services.pace import refuse_registrations_beyond
from licensing.models import Tenant

CHECK = "check"
NOTIFY = "notify"  # the action of deliveries that are notices
LOOKUP = "lookup"  # asks for known entities by key; nothing is delivered
DELETE = "delete"  # entities that a full sync removes
DELIVERED = ("submit", "revert", DELETE, CHECK)
ACTIONS = (*DELIVERED, LOOKUP)
CHANGES = "changes"
INCLUDED = (CHANGES,)  # what a registration may ask for besides
MAX_OVERLAP_HOURS = 72
SLICE = 500
DELETED = "Its registration was deleted."


class AlreadyRegistered(Conflict):
    """This URL is already registered. To change its secret, rotate it."""

    code = "already_registered"


class LookupRegistered(Conflict):
    """Another webhook answers lookups for this catalog. Delete it first."""

    code = "lookup_registered"


class TooManyRegistrations(Conflict):
    """No more webhooks can be registered. Delete one you no longer need."""

    code = "too_many_registrations"


@dataclass(frozen=True, slots=True)
class Secret:
    """A registration and its plain secret: the only time it is shown."""

    registration: Registration
    secret: str


def register(
    *,
    tenant: Tenant,
    url: str,
    at: datetime,
    actions: Sequence[str] = ("submit",),
    include: Sequence[str] = (),
    catalog_keys: Sequence[str] | None = None,
    max_rows_per_delivery: int | None = None,
    nested: bool = False,
    label: str = "",
    events_wanted: Sequence[str] = (),
    actor: Actor = ENGINE,
) -> Secret:
    """
    Register a URL, for imports into some catalogs or into any (None).

    nested: its deliveries hold parents with lists of children. label: the receiver's name that
    people see, including those in pages. events_wanted: the kinds of notices that it gets.

    Raise InvalidRequest for a URL that the engine would never call, and for a lookup with anything
    else; AlreadyRegistered, LookupRegistered, TooManyRegistrations, or RegisteredTooOften.
    """
    _refuse_mixed(actions, events_wanted, include, max_rows_per_delivery, nested)
    url_key = _key_of(url)
    secret = signing.new_secret()
    with transaction.atomic():
        # One registration of a tenant at a time, or two would count the same rows.
        Tenant.objects.select_for_update(no_key=True).get(pk=tenant.pk)
        mine = Registration.objects.filter(tenant=tenant, deleted_at=None)
        _refuse_beyond(mine, url_key)
        _refuse_second_lookup(mine, actions, catalog_keys)
        refuse_registrations_beyond(tenant, at=at)
        registration = Registration.objects.create(
            public_id=new_id(PREFIXES["registration"]),
            tenant=tenant,
            label=label,
            url=url,
            url_key=url_key,
            actions=list(dict.fromkeys(actions)),
            events=list(dict.fromkeys(events_wanted)),
            include=list(dict.fromkeys(include)),
            catalog_keys=None if catalog_keys is None else list(dict.fromkeys(catalog_keys)),
            secret=secret,
            max_rows_per_delivery=max_rows_per_delivery,
            nested=nested,
            created_at=at,
        )
        _note("webhook.registered", registration, actor, at, catalogKeys=registration.catalog_keys)
    return Secret(registration, secret)


def _refuse_mixed(
    actions: Sequence[str],
    notices: Sequence[str],
    include: Sequence[str],
    max_rows: int | None,
    nested: bool,
) -> None:
    """Refuse a lookup with anything else: its endpoint answers with entities, not with results."""
    mixed = {
        "/actions": len(set(actions)) > 1,
        "/events": bool(notices),
        "/include": bool(include),
        "/maxRowsPerDelivery": max_rows is not None,
        "/nested": nested,
    }
    if LOOKUP not in actions:
        return
    if pointers := [pointer for pointer, is_mixed in mixed.items() if is_mixed]:
        alone = Message("invalid_request.lookup")
        errors = [{"pointer": pointer, "detail": alone} for pointer in pointers]
        raise InvalidRequest("invalid_request.lookup", errors=errors)


def _refuse_second_lookup(
    mine: QuerySet[Registration], actions: Sequence[str], catalog_keys: Sequence[str] | None
) -> None:
    """Refuse a lookup of a catalog that another registration answers: they could disagree."""
    if LOOKUP not in actions:
        return
    for other in mine.defer("secret", "previous_secret"):
        theirs = other.catalog_keys
        overlaps = theirs is None or catalog_keys is None or set(theirs) & set(catalog_keys)
        if LOOKUP in other.actions and overlaps:
            raise LookupRegistered(members={"webhookId": other.public_id})


def _key_of(url: str) -> str:
    """Return the digest of a URL's request: the same for each of its spellings."""
    try:
        guard.vet_url(url, networks=settings.WEBHOOK_ALLOW_NETWORKS, ports=settings.WEBHOOK_PORTS)
        target = read_target(url)
        vet_plain(target.origin, networks=settings.WEBHOOK_ALLOW_NETWORKS)
    except (guard.Refused, LocationParseError) as error:
        unreadable = Message("url_refused.unreadable")
        why = error.message if isinstance(error, guard.Refused) else unreadable
        is_outside = isinstance(error, guard.OutsideNetworks)
        raise InvalidRequest(
            "url_refused.outside" if is_outside else "url_refused.why",
            why=why,
            errors=[{"pointer": "/url", "detail": why}],
        ) from error
    return target.key


def _refuse_beyond(mine: QuerySet[Registration], url_key: str) -> None:
    if (other := mine.filter(url_key=url_key).first()) is not None:
        raise AlreadyRegistered(
            "already_registered.as",
            id=other.public_id,
            members={"webhookId": other.public_id},
        )
    if mine.count() >= settings.MAX_REGISTRATIONS:
        raise TooManyRegistrations("too_many_registrations.of", most=settings.MAX_REGISTRATIONS)


def rotate(
    *, registration: Registration, at: datetime, overlap_hours: int = 0, actor: Actor = ENGINE
) -> Secret:
    """Return a new secret that signs at once; during the overlap, the former one signs too."""
    secret = signing.new_secret()
    overlap = timedelta(hours=min(overlap_hours, MAX_OVERLAP_HOURS))
    with transaction.atomic():
        # The former secret is read only if it continues to sign, because its key may be lost.
        rows = Registration.objects.select_for_update().defer("secret", "previous_secret")
        locked = rows.get(pk=registration.pk)
        Registration.objects.filter(pk=locked.pk).update(
            secret=secret,
            previous_secret=locked.secret if overlap else None,
            previous_until=at + overlap if overlap else None,
        )
        _note("webhook.rotated", locked, actor, at, overlapHours=overlap_hours)
    locked.refresh_from_db()
    return Secret(locked, secret)


def delete_registration(*, registration: Registration, at: datetime, actor: Actor = ENGINE) -> None:
    """Delete a registration; its waiting deliveries are cancelled, the audit log remains."""
    with transaction.atomic():
        live = Registration.objects.filter(pk=registration.pk, deleted_at=None)
        if live.update(deleted_at=at, previous_secret=None, previous_until=None):
            _note("webhook.deleted", registration, actor, at)
        while _cancel_some(registration, actor, at):
            pass
    cancelled = Delivery.objects.filter(registration=registration, state=Delivery.State.CANCELLED)
    while bodies.forget_some(cancelled):  # they will not be sent
        pass


def _note(
    kind: events.Kind, registration: Registration, actor: Actor, at: datetime, **about: Any
) -> None:
    details = {"url": registration.url.partition("?")[0], **about}  # a query may contain a secret
    tenant = registration.tenant.public_id
    subject = registration.public_id
    events.note(tenant=tenant, kind=kind, subject=subject, actor=actor, at=at, about=details)


def _cancel_some(registration: Registration, actor: Actor, at: datetime) -> int:
    waiting = list(
        Delivery.objects.filter(registration=registration, state__in=Delivery.UNSETTLED)
        .select_for_update()
        .only("pk", "public_id", "state", "version", "record_id")
        .order_by("pk")[:SLICE]
    )
    transitions.cancel(waiting, actor=actor, at=at, reason=DELETED)
    return len(waiting)
