"""The job that tests a file with a draft and with the published version."""

from typing import Any

from catalogs import selectors as catalogs
from catalogs.models import CatalogVersion
from common import clock, storage
from common.errors import ServiceError
from common.rows import the_only
from imports.models import ImportRecord
from imports.progress import Reporter
from licensing.models import Tenant
from previews import outcomes, proposal_tests
from previews.selectors import PROPOSALS
from previews.services import regression_files
from previews.tried_file import IssueKind, Tried, try_out
from previews.workspace import about, working
from tabular.model.mapping import ColumnProposal
from tabular.model.problem import TabularProblem, UnusableRequest

Json = dict[str, Any]
Editions = tuple[CatalogVersion, CatalogVersion | None]
Named = tuple[str, str]  # of an issue: field, code


def carry_out_test(record: ImportRecord, reporter: Reporter) -> None:
    """Test the draft as it is now, and note what came of a file that is kept."""
    if PROPOSALS in record.tested_against:
        proposal_tests.carry_out(record, reporter)
        return
    key, today = record.tested_against["catalogKey"], record.created_at.date()
    draft, published = editions_of(record.tenant, key)
    with working(record, reporter) as work:
        try:
            now = try_out(work, "draft", draft.as_catalog(), today=today)
        except TabularProblem as problem:
            _note(record, draft, outcomes.of_problem(problem.code))
            raise
        before = None
        if published is not None and not record.tested_against.get("test"):
            before = try_out(work, "published", published.as_catalog(), today=today)
        source = storage.adopt("read", now.source.parent)
    outcome = outcomes.of_tried(now)
    _note(record, draft, outcome)
    editions = {
        "etag": draft.etag,
        "draftVersion": draft.number,
        "publishedVersion": published.number if published and before else None,
    }
    report = about(now.reading) | editions | _compared(now, before) | {"outcome": outcome}
    work.end(report, source=source)


def editions_of(tenant: Tenant, key: str) -> Editions:
    """Return the draft and the published version; a missing draft is a problem of the preview."""
    try:
        draft = catalogs.usable_draft(tenant, key)
    except ServiceError as error:
        raise UnusableRequest(error.code, error.sentence) from error
    return draft, the_only(catalogs.published_catalogs(tenant).filter(catalog__key=key))


def _note(record: ImportRecord, draft: CatalogVersion, outcome: Json) -> None:
    if test := record.tested_against.get("test"):
        regression_files.note_outcome(test, etag=draft.etag, outcome=outcome, at=clock.now())


def _compared(now: Tried, before: Tried | None) -> Json:
    return {
        "columns": [_column(column, now, before) for column in now.columns],
        "missing": now.missing,
        "issues": _issues(now, before),
        "questions": now.questions,
        "counts": {"draft": _counts(now), "published": before and _counts(before)},
    }


def _column(column: ColumnProposal, now: Tried, before: Tried | None) -> Json:
    name, path = column.column, column.field
    filled, rows = now.filled.get(name, 0), now.reading.rows or 0
    return {
        "column": name,
        "samples": list(column.samples),
        "field": path,
        "reason": column.reason,
        "score": column.score,
        "question": now.question_about(name),
        "fits": now.fits(name),
        "errors": now.count("error", path) if path else 0,
        "warnings": now.count("warning", path) if path else 0,
        "empty": rows - filled,
        "publishedField": before.mapping.get(name) if before else None,
        "publishedFits": before.fits(name) if before else None,
    }


def _issues(now: Tried, before: Tried | None) -> list[Json]:
    mine, theirs = _by_name(now), _by_name(before) if before else {}
    issues = []
    for named in dict.fromkeys([*mine, *theirs]):
        tally = mine.get(named) or theirs[named]
        issues.append(
            {
                "field": tally.field,
                "code": tally.code,
                "severity": tally.severity,
                "draft": mine[named].count if named in mine else 0,
                "published": (theirs[named].count if named in theirs else 0) if before else None,
                "example": tally.example,
            }
        )
    return issues


def _by_name(tried: Tried) -> dict[Named, IssueKind]:
    return {(issue.field, issue.code): issue for issue in tried.issues}


def _counts(tried: Tried) -> Json:
    return {
        "errors": tried.count("error"),
        "warnings": tried.count("warning"),
        "rows": tried.rows,
    }
