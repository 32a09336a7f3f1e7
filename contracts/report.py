"""The result of a check, as JSON and as text."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Self

from contracts.bundle import Contract
from contracts.signing import differing_pins
from tabular.model.issue import Question, to_store
from tabular.model.policy import Breach
from tabular.model.sentences import counted
from tabular.protocol import forms
from tabular.protocol.results import TransformResult

Json = dict[str, Any]
SHOWN_CODES = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a file as a whole. ``stops``: its rows cannot be checked."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    column: str | None = None
    stops: bool = False

    @classmethod
    def of(cls, breach: Breach) -> Self:
        """Return the finding for a breach of the policy."""
        return cls(breach.code, "error", breach.sentence, breach.column)

    def as_json(self) -> Json:
        """Return it in the format of the report."""
        shown = {"code": self.code, "severity": self.severity, "message": self.message}
        return shown if self.column is None else {**shown, "column": self.column}


@dataclass(slots=True)
class Report:
    """The outcome of a check, without rows if they could not be checked."""

    contract: Contract
    file: Json
    reading: Json
    mapping: Mapping[str, str]
    findings: list[Finding]
    questions: list[Json]
    counts: Json | None = None
    issues: list[Json] = field(default_factory=list)  # the first ones

    def add_rows(self, result: TransformResult, issues: list[Json]) -> None:
        """Add the results of transforming and validating the rows."""
        self.counts = {
            **forms.as_json(result.counts),
            "sourceRows": result.source_rows,
            "skipped": result.skipped,
        }
        self.issues = issues
        self.questions += (
            question_json(question) for question in result.questions if not question.decided
        )

    @property
    def is_accepted(self) -> bool:
        """Return whether the rows were checked and nothing but warnings was found."""
        if self.counts is None or self.counts["error"]:
            return False
        return all(finding.severity == "warning" for finding in self.findings)

    def as_json(self) -> Json:
        """Return the report as JSON; docs/contracts.md describes it."""
        contract = self.contract
        return {
            "accepted": self.is_accepted,
            "contract": {
                "id": contract.id,
                "title": contract.title,
                "tenant": contract.issuer.tenant,
                "keyId": contract.issuer.key_id,
                "expiresAt": contract.expires_at,
            },
            "differingPins": {
                name: {"contract": theirs, "engine": ours}
                for name, (theirs, ours) in differing_pins(contract).items()
            },
            "file": self.file,
            "reading": self.reading,
            "mapping": dict(self.mapping),
            "findings": [finding.as_json() for finding in self.findings],
            "counts": self.counts,
            "issues": self.issues,
            "questions": self.questions,
        }


def question_json(question: Question) -> Json:
    """Return an open question in the format of the report."""
    return {"kind": question.kind, "columns": list(question.columns), "field": question.field}


def shown_issues(out: Path, source: Path, mapping: Mapping[str, str], *, most: int) -> list[Json]:
    """Return the first issues of the rows, each with its position in the file."""
    from tabular.model.table import ROW_COLUMN

    issues = list(islice(_issues(out / "issues.arrow"), most))
    places = _taken(out / "rows.arrow", "source", [issue["row"] for issue in issues])
    rows = _taken(source, ROW_COLUMN, places)
    column_of = {path: column for column, path in mapping.items()}
    return [
        {
            "row": issue["row"],
            "fileRow": row + 1,
            "column": column_of.get(issue["field"]),
            **_issue_shown(issue),
        }
        for issue, row in zip(issues, rows, strict=True)
    ]


def for_people(report: Json) -> str:
    """Return a report as text."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Json) -> Iterator[str]:
    contract, counts = report["contract"], report["counts"]
    verdict = "accepted" if report["accepted"] else "not accepted"
    yield f"{report['file']['name']}: {verdict} by “{contract['title']}” of {contract['tenant']}"
    yield f"  contract {contract['id']}, signed by key {contract['keyId']}"
    for name, pins in report["differingPins"].items():
        yield f"  pin {name}: {pins['contract']!r} in the contract, {pins['engine']!r} here"
    for finding in report["findings"]:
        yield f"  {finding['severity']}: {finding['message']}"
    if counts is None:
        yield "  The rows were not looked at."
        return
    yield (
        f"  {counted(counts['rows'], 'row')}: {counts['valid']:,} valid, "
        f"{counts['warning']:,} with warnings, {counts['error']:,} with errors"
    )
    by_count = sorted(counts["byCode"].items(), key=lambda item: (-item[1], item[0]))
    for code, count in by_count[:SHOWN_CODES]:
        yield f"  {count:>9,}  {code}"
    for issue in report["issues"]:
        place = f"row {issue['fileRow']}" + (f", {issue['column']}" if issue["column"] else "")
        yield f"  {place}: {issue['message']}"
    if sum(counts["byCode"].values()) > len(report["issues"]):
        yield "  ..."
    for question in report["questions"]:
        about = ", ".join(question["columns"]) or question["field"] or "the file"
        yield f"  The engine would ask ({question['kind']}) about {about}."


def _issue_shown(issue: Json) -> Json:
    params = json.loads(issue["params"] or "{}")
    details = params | {"value": issue["value"], "field": issue["field"], "row": issue["row"]}
    message, hint = to_store(issue["code"], details)
    kept = {name: issue[name] for name in ("field", "code", "severity", "value")}
    return {**kept, "message": message, "hint": hint}


def _issues(path: Path) -> Iterator[Json]:
    from tabular.protocol.tables import batches

    for batch in batches(path):
        yield from batch.to_pylist()


def _taken(path: Path, column: str, places: list[int]) -> list[int]:
    """Return some values of a column; only the batches that hold them are read."""
    import pyarrow as pa

    from tabular.protocol.tables import whole

    if not places:
        return []
    taken: list[int] = whole(path)[column].take(pa.array(places)).to_pylist()
    return taken
