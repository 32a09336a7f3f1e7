"""Claim what to send next: fairness chooses, the database claims."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q

from common.actors import ENGINE
from common.secrets import SecretUnreadable
from common.work.claims import due
from common.work.life import tell
from deliveries import transitions
from deliveries.fairness import LARGE_BYTES, Candidate, Slots
from deliveries.models import Delivery, Registration
from deliveries.services.registrations import DELETED

PAGE = 256

Row = tuple[int, int, int, str, int, int]  # key, tenant, registration, url, bytes, failures


def claim_due(*, slots: Slots, at: datetime) -> list[tuple[Delivery, Candidate]]:
    """
    Claim the deliveries that may start now, and move them to ``sending``.

    Each takes one of ``slots``; settling the delivery releases it.
    """
    if not (chosen := {candidate.key: candidate for candidate in _choose(slots, at)}):
        return []
    ours: list[Delivery] = []
    try:
        ours = _claim(list(chosen), at)
    finally:
        for key in chosen.keys() - {delivery.pk for delivery in ours}:
            slots.leave(key)  # another dispatcher was faster, or the database failed
    return [(delivery, chosen[delivery.pk]) for delivery in ours]


def _claim(chosen: Sequence[int], at: datetime) -> list[Delivery]:
    with transaction.atomic():
        due_now = Delivery.objects.filter(pk__in=chosen)
        claimed = transitions.claim_for_sending(due_now, limit=len(chosen), at=at)
        by_key = _registrations({delivery.registration_id for delivery in claimed})
        for delivery in claimed:
            delivery.registration = by_key[delivery.registration_id]
            delivery.tenant = delivery.registration.tenant
        orphans = [item for item in claimed if item.registration.deleted_at is not None]
        if orphans:
            transitions.cancel(orphans, actor=ENGINE, at=at, reason=DELETED)
        ours = [item for item in claimed if item.registration.deleted_at is None]
        for item in ours:
            before, after = Delivery.State.PENDING, Delivery.State.SENDING
            tell("delivery", item.public_id, before=before, after=after, about=item.log_members())
    return ours


def _registrations(keys: set[int]) -> dict[int, Registration]:
    """Return registrations with their secrets, or without if the key of one is missing."""
    rows = Registration.objects.select_related("tenant")
    try:
        return rows.in_bulk(keys)
    except SecretUnreadable:
        return rows.defer("secret", "previous_secret").in_bulk(keys)


def _choose(slots: Slots, at: datetime) -> Iterator[Candidate]:
    """Yield the due deliveries that get a slot, oldest first."""
    waits = Q(pk__in=[])
    while slots.free > 0:
        page = [_candidate(row) for row in _page(waits, at)]
        full: set[int] = set()
        full_tenants: set[int] = set()
        behind_large: set[int] = set()
        for candidate in page:
            if slots.holds(candidate.key):
                continue  # ours: its lease ran out while the database was unavailable
            if slots.enter(candidate):
                yield candidate
            elif slots.must_wait_for_its_host(candidate):
                behind_large.add(candidate.registration)
            elif slots.is_full_for_tenant(candidate):
                full_tenants.add(candidate.tenant)
            else:
                full.add(candidate.registration)
        if len(page) < PAGE:
            return
        if not (full or full_tenants or behind_large):  # a full page of each tenant is enough
            full_tenants = {candidate.tenant for candidate in page}
        waits |= (
            Q(tenant__in=full_tenants)
            | Q(registration__in=full)
            | Q(registration__in=behind_large, body_size__gte=LARGE_BYTES)
        )


def _page(waits: Q, at: datetime) -> list[Row]:
    rows = Delivery.objects.filter(due(at)).exclude(waits).order_by("due_at", "pk")
    return list(
        rows.values_list(
            "pk",
            "tenant_id",
            "registration_id",
            "registration__url",
            "body_size",
            "registration__consecutive_failures",
        )[:PAGE]
    )


def _candidate(row: Row) -> Candidate:
    key, tenant, registration, url, size, failures = row
    parts = urlsplit(url)
    return Candidate(
        key=key,
        tenant=tenant,
        registration=registration,
        host=f"{parts.scheme}://{parts.netloc}".lower(),
        size=size,
        is_failing=failures > 0,
    )


def renew(held: Sequence[Delivery], *, until: datetime) -> set[int]:
    """Renew claims; return the keys of those that are still held."""
    now = dict(
        Delivery.objects.filter(
            pk__in=[delivery.pk for delivery in held], state=Delivery.State.SENDING
        ).values_list("pk", "claim_no")
    )
    kept = {item.pk for item in held if now.get(item.pk) == item.claim_no}
    by_claim: dict[int, list[int]] = {}
    for item in held:
        if item.pk in kept:
            by_claim.setdefault(item.claim_no, []).append(item.pk)
    for claim_no, keys in by_claim.items():
        Delivery.objects.filter(pk__in=keys, claim_no=claim_no).update(claimed_until=until)
    return kept
