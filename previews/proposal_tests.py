"""
Additions to a catalog that are proposed, tested with every regression file of the catalog.

A test compares what a file gives with an addition to what it gives without it. An addition passes
if nothing changes, or if the file then gives what is expected of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from catalogs.additions import Addition, with_addition
from catalogs.documents import findings_in
from catalogs.errors import DraftChanged
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
from tabular.model.problem import TabularProblem, UnusableRequest

Json = dict[str, Any]
KEPT = timedelta(days=1)  # as retention keeps a tried file
State = CatalogVersion.State


@dataclass(frozen=True, slots=True)
class Tests:
    """The newest tests of additions to one version. results: by test file, then by addition."""

    __test__ = False  # pytest takes the name for a class of tests

    files: Sequence[RegressionFile]
    results: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    running: bool = False


def start(
    *,
    base: CatalogVersion,
    additions: Iterable[Addition],
    actor: Actor,
    at: datetime,
    license_id: str = "",
) -> None:
    """Start a test of additions to a version with every regression file, in workers."""
    members = {"base": base.etag, "additions": [addition.as_json() for addition in additions]}
    for test in tests_of(base.catalog):
        stored = storage.StoredFile(storage.again(test.file), test.size, test.sha256)
        about = {"test": test.public_id, "expected": test.expected}
        try:
            try_file(
                tenant=base.catalog.tenant,
                file=File(stored, test.filename),
                purpose=ImportRecord.Purpose.TEST,
                actor=actor,
                at=at,
                license_id=license_id,
                tested_against={
                    "catalogKey": base.catalog.key,
                    PROPOSALS: {**members, **about},
                },
            )
        except BaseException:
            storage.delete(stored.name)
            raise


def newest(base: CatalogVersion, at: datetime) -> Tests:
    """Return what the newest tests of additions to a version gave."""
    records = ImportRecord.objects.filter(
        tenant=base.catalog.tenant,
        purpose=ImportRecord.Purpose.TEST,
        created_at__gt=at - KEPT,
        purged_at=None,
        tested_against__contains=f'"{PROPOSALS}": {{"base": "{base.etag}"',
    )
    results: dict[str, dict[str, list[str]]] = {}
    running = False
    for record in records.order_by("pk").only("state", "report", "tested_against"):
        running = running or record.is_working
        given = results.setdefault(record.tested_against[PROPOSALS]["test"], {})
        given.update((record.report or {}).get("results") or {})
    return Tests(list(tests_of(base.catalog)), results, running)


def carry_out(record: ImportRecord, reporter: Reporter) -> None:
    """Test additions with one file."""
    about = record.tested_against[PROPOSALS]
    text = _base(record, about["base"]).document
    today, results = record.created_at.date(), {}
    with working(record, reporter) as work:
        before = _outcome(work, "base", text, today)
        for number, document in enumerate(about["additions"]):
            addition = Addition.kept(document)
            changed = with_addition(text, addition)
            results[addition.id] = _faults(text, changed) or _differences(
                before, _outcome(work, f"addition-{number}", changed, today), about["expected"]
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


def _faults(before: str, after: str) -> list[str]:
    """Return what is wrong with a catalog that an addition alone causes."""
    former = {finding.sentence for finding in findings_in(before)}
    return [finding.sentence for finding in findings_in(after) if finding.sentence not in former]


def _differences(before: Json, after: Json, expected: Json) -> list[str]:
    wrong = differences(expected, after)
    return wrong if differences(before, after) else []
