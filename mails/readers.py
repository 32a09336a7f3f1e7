"""Who hears of what by mail: people who chose it and may know it, and senders."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from licensing.models import Tenant
from licensing.rights.table import LIST_IMPORTS
from mails.models import Kind, Preference, Unsubscribed

KINDS: Mapping[str, Kind] = {  # of the notices that are mailed
    "import.waiting": Kind.WAITING,
    "import.failed": Kind.FAILED,
    "feed.failed": Kind.FAILED,
    "delivery.exhausted": Kind.FAILED,
    "import.applied": Kind.DONE,
}
OF_STAFF = ("staff", "approver")  # a sender or an agent's person is there and sees it


@dataclass(frozen=True, slots=True)
class Reader:
    """Where a mail goes, and in which language."""

    address: str
    language: str


def is_on() -> bool:
    """Return whether mails about imports are sent: they need a server and a whole address."""
    return bool(settings.MAIL and settings.PUBLIC_ORIGIN)


def people_for(tenant: Tenant, event: str, about: Mapping[str, Any]) -> list[Preference]:
    """Return the choices of those who hear of an event; none where a test key made it."""
    kind = KINDS.get(event)
    is_for_others = kind == Kind.WAITING and about.get("for") not in OF_STAFF
    if kind is None or is_for_others or tenant.is_test or not is_on():
        return []
    members = Preference.objects.filter(user__is_active=True, user__memberships__tenant=tenant)
    return [choice for choice in members.order_by("user_id") if kind in choice.kinds]


def reader_of(user: User, *, tenant: Tenant, kind: str) -> Reader | None:
    """Return where a person reads a mail; None if they no longer want it or may not know it."""
    choice = Preference.objects.filter(user=user).first()
    is_member = user.memberships.filter(tenant=tenant).exists()
    may_know = user.is_active and user.is_staff and is_member and user.has_perm(LIST_IMPORTS)
    if choice is None or kind not in choice.kinds or not may_know or not user.email:
        return None
    return Reader(user.email, choice.language)


def address_key(address: str) -> str:
    """Return the digest under which a sender's address is known, whatever its case."""
    return hashlib.sha256(address.strip().lower().encode()).hexdigest()


def wants_none(tenant: Tenant, key: str) -> bool:
    """Return whether a sender unsubscribed. key: the digest of the address."""
    return Unsubscribed.objects.filter(tenant=tenant, address_sha256=key).exists()
