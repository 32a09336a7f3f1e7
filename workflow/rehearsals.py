"""
Rehearsals of registered receivers: a person starts one, a worker plays it.

``start`` records it, ``play_due`` plays what is due, ``deliveries.rehearsal`` has the scenes.
"""

import logging
import threading
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, Q

from catalogs import selectors as catalogs
from catalogs.selectors import Published
from common import clock
from common.actors import Actor
from common.errors import ServiceError, StaleState
from common.ids import new_id
from common.work.claims import ClaimLost, claim, due, renewed
from common.work.wakeups import wake_on_commit
from deliveries.models import Registration, Rehearsal
from deliveries.rehearsal import Receiver, Rows, rehearse, transitions
from deliveries.services.attempt import new_client, secrets_of

logger = logging.getLogger(__name__)
_playing = threading.Lock()

SAMPLES = 4  # rows of a delivery
MOST_TRIES = 2  # a worker that stops while it plays is forgiven once
PLAY = "workflow.tasks.rehearse"  # by name, because tasks import this module
STOPPED = "The rehearsal could not be completed. Start it again, or see the log of the worker."
DELETED = "The registration was deleted."


def rows_of(published: Published) -> Rows:
    """Return sample rows of a published catalog, as an import delivers them."""
    from tabular.types.output_formats import output_format_of  # pyarrow: no web process loads it
    from tabular.writing.samples import sample_rows

    fields = published.catalog.live_fields
    return Rows(
        batch=sample_rows(published.catalog, SAMPLES),
        types={path: field.column_type for path, field in fields.items()},
        formats={path: form for path, field in fields.items() if (form := output_format_of(field))},
        catalog_key=published.version.catalog.key,
        catalog_version=published.version.number,
    )


def start(
    *, registration: Registration, catalog_key: str, actor: Actor, at: datetime
) -> Rehearsal | None:
    """
    Have a worker rehearse a receiver, and forget its last rehearsal.

    Return None if a rehearsal of the tenant is being played. Raise UnknownCatalog.
    """
    catalogs.published_version(registration.tenant, catalog_key)
    try:
        with transaction.atomic():
            rehearsal = Rehearsal.objects.create(
                public_id=new_id("rhs_"),
                state=Rehearsal.State.PLAYING,
                tenant=registration.tenant,
                registration=registration,
                catalog_key=catalog_key,
                started_by=actor.as_dict(),
                started_at=at,
                due_at=at,
            )
            registration.rehearsals.exclude(pk=rehearsal.pk).delete()
            wake_on_commit(PLAY, rehearsal.public_id)
    except IntegrityError:  # the constraint, so that two clicks at once start one
        return None
    return rehearsal


def due_rehearsals(limit: int) -> list[str]:
    """Return rehearsals that are due and unclaimed, oldest first."""
    waiting = Rehearsal.objects.filter(due(clock.now())).order_by("due_at")
    return list(waiting.values_list("public_id", flat=True)[:limit])


def play_due() -> None:
    """Play the rehearsals that are due, one after the other, in one thread of a process."""
    if not _playing.acquire(blocking=False):
        return  # the thread that plays finds this one too
    try:
        while claimed := claim(
            Rehearsal.objects.all(), at=clock.now(), limit=1, tries=F("tries") + 1
        ):
            _settle(claimed[0])
    finally:
        _playing.release()


def purge(*, before: datetime, tests_before: datetime) -> None:
    """Delete what ended long ago. tests_before: the same for what was done for test keys."""
    old = Q(started_at__lt=before)
    tests = Q(started_at__lt=tests_before, tenant__test_of__isnull=False)
    Rehearsal.objects.filter(old | tests, ended_at__isnull=False).delete()


def _settle(rehearsal: Rehearsal) -> None:
    problem = ""
    try:
        with renewed([rehearsal]):
            problem = STOPPED if rehearsal.tries > MOST_TRIES else _play(rehearsal)
    except ServiceError as error:
        if isinstance(error, ClaimLost):
            logger.info("%s: another worker plays it", rehearsal.public_id)
            return
        problem = error.sentence
    except Exception:
        logger.exception("%s: could not be played", rehearsal.public_id)
        problem = STOPPED
    try:
        if problem:
            transitions.fail(rehearsal, problem=problem, at=clock.now())
        else:
            transitions.finish(rehearsal, at=clock.now())
    except StaleState:
        logger.info("%s: the claim was lost before its end was written", rehearsal.public_id)


def _play(rehearsal: Rehearsal) -> str:
    """Play every scene, and keep each report as it comes; return what prevented it."""
    registration, tenant = rehearsal.registration, rehearsal.tenant
    if registration.deleted_at is not None:
        return DELETED
    receiver = Receiver(
        client=new_client(),
        url=registration.url,
        secrets=secrets_of(registration, at=clock.now()),
        tenant_id=tenant.host_id,
        rows=rows_of(catalogs.published(tenant, rehearsal.catalog_key)),
    )
    reports: list[dict[str, str]] = []
    for report in rehearse(receiver):
        reports.append(
            {
                "title": report.title,
                "did": report.did,
                "should": report.should,
                "advice": report.advice,
            }
        )
        rehearsal.update_as_claimed(reports=[*reports])
    return ""
