"""One file against one catalog: what is proposed for its columns, and what is wrong with its rows.

The file is read, mapped, transformed and validated by the very jobs of an import. Nothing that
the tenant's engine remembers takes part, and no known entities, so the same file and catalog always
come to the same.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft
from pipeline.run import TextSource, run
from previews.workspace import Work
from tabular.model.catalog import Catalog, Context
from tabular.model.issue import Question, to_store
from tabular.model.mapping import ColumnProposal, MappingProposal
from tabular.protocol.results import ReadResult

Json = dict[str, Any]
EMPTY = "required"  # what the codes about a cell that is empty begin with


@dataclass(frozen=True, slots=True)
class IssueKind:
    """The issues of one field and code, and the first of them."""

    field: str
    code: str
    severity: str
    count: int
    example: Json


@dataclass(slots=True)
class Tried:
    """The result of one catalog on the file."""

    reading: ReadResult
    source: Path
    mapping: dict[str, str]
    columns: tuple[ColumnProposal, ...]
    questions: list[Json]
    missing: list[str]  # paths of required fields that no column feeds
    filled: dict[str, int]  # cells of each column
    rows: Json = field(default_factory=lambda: {"valid": 0, "warning": 0, "error": 0})
    issues: list[IssueKind] = field(default_factory=list)

    def count(self, severity: str, path: str | None = None) -> int:
        """Count the issues of a severity, of one field or of all."""
        return sum(
            issue.count
            for issue in self.issues
            if issue.severity == severity and path in {None, issue.field}
        )

    def fits(self, column: str) -> float | None:
        """Return the share of a column's filled cells that its field accepts, if it has a field."""
        path, filled = self.mapping.get(column), self.filled.get(column, 0)
        if path is None or not filled:
            return None
        refused = sum(
            issue.count
            for issue in self.issues
            if issue.field == path
            and issue.severity == "error"
            and not issue.code.startswith(EMPTY)
        )
        return max(0.0, 1 - refused / filled)

    def question_about(self, column: str) -> Json | None:
        """Return the questions about a column before it has a field."""
        return next(
            (question for question in self.questions if column in question["columns"]), None
        )


def try_out(work: Work, name: str, catalog: Catalog, *, today: date) -> Tried:
    """Read the file for a catalog, map it as is proposed, and look at every row."""
    outcome = work.read(name, catalog)
    reading, out = outcome.result, outcome.out
    proposal = reading.proposal or MappingProposal(())
    mapping, fed = proposal.mapping, set(proposal.mapping.values())
    tried = Tried(
        reading=reading,
        source=out / "source.arrow",
        mapping=mapping,
        columns=proposal.columns,
        questions=list(_questions_shown([*reading.questions, *proposal.questions])),
        missing=[p for p, item in catalog.live_fields.items() if item.is_required and p not in fed],
        filled=_filled(out / "source.arrow"),
    )
    if mapping:
        _look_at_rows(work, name, tried, catalog, today)
    return tried


def _look_at_rows(work: Work, name: str, tried: Tried, catalog: Catalog, today: date) -> None:
    context = Context(today=today)
    source = TextSource(text=tried.source, catalog=catalog, context=context, read=tried.reading)
    draft = MappingDraft(tried.mapping)
    outcome = run(source, Decisions(draft=draft), work.bench.within(name))
    result, out = outcome.result, outcome.out
    counts = result.counts
    tried.rows = {"valid": counts.valid, "warning": counts.warning, "error": counts.error}
    tried.questions += _questions_shown(result.questions)
    tried.issues = issue_kinds(out, places=_places(out, tried.source))


def _questions_shown(questions: Iterable[Question]) -> Iterable[Json]:
    for question in questions:
        if question.decided:
            continue
        yield {
            "kind": question.kind,
            "columns": list(question.columns),
            "field": question.field,
            "candidates": [candidate.value for candidate in question.candidates],
        }


def _filled(source: Path) -> dict[str, int]:
    from tabular.protocol.tables import batches
    from tabular.suggesting.columns import IS_OURS

    counts: dict[str, int] = {}
    for batch in batches(source):
        for name in batch.schema.names:
            if name not in IS_OURS:
                filled = batch.num_rows - batch.column(name).null_count
                counts[name] = counts.get(name, 0) + filled
    return counts


def issue_kinds(out: Path, *, places: "Places") -> list[IssueKind]:
    """Count the issues of a transform by field and code, the most frequent first."""
    from tabular.protocol.tables import batches

    counts: dict[tuple[str, str, str], int] = {}
    first: dict[tuple[str, str, str], Json] = {}
    for batch in batches(out / "issues.arrow"):
        for kind, rows in _by_kind(batch):
            counts[kind] = counts.get(kind, 0) + len(rows)
            if kind not in first:
                first[kind] = batch.slice(int(rows[0]), 1).to_pylist()[0]
    shown = [
        IssueKind(*kind, count=count, example=_example(first[kind], places))
        for kind, count in counts.items()
    ]
    return sorted(shown, key=lambda kind: (-kind.count, kind.field, kind.code))


def _by_kind(batch: Any) -> Iterable[tuple[tuple[str, str, str], Any]]:
    """Return the positions of the issues of each field, code and severity in a batch."""
    import numpy as np

    words = [batch.column(name) for name in ("field", "code", "severity")]
    numbers = np.stack([word.indices.to_numpy() for word in words])
    kinds, of_row = np.unique(numbers, axis=1, return_inverse=True)
    for number, kind in enumerate(kinds.T.tolist()):
        named = tuple(w.dictionary[n].as_py() for w, n in zip(words, kind, strict=True))
        yield named, np.flatnonzero(of_row.ravel() == number)


@dataclass(frozen=True, slots=True)
class Places:
    """The places of the rows of a transform in the file."""

    sources: Any  # of each staged row, its row of the source
    rows: Any  # of each row of the source, its row in the file

    def of(self, row: int) -> int:
        """Return the row of the file, counted from one."""
        return int(self.rows[self.sources[row].as_py()].as_py()) + 1


def _places(out: Path, source: Path) -> Places:
    from tabular.model.table import ROW_COLUMN
    from tabular.protocol.tables import whole

    return Places(whole(out / "rows.arrow")["source"], whole(source)[ROW_COLUMN])


def _example(issue: Json, places: Places) -> Json:
    params = json.loads(issue["params"] or "{}")
    details = params | {"value": issue["value"], "field": issue["field"], "row": issue["row"]}
    message, hint = to_store(issue["code"], details)
    return {
        "row": places.of(issue["row"]),
        "value": issue["value"],
        "message": message,
        "hint": hint,
    }
