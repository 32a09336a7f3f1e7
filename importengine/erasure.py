"""Delete all data of a tenant, or of one of its scopes, and record the erasure."""

import logging
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from analytics.history_counts import pause_catalogs
from analytics.models import CatalogDay, CorrectedHeader, Day
from api.models import StoredResponse
from catalogs.models import RegressionFile
from changesets import services as changesets
from changesets.models import Changeset
from common import storage
from common.actors import Actor
from common.models import Event, Move
from deliveries.models import Delivery
from feeds.models import Feed
from feeds.services import forget_traces
from importengine.models import Erasure
from imports.models import ImportRecord, Profile
from ledger.models import Answer, Question
from licensing.models import License, Logo, PageSession, Tenant
from links.models import Link
from mails.models import Line, Mail
from references.models import KnownSet
from staging.models import Revision

logger = logging.getLogger(__name__)

REASON = "the tenant's data was erased"


def erase_scope(*, tenant: Tenant, scope: str, actor: Actor, at: datetime) -> Erasure:
    """Delete the imports, deliveries and memory of one scope; everything else is kept."""
    for side in Tenant.objects.filter(test_of=tenant):
        erase_scope(tenant=side, scope=scope, actor=actor, at=at)
    counts = _erase_imports(tenant, tenant.imports.filter(scope=scope), actor=actor, at=at)
    with transaction.atomic():
        pause_catalogs()
        counts["Link"] = _erase_links(tenant.links.filter(scope=scope))
        counts["Feed"] = _erase_feeds(tenant.feeds.filter(scope=scope))
        for model in (Profile, Answer, KnownSet, PageSession, Line, Mail):
            counts[model.__name__] = _delete(
                model._default_manager.filter(tenant=tenant, scope=scope)
            )
        headers = CorrectedHeader.objects.filter(tenant=tenant.public_id, scope=scope)
        counts["CorrectedHeader"] = _delete(headers)
        return _note(tenant, scope, counts, actor=actor, at=at)


def erase_tenant(*, tenant: Tenant, actor: Actor, at: datetime) -> Erasure:
    """
    Delete all data of a tenant, including catalogs and webhooks, and revoke its licenses.

    Its id and its licenses are kept: without them a revoked key would be accepted again.
    """
    for side in Tenant.objects.filter(test_of=tenant):
        erase_tenant(tenant=side, actor=actor, at=at)
    License.objects.filter(tenant=tenant, revoked_at=None).update(
        revoked_at=at, revoked_reason=REASON
    )
    counts = _erase_imports(tenant, tenant.imports.all(), actor=actor, at=at)
    names = list(tenant.deliveries.values_list("body_name", flat=True))
    sent = list(tenant.deliveries.values_list("public_id", flat=True))
    sent += tenant.mails.values_list("public_id", flat=True)
    tests = RegressionFile.objects.filter(catalog__tenant=tenant)
    names += tests.values_list("file", flat=True)
    with transaction.atomic():
        pause_catalogs()
        counts["Link"] = _erase_links(tenant.links.all())
        counts["Feed"] = _erase_feeds(tenant.feeds.all())
        Move.objects.filter(subject__in=sent).delete()
        for rows in (
            tenant.deliveries.all(),
            tenant.registrations.all(),
            tenant.page_sessions.all(),
            tenant.profiles.all(),
            tenant.answers.all(),
            tenant.known_sets.all(),
            tenant.questions.all(),
            tenant.issued_contracts.all(),
            tenant.signing_keys.all(),
            tests,
            tenant.catalogs.all(),
            tenant.mail_lines.all(),
            tenant.mails.all(),
            tenant.unsubscribed.all(),
            tenant.memberships.all(),
            Logo.objects.filter(tenant=tenant),
            StoredResponse.objects.filter(tenant=tenant),
            Event.objects.filter(tenant=tenant.public_id),
            Day.objects.filter(tenant=tenant.public_id),
            CatalogDay.objects.filter(tenant=tenant.public_id),
            CorrectedHeader.objects.filter(tenant=tenant.public_id),
        ):
            counts[rows.model.__name__] = counts.get(rows.model.__name__, 0) + _delete(rows)
        Tenant.objects.filter(pk=tenant.pk).update(label="")
        erasure = _note(tenant, None, counts, actor=actor, at=at)
    _remove(names)
    return erasure


def _erase_imports(
    tenant: Tenant, records: "QuerySet[ImportRecord]", *, actor: Actor, at: datetime
) -> dict[str, int]:
    """Cancel imports, delete their files, then every row about them; return the counts."""
    subjects: list[str] = []
    for record in records.order_by("pk").iterator():
        if record.purged_at is None:
            changesets.delete(record=record, actor=actor, at=at)
        subjects.append(record.public_id)
    names: list[str] = []
    with transaction.atomic():
        deliveries = Delivery.objects.filter(tenant=tenant, record_id__in=subjects)
        questions = Question.objects.filter(tenant=tenant, subject__in=subjects)
        made = Changeset.objects.filter(tenant=tenant, record__public_id__in=subjects)
        names += deliveries.values_list("body_name", flat=True)
        moved = [*subjects]
        for rows in (deliveries, questions, made):
            moved += rows.values_list("public_id", flat=True)
        counts = {
            "Event": _delete(Event.objects.filter(tenant=tenant.public_id, record__in=subjects)),
            "Move": _delete(Move.objects.filter(subject__in=moved)),
            "Delivery": _delete(deliveries),
            "Question": _delete(questions),
            "Line": _delete(Line.objects.filter(tenant=tenant, record_id__in=subjects)),
            "Revision": _delete(Revision.objects.filter(subject__in=subjects)),
            "ImportRecord": len(subjects),
        }
        ImportRecord.objects.filter(tenant=tenant, public_id__in=subjects).delete()
    _remove(names)
    return counts


def _erase_links(links: "QuerySet[Link]") -> int:
    """Delete links, with their history; return how many."""
    subjects = list(links.values_list("public_id", flat=True))
    Move.objects.filter(subject__in=subjects).delete()
    Event.objects.filter(subject__in=subjects).delete()
    return _delete(links)


def _erase_feeds(feeds: "QuerySet[Feed]") -> int:
    """Delete feeds with their runs and history; return how many."""
    subjects = list(feeds.values_list("public_id", flat=True))
    forget_traces(subjects)
    feeds.delete()
    return len(subjects)


def _delete(rows: "QuerySet[object]") -> int:  # type: ignore[type-var]  # of whichever model
    count = rows.count()
    rows.delete()
    return count


def _remove(names: Iterable[str]) -> None:
    """Delete bodies that no delivery names any more."""
    gone = {name for name in names if name}
    kept = set(Delivery.objects.filter(body_name__in=gone).values_list("body_name", flat=True))
    for name in gone - kept:
        storage.delete(name)


def _note(
    tenant: Tenant, scope: str | None, counts: dict[str, int], *, actor: Actor, at: datetime
) -> Erasure:
    logger.warning("erased %s, scope %s: %s", tenant.public_id, scope, counts)
    return Erasure.objects.create(
        tenant_id=tenant.public_id, scope=scope, counts=counts, actor=actor.as_dict(), at=at
    )
