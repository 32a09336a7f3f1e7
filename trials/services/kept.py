"""Keep test files, run them, and let a failing one stop a publish."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from catalogs.models import Catalog, CatalogVersion
from common import storage
from common.actors import Actor
from common.ids import new_id
from imports.models import ImportRecord
from imports.services import stored_again
from trials.errors import (
    FailingTests,
    NameTaken,
    NotTriedYet,
    TestsNotRun,
    TooManyTests,
    UnknownTrial,
)
from trials.models import KeptTest
from trials.outcomes import of_problem
from trials.selectors import tests_of
from trials.services.starting import File, try_file

TESTS = "tests"  # what is confirmed of all kept tests at once
MOST_TESTS = 50  # of one catalog
State = ImportRecord.State


def keep_test(
    *,
    catalog: Catalog,
    trial: ImportRecord,
    name: str,
    expected: dict[str, Any] | None,
    actor: Actor,
    at: datetime,
) -> KeptTest:
    """
    Keep the file of a trial of this catalog; without ``expected``, what it gave is expected.

    UnknownTrial, NotTriedYet, NameTaken, TooManyTests, FileGone.
    """
    if trial.trial.get("catalogKey") != catalog.key:
        raise UnknownTrial
    outcome = _outcome(trial)
    if tests_of(catalog).count() >= MOST_TESTS:
        raise TooManyTests
    stored = stored_again(trial)
    try:
        with transaction.atomic():
            return KeptTest.objects.create(
                public_id=new_id("tst_"),
                catalog=catalog,
                name=name,
                filename=trial.filename,
                file=stored.name,
                size=stored.size,
                sha256=stored.sha256,
                created_at=at,
                created_by=actor.as_dict(),
                expected=outcome if expected is None else expected,
                got=outcome,
                ran_at=at,
                etag=(trial.report or {}).get("etag", ""),
                record_id=trial.public_id,
            )
    except BaseException as error:
        storage.delete(stored.name)
        if isinstance(error, IntegrityError):
            raise NameTaken from error
        raise


def _outcome(trial: ImportRecord) -> dict[str, Any]:
    if trial.state == State.FAILED:
        return of_problem((trial.problem or {}).get("code", ""))
    if trial.state != State.CHECKED or trial.report is None:
        raise NotTriedYet
    found: dict[str, Any] = trial.report["outcome"]
    return found


def run_tests(
    *, catalog: Catalog, actor: Actor, at: datetime, license_id: str = ""
) -> list[KeptTest]:
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
                trial={"catalogKey": catalog.key, "test": test.public_id},
            )
        except BaseException:
            storage.delete(stored.name)
            raise
        test.record_id = record.public_id
        test.save(update_fields=["record_id"])
    return tests


def note_outcome(test_id: str, *, etag: str, outcome: dict[str, Any], at: datetime) -> None:
    """Note what a run came to; a test that was dropped meanwhile needs none."""
    test = KeptTest.objects.filter(public_id=test_id).first()
    if test is not None:
        test.got, test.etag, test.ran_at = outcome, etag, at
        test.save(update_fields=["got", "etag", "ran_at"])


def expect(*, test: KeptTest, expected: dict[str, Any]) -> KeptTest:
    """Expect something else of a kept file from now on."""
    test.expected = expected
    test.save(update_fields=["expected"])
    return test


def drop_test(*, test: KeptTest) -> None:
    """Keep a test file no longer."""
    test.delete()
    storage.delete(test.file)


def object_to(draft: CatalogVersion, confirmed: frozenset[str]) -> None:
    """Stop a publish while a kept test was not run with this very draft, or fails with it."""
    if TESTS in confirmed:
        return
    tests = [t for t in tests_of(draft.catalog) if t.name not in confirmed]
    if stale := [test for test in tests if test.etag != draft.etag or test.got is None]:
        raise TestsNotRun([test.name for test in stale])
    if failing := [test for test in tests if test.differences]:
        raise FailingTests({test.name: test.differences for test in failing})


def named_files() -> set[str]:
    """Name every file that a kept test needs."""
    return set(KeptTest.objects.values_list("file", flat=True))
