"""
Additions to a catalog that are proposed, tested with every regression file of the catalog.

A test compares what a file gives with an addition to what it gives without it. An addition passes
if nothing changes, or if the file then gives what is expected of it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from django.db import transaction

from catalogs.additions import Addition, with_addition
from catalogs.documents import findings_in
from catalogs.errors import DraftChanged
from catalogs.models import Catalog as CatalogRow
from catalogs.models import CatalogVersion, RegressionFile
from catalogs.outcomes import differences
from catalogs.selectors import tests_of
from common import storage
from common.actors import Actor
from imports.models import ImportRecord
from imports.progress import Reporter
from previews import outcomes
from previews.selectors import PROPOSALS
from previews.services.new_preview import File, try_file
from previews.tried_file import try_out
from previews.workspace import Work, working
from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import Finding
from tabular.model.problem import TabularProblem, UnusableRequest

Json = dict[str, Any]
KEPT = timedelta(days=1)  # as retention keeps a tried file
State = CatalogVersion.State


@dataclass(frozen=True, slots=True)
class Tests:
    """
    The newest tests of additions to one version.

    results: by test file, then by addition. running and failed: additions by test file; failed ones
    have a result that says why, and may be tested again.
    """

    __test__ = False  # pytest takes the name for a class of tests

    files: Sequence[RegressionFile]
    results: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    running: Mapping[str, Collection[str]] = field(default_factory=dict)
    failed: Mapping[str, Collection[str]] = field(default_factory=dict)

    def missing(self, test: RegressionFile, additions: Iterable[Addition]) -> list[Addition]:
        """Return the additions that a file has to be tested with."""
        name = test.public_id
        done = self.results.get(name, {}).keys() - set(self.failed.get(name, ()))
        settled = done | set(self.running.get(name, ()))
        return [addition for addition in additions if addition.id not in settled]

    def has_failed(self, addition: str) -> bool:
        """Return whether a file could not be tested with an addition."""
        return any(addition in failed for failed in self.failed.values())


def start(
    *,
    base: CatalogVersion,
    additions: Iterable[Addition],
    actor: Actor,
    at: datetime,
    license_id: str = "",
) -> None:
    """
    Test additions to a version with every regression file, in workers.

    What was tested with a file, or is being tested, is not started again.
    """
    wanted = list(additions)
    with ExitStack() as stack:
        copies: dict[str, storage.StoredFile] = {}  # before the lock, which waits for no file
        for test in tests_of(base.catalog):
            copy = storage.StoredFile(storage.again(test.file), test.size, test.sha256)
            copies[test.public_id] = copy
            stack.callback(storage.delete, copy.name)
        with transaction.atomic():
            CatalogRow.objects.select_for_update().get(pk=base.catalog_id)
            for test, about in _to_start(base, wanted, at):
                if test.public_id in copies:
                    try_file(
                        tenant=base.catalog.tenant,
                        file=File(copies.pop(test.public_id), test.filename),
                        purpose=ImportRecord.Purpose.TEST,
                        actor=actor,
                        at=at,
                        license_id=license_id,
                        tested_against=about,
                    )
        stack.pop_all()
    for copy in copies.values():
        storage.delete(copy.name)


def _to_start(
    base: CatalogVersion, wanted: Sequence[Addition], at: datetime
) -> Iterator[tuple[RegressionFile, Json]]:
    """Yield each file to test, and what it is tested against."""
    tests = newest(base, at)
    for test in tests.files:
        if missing := tests.missing(test, wanted):
            yield (
                test,
                {
                    "catalogKey": base.catalog.key,
                    PROPOSALS: {
                        "base": base.etag,
                        "additions": [addition.as_json() for addition in missing],
                        "test": test.public_id,
                        "expected": test.expected,
                    },
                },
            )


def newest(base: CatalogVersion, at: datetime) -> Tests:
    """
    Return what the newest tests of additions to a version gave.

    A result counts as long as the same is expected of its file.
    """
    files = list(tests_of(base.catalog))
    expected = {test.public_id: test.expected for test in files}
    records = ImportRecord.objects.filter(
        tenant=base.catalog.tenant,
        purpose=ImportRecord.Purpose.TEST,
        purged_at=None,
        tested_against__contains=f'"{PROPOSALS}": {{"base": "{base.etag}"',
    )
    results: dict[str, dict[str, list[str]]] = {}
    running: dict[str, set[str]] = {}
    failed: dict[str, set[str]] = {}
    members = ("state", "report", "tested_against", "failure", "created_at")
    # Neither an order nor a time is in the query, so that it reads the index by purpose: a tenant
    # may upload half a million files in a day, and tests few.
    recent = [record for record in records.only(*members) if record.created_at > at - KEPT]
    for record in sorted(recent, key=attrgetter("pk")):
        about = record.tested_against[PROPOSALS]
        name = about["test"]
        if name not in expected or about["expected"] != expected[name]:
            continue
        tested = {Addition.kept(document).id for document in about["additions"]}
        given, without = results.setdefault(name, {}), failed.setdefault(name, set())
        without -= tested
        if record.is_working:
            running.setdefault(name, set()).update(tested)
            given = {key: value for key, value in given.items() if key not in tested}
        elif record.problem is not None:
            without |= tested
            given |= {addition: [_sentence(record.problem)] for addition in tested}
        else:
            given |= (record.report or {}).get("results") or {}
        results[name] = given
    return Tests(files, results, running, failed)


def _sentence(problem: Json) -> str:
    return str(problem.get("detail") or problem["title"])


def carry_out(record: ImportRecord, reporter: Reporter) -> None:
    """Test additions with one file."""
    about = record.tested_against[PROPOSALS]
    text = _base(record, about["base"]).document
    today, results = record.created_at.date(), {}
    with working(record, reporter) as work:
        before = _outcome(work, "base", text, today)
        for document in about["additions"]:
            addition = Addition.kept(document)
            changed = with_addition(text, addition)
            wrong = [finding.sentence for finding in faults(text, changed)]
            results[addition.id] = wrong or _differences(
                before, _outcome(work, "addition", changed, today), about["expected"]
            )
        work.end({"results": results})


def _base(record: ImportRecord, etag: str) -> CatalogVersion:
    """Return the version that the additions were proposed for, if it is still in use."""
    versions = CatalogVersion.objects.filter(
        catalog__tenant=record.tenant,
        catalog__key=record.tested_against["catalogKey"],
        state__in=[State.DRAFT, State.PUBLISHED],
        etag=etag,
    )
    version = versions.first()
    if version is None:
        changed = DraftChanged()
        raise UnusableRequest(changed.code, changed.sentence)
    return version


def _outcome(work: Work, name: str, text: str, today: Any) -> Json:
    catalog = Catalog.model_validate_json(text, by_alias=True, by_name=False)
    try:
        return outcomes.of_tried(try_out(work, name, catalog, today=today))
    except TabularProblem as problem:
        return outcomes.of_problem(problem.code)


def faults(before: str, after: str) -> list[Finding]:
    """Return what is wrong with a catalog that an addition alone causes."""
    former = {(finding.pointer, finding.sentence) for finding in findings_in(before)}
    return [
        finding
        for finding in findings_in(after)
        if (finding.pointer, finding.sentence) not in former
    ]


def _differences(before: Json, after: Json, expected: Json) -> list[str]:
    wrong = differences(expected, after)
    return wrong if differences(before, after) else []
