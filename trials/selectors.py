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
    """Give a tried file; UnknownTrial for anybody else's, or one of another purpose."""
    mine = ImportRecord.objects.filter(tenant=tenant, purpose__in=purposes, public_id=record_id)
    found = mine.first()
    if found is None:
        raise UnknownTrial
    return found


def any_trial(tenant: Tenant, record_id: str) -> ImportRecord:
    """Give a tried file, whatever it was tried for; UnknownTrial."""
    return trial_of(tenant, record_id, *TRIED)


def draft_trial(tenant: Tenant, key: str, record_id: str) -> ImportRecord:
    """Give a file that the draft of a catalog was tested with; UnknownTrial."""
    found = trial_of(tenant, record_id, Purpose.TEST)
    if (found.trial or {}).get("catalogKey", key) != key:
        raise UnknownTrial
    return found


def latest_impact(tenant: Tenant, draft: CatalogVersion) -> ImportRecord | None:
    """Give what is, or is being, found out about the rows under this very draft, if anything."""
    mine = ImportRecord.objects.filter(
        tenant=tenant,
        purpose=Purpose.IMPACT,
        trial__contains=f'"etag": "{draft.etag}"',
        purged_at=None,
    )
    return mine.exclude(state=ImportRecord.State.FAILED).order_by("-public_id").first()


def tests_of(catalog: Catalog) -> "QuerySet[KeptTest]":
    """Give the kept test files of a catalog, by name."""
    return KeptTest.objects.filter(catalog=catalog).order_by("name")


def kept_test(catalog: Catalog, test_id: str) -> KeptTest:
    """Give one kept test file of a catalog; UnknownTest for any other."""
    found = tests_of(catalog).filter(public_id=test_id).first()
    if found is None:
        raise UnknownTest
    return found


def running(tests: list[KeptTest]) -> set[str]:
    """Give the public ids of those tests that are being run."""
    at_work = ImportRecord.objects.filter(
        public_id__in=[test.record_id for test in tests], state__in=ImportRecord.WORKING
    )
    records = set(at_work.values_list("public_id", flat=True))
    return {test.public_id for test in tests if test.record_id in records}


def file_source(tenant: Tenant, record_id: str) -> ImportRecord:
    """Give what a file may be taken from once more: a trial, a sample or an import; or refuse."""
    mine = ImportRecord.objects.filter(
        tenant=tenant, purpose__in=[*TRIED, Purpose.SAMPLE, Purpose.IMPORT], public_id=record_id
    )
    found = mine.first()
    if found is None:
        raise UnknownImport
    return found
