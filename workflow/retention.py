"""Delete what retention no longer allows, and files that no committed row names."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogs.selectors import retaining_versions
from changesets import services as changesets
from common import clock, storage
from common.actors import ENGINE
from common.models import Move
from deliveries.models import Delivery
from deliveries.services import purge_finished, purge_tests
from imports.mapping.value_lists import is_used
from imports.models import Chunk, ImportRecord, Workbook
from ledger.models import Question
from licensing.models import Tenant
from mails import lines
from previews.services import regression_files
from references.value_lists.services import forget_unused
from sandbox import folders
from staging.models import Revision
from tabular.model.sentences import Sentence, numbered
from workflow import rehearsals

KEEP_SAMPLES = timedelta(days=1)
KEEP_WORKBOOKS = timedelta(days=1)
KEEP_UPLOADS = timedelta(days=2)  # for files whose bytes never all arrived
KEEP_TESTS = timedelta(days=7)  # for what test keys made
KEEP_LISTS = timedelta(days=1)  # versions of value lists that were replaced or deleted
KEEP_MAILS = timedelta(days=30)  # sent mails, and what they told
UNNAMED_FOR_S = 24 * 3600


def purge() -> None:
    """Purge old imports, then sweep the storage."""
    at = clock.now()
    retained = at - timedelta(days=settings.RETENTION_DAYS)
    kept = ImportRecord.objects.filter(purged_at__isnull=True)
    samples = kept.exclude(purpose=ImportRecord.Purpose.IMPORT)
    uploads = kept.filter(state=ImportRecord.State.RECEIVED, created_at__lt=at - KEEP_UPLOADS)
    tests = _untouched_since(at - KEEP_TESTS, kept.filter(tenant__test_of__isnull=False))
    for over, rule in (
        *_over(kept, at),
        (uploads, Sentence("its upload did not finish within {n1} days", n1=KEEP_UPLOADS.days)),
        (
            samples.filter(created_at__lt=at - KEEP_SAMPLES),
            Sentence("a sample, check or correction is kept for {n1} day", n1=KEEP_SAMPLES.days),
        ),
        (tests, f"what a test key made is kept for {KEEP_TESTS.days} days"),
    ):
        for record in over.iterator():
            changesets.delete(record=record, actor=ENGINE, at=at, rule=rule)
    for workbook in Workbook.objects.filter(created_at__lt=at - KEEP_WORKBOOKS):
        workbook.delete()
        storage.delete(workbook.file)
    changesets.count_answers_before(retained)
    purge_finished(before=retained)
    purge_tests(before=at - KEEP_TESTS, at=at)
    rehearsals.purge(before=retained, tests_before=at - KEEP_TESTS)
    lines.purge(before=at - KEEP_MAILS)
    forget_unused(before=at - KEEP_LISTS, is_used=is_used)
    sweep_files()


def _over(
    kept: "QuerySet[ImportRecord]", at: datetime
) -> "Iterator[tuple[QuerySet[ImportRecord], str]]":
    """Yield what the engine, a tenant or a catalog no longer keeps, each with its rule."""
    most = settings.RETENTION_DAYS
    limits = [(most, kept, "IMPORT_RETENTION_DAYS")]
    for tenant in Tenant.objects.filter(retention_days__lt=most):
        own = kept.filter(Q(tenant=tenant) | Q(tenant__test_of=tenant))
        limits.append((tenant.retention_days or most, own, "days of retention of the tenant"))
    for version in retaining_versions():
        days = version.as_catalog().retention_days or most
        own = kept.filter(catalog_version=version)
        limits.append((days, own, "retentionDays of the catalog"))
    for days, records, limit in limits:
        if days <= most:
            single, many = (
                f"nothing happened for {{n1}} {noun} ({limit})" for noun in ("day", "days")
            )
            rule = numbered(days, single, many)
            yield _untouched_since(at - timedelta(days=days), records), rule


def _untouched_since(at: datetime, records: "QuerySet[ImportRecord]") -> "QuerySet[ImportRecord]":
    """
    Return the imports without any event since ``at``.

    Events are a move, a change of its rows, an answer, a correction, and an attempt to deliver. An
    import with a waiting delivery is not over.
    """
    about = OuterRef("public_id")
    deliveries = Delivery.objects.filter(record_id=about)
    happened = (
        Move.objects.filter(subject=about, at__gte=at),
        Revision.objects.filter(subject=about, created_at__gte=at),
        Question.objects.filter(subject=about, answered_at__gte=at),
        ImportRecord.objects.filter(corrects=OuterRef("pk"), created_at__gte=at),
        deliveries.filter(settled_at__gte=at),
        deliveries.filter(state__in=Delivery.UNSETTLED),
    )
    old = records.filter(created_at__lt=at)
    for item in happened:
        old = old.filter(~Exists(item))
    return old


def sweep_files() -> None:
    """Delete stored files that are a day old and that no row names."""
    named = named_files()
    for name in list(storage.names_before(UNNAMED_FOR_S)):
        if name not in named:
            storage.delete(name)
    oldest = time.time() - UNNAMED_FOR_S
    for path in (Path(settings.DATA_DIR) / "work").glob("*"):
        if path.stat().st_mtime < oldest:
            folders.remove(path)


def named_files() -> set[str]:
    """Return the name of every stored file and folder that a row names."""
    named = set(Revision.objects.values_list("folder", flat=True))
    named |= set(Revision.objects.values_list("manifest__source", flat=True))
    named |= set(Chunk.objects.values_list("file", flat=True))
    named |= set(Workbook.objects.values_list("file", flat=True))
    named |= set(Delivery.objects.values_list("body_name", flat=True))
    for file, source in ImportRecord.objects.values_list("file", "source").iterator():
        named |= {file, source}
    return named | changesets.named_files() | regression_files.named_files()
