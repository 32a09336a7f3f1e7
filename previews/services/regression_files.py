"""Keep test files of a catalog, and run them."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from catalogs.models import Catalog, RegressionFile
from catalogs.selectors import tests_of
from common import storage
from common.actors import Actor
from common.ids import new_id
from imports.models import ImportRecord
from imports.services import stored_again
from previews.errors import (
    NameTaken,
    NotTriedYet,
    TooManyTests,
    UnknownPreview,
)
from previews.outcomes import of_problem
from previews.services.new_preview import File, try_file

MOST_TESTS = 50  # of one catalog
State = ImportRecord.State


def keep_test(
    *,
    catalog: Catalog,
    preview: ImportRecord,
    name: str,
    expected: dict[str, Any] | None,
    actor: Actor,
    at: datetime,
) -> RegressionFile:
    """
    Keep the file of a preview of this catalog; without ``expected``, what it gave is expected.

    UnknownTrial, NotTriedYet, NameTaken, TooManyTests, FileGone.
    """
    if preview.tested_against.get("catalogKey") != catalog.key:
        raise UnknownPreview
    outcome = _outcome(preview)
    if tests_of(catalog).count() >= MOST_TESTS:
        raise TooManyTests
    stored = stored_again(preview)
    try:
        with transaction.atomic():
            return RegressionFile.objects.create(
                public_id=new_id("tst_"),
                catalog=catalog,
                name=name,
                filename=preview.filename,
                file=stored.name,
                size=stored.size,
                sha256=stored.sha256,
                created_at=at,
                created_by=actor.as_dict(),
                expected=outcome if expected is None else expected,
                got=outcome,
                ran_at=at,
                etag=(preview.report or {}).get("etag", ""),
                record_id=preview.public_id,
            )
    except BaseException as error:
        storage.delete(stored.name)
        if isinstance(error, IntegrityError):
            raise NameTaken from error
        raise


def _outcome(preview: ImportRecord) -> dict[str, Any]:
    if preview.state == State.FAILED:
        return of_problem((preview.problem or {}).get("code", ""))
    if preview.state != State.CHECKED or preview.report is None:
        raise NotTriedYet
    outcome: dict[str, Any] = preview.report["outcome"]
    return outcome


def run_tests(
    *, catalog: Catalog, actor: Actor, at: datetime, license_id: str = ""
) -> list[RegressionFile]:
    """Start a test of the draft with every regression file, in workers."""
    tests = list(tests_of(catalog))
    for test in tests:
        stored = storage.StoredFile(storage.again(test.file), test.size, test.sha256)
        try:
            record = try_file(
                tenant=catalog.tenant,
                file=File(stored, test.filename),
                purpose=ImportRecord.Purpose.TEST,
                actor=actor,
                at=at,
                license_id=license_id,
                tested_against={"catalogKey": catalog.key, "test": test.public_id},
            )
        except BaseException:
            storage.delete(stored.name)
            raise
        test.record_id = record.public_id
        test.save(update_fields=["record_id"])
    return tests


def note_outcome(test_id: str, *, etag: str, outcome: dict[str, Any], at: datetime) -> None:
    """Note what a run came to; a test that was dropped meanwhile needs none."""
    test = RegressionFile.objects.filter(public_id=test_id).first()
    if test is not None:
        test.got, test.etag, test.ran_at = outcome, etag, at
        test.save(update_fields=["got", "etag", "ran_at"])


def expect(*, test: RegressionFile, expected: dict[str, Any]) -> RegressionFile:
    """Expect something else of a kept file from now on."""
    test.expected = expected
    test.save(update_fields=["expected"])
    return test


def drop_test(*, test: RegressionFile) -> None:
    """Keep a test file no longer."""
    test.delete()
    storage.delete(test.file)


def named_files() -> set[str]:
    """Return the name of every file that a test needs."""
    return set(RegressionFile.objects.values_list("file", flat=True))
