"""Reads of tried files, the tenant first."""

from catalogs.models import Catalog, CatalogVersion, RegressionFile
from catalogs.selectors import tests_of
from imports.models import ImportRecord
from imports.selectors import UnknownImport
from licensing.models import Tenant
from previews.errors import UnknownPreview, UnknownTest

Purpose = ImportRecord.Purpose
TRIED = (Purpose.INFER, Purpose.TEST)
PROPOSALS = "proposals"  # the member of what additions are tested against


def preview_of(tenant: Tenant, record_id: str, *purposes: str) -> ImportRecord:
    """Return a tried file; raise UnknownPreview for other tenants and purposes."""
    mine = ImportRecord.objects.filter(tenant=tenant, purpose__in=purposes, public_id=record_id)
    preview = mine.first()
    if preview is None or PROPOSALS in (preview.tested_against or {}):  # no person sent that file
        raise UnknownPreview
    return preview


def any_preview(tenant: Tenant, record_id: str) -> ImportRecord:
    """Return a tried file with any purpose; UnknownPreview."""
    return preview_of(tenant, record_id, *TRIED)


def draft_preview(tenant: Tenant, key: str, record_id: str) -> ImportRecord:
    """Return a file that a draft of a catalog was tested with; UnknownPreview."""
    record = preview_of(tenant, record_id, Purpose.TEST)
    if (record.tested_against or {}).get("catalogKey", key) != key:
        raise UnknownPreview
    return record


def latest_impact(tenant: Tenant, draft: CatalogVersion) -> ImportRecord | None:
    """Return the finished or running check of the rows under exactly this draft, if any."""
    mine = ImportRecord.objects.filter(
        tenant=tenant,
        purpose=Purpose.IMPACT,
        tested_against__contains=f'"etag": "{draft.etag}"',
        purged_at=None,
    )
    return mine.exclude(state=ImportRecord.State.FAILED).order_by("-public_id").first()


def regression_file(catalog: Catalog, test_id: str) -> RegressionFile:
    """Return one regression file of a catalog; UnknownTest for any other."""
    test = tests_of(catalog).filter(public_id=test_id).first()
    if test is None:
        raise UnknownTest
    return test


def running(tests: list[RegressionFile]) -> set[str]:
    """Return the public ids of the tests that are running."""
    at_work = ImportRecord.objects.filter(
        public_id__in=[test.record_id for test in tests], state__in=ImportRecord.WORKING
    )
    records = set(at_work.values_list("public_id", flat=True))
    return {test.public_id for test in tests if test.record_id in records}


def file_source(tenant: Tenant, record_id: str) -> ImportRecord:
    """Return the preview, sample or import that a file may be copied from, or refuse."""
    mine = ImportRecord.objects.filter(
        tenant=tenant, purpose__in=[*TRIED, Purpose.SAMPLE, Purpose.IMPORT], public_id=record_id
    )
    record = mine.first()
    if record is None:
        raise UnknownImport
    return record
