"""
Events for the hosts that ask for them: what happened to which object, without any of its data.

A notice is a delivery without rows: signed, sent and retried like every other. docs/webhooks.md.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, get_args

from common import clock
from common.http.addresses import public
from common.ids import PREFIXES, new_id
from deliveries import bodies, payload
from deliveries.selectors import registrations_of
from deliveries.services.outbox import enqueue
from deliveries.services.registrations import NOTIFY
from licensing.models import Tenant
from mails import lines

Notice = Literal[
    "import.received",
    "import.waiting",
    "import.failed",
    "import.applied",
    "import.expired",
    "feed.failed",
    "delivery.exhausted",
    "link.opened",
    "link.used",
    "link.expired",
    "link.revoked",
    "license.expiring",
]
NOTICES: tuple[Notice, ...] = get_args(Notice)

# Where the subject of a kind is read by API and in the admin. No call reads another license.
API = {
    "import": "/api/import/v1/imports/{}",
    "feed": "/api/import/v1/feeds/{}",
    "delivery": "/api/import/v1/deliveries/{}",
    "link": "/api/import/v1/links/{}",
}
ADMIN = {
    "import": "/admin/imports/importrecord/?q={}",
    "feed": "/admin/feeds/feed/?q={}",
    "delivery": "/admin/deliveries/delivery/?q={}",
    "link": "/admin/links/link/?q={}",
    "license": "/admin/licensing/license/?q={}",
}


def addresses(kind: Notice, subject: str) -> dict[str, str]:
    """Return the addresses at which programs and people read the subject of a notice."""
    noun = kind.partition(".")[0]
    places = {"url": API.get(noun, ""), "adminUrl": ADMIN[noun]}
    return {name: public(place.format(subject)) for name, place in places.items() if place}


def announce(
    *,
    tenant: Tenant,
    kind: Notice,
    subject: str,
    at: datetime,
    record_id: str = "",
    catalog_key: str = "",
    about: Mapping[str, Any] | None = None,
) -> int:
    """
    Queue a notice for each registration that asks for its kind; return how many there are.

    People who chose to hear of it are mailed. Call it in the transaction of its cause. subject: the
    public id of the object. about: further members, none of which may be a cell's value. Those that
    name catalogs get only what is about them.
    """
    lines.note(
        tenant=tenant,
        event=kind,
        subject=subject,
        at=at,
        record_id=record_id,
        catalog_key=catalog_key,
        about=about or {},
    )
    asking = [
        registration
        for registration in registrations_of(tenant).exclude(events=[]).order_by("pk")
        if registration.asks_for(kind, catalog_key)
    ]
    more = {"recordId": record_id, "catalogKey": catalog_key, **(about or {})}
    for registration in asking:
        delivery_id = new_id(PREFIXES["delivery"])
        members = _members(tenant, kind, subject, at=at, delivery_id=delivery_id) | more
        given = {name: value for name, value in members.items() if value != ""}
        given |= {"test": True} if tenant.is_test else {}
        enqueue(
            tenant=tenant,
            registration=registration,
            delivery_id=delivery_id,
            record_id="",  # the rows of an import have deliveries of their own
            changeset_id="",
            action=NOTIFY,
            event=kind,
            body=bodies.of_notice(payload.dumps(given)),
            row_count=0,
            at=at,
        )
    return len(asking)


def _members(
    tenant: Tenant, kind: Notice, subject: str, *, at: datetime, delivery_id: str
) -> dict[str, Any]:
    """Return the members that every notice has."""
    return {
        "event": kind,
        "deliveryId": delivery_id,
        "tenantId": tenant.host_id,
        "subject": subject,
        "occurredAt": clock.iso(at),
        **addresses(kind, subject),
    }


def announce_failed_feed(
    *, tenant: Tenant, feed_id: str, catalog_key: str, code: str, at: datetime
) -> int:
    """
    Announce that a run of a feed failed, in the transaction that records it; return to how many.

    code: the stable code of its problem, as in ``import.failed``.
    """
    return announce(
        tenant=tenant,
        kind="feed.failed",
        subject=feed_id,
        at=at,
        catalog_key=catalog_key,
        about={"code": code},
    )
