"""Reads of tried files, the tenant first."""

from django.db.models import QuerySet

from catalogs.models import Catalog, CatalogVersion
from imports.models import ImportRecord
from imports.selectors import UnknownImport
from licensing.models import Tenant
from trials.errors import UnknownTest, UnknownTrial
from trials.models import KeptTest

Purpose = ImportRecord.Purpose
TRIED = (Purpose.INFER, Purpose.TEST)


def trial_of(tenant: Tenant, record_id: str, *purposes: str) -> ImportRecord:
    """Return a tried file. Raise UnknownTrial for another tenant's, or one with another purpose."""
    mine = ImportRecord.objects.filter(tenant=tenant, purpose__in=purposes, public_id=record_id)
    found = mine.first()
    if found is None:
        raise UnknownTrial
    return found


def any_trial(tenant: Tenant, record_id: str) -> ImportRecord:
    """Return a tried file with any purpose; UnknownTrial."""
    return trial_of(tenant, record_id, *TRIED)


def draft_trial(tenant: Tenant, key: str, record_id: str) -> ImportRecord:
    """Return a file that a draft of a catalog was tested with; UnknownTrial."""
    found = trial_of(tenant, record_id, Purpose.TEST)
    if (found.trial or {}).get("catalogKey", key) != key:
        raise UnknownTrial
    return found


def latest_impact(tenant: Tenant, draft: CatalogVersion) -> ImportRecord | None:
    """Return the finished or running check of the rows under exactly this draft, if any."""
    mine = ImportRecord.objects.filter(
        tenant=tenant,
        purpose=Purpose.IMPACT,
        trial__contains=f'"etag": "{draft.etag}"',
        purged_at=None,
    )
    return mine.exclude(state=ImportRecord.State.FAILED).order_by("-public_id").first()


def tests_of(catalog: Catalog) -> "QuerySet[KeptTest]":
    """Return the regression files of a catalog, by name."""
    return KeptTest.objects.filter(catalog=catalog).order_by("name")


def kept_test(catalog: Catalog, test_id: str) -> KeptTest:
    """Return one regression file of a catalog; UnknownTest for any other."""
    found = tests_of(catalog).filter(public_id=test_id).first()
    if found is None:
        raise UnknownTest
    return found


def running(tests: list[KeptTest]) -> set[str]:
    """Return the public ids of the tests that are running."""
    at_work = ImportRecord.objects.filter(
        public_id__in=[test.record_id for test in tests], state__in=ImportRecord.WORKING
    )
    records = set(at_work.values_list("public_id", flat=True))
    return {test.public_id for test in tests if test.record_id in records}


def file_source(tenant: Tenant, record_id: str) -> ImportRecord:
    """Return the trial, sample or import that a file may be copied from, or refuse."""
    mine = ImportRecord.objects.filter(
        tenant=tenant, purpose__in=[*TRIED, Purpose.SAMPLE, Purpose.IMPORT], public_id=record_id
    )
    found = mine.first()
    if found is None:
        raise UnknownImport
    return found
