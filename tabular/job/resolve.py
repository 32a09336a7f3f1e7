"""The resolve job: takes a transform's files and what is known, returns findings and questions."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tabular.job.issue_files import (
    ISSUES_FILE,
    SEVERITIES,
    IssueWords,
    by_row,
    counts_of,
    numbered,
)
from tabular.job.staged_files import ROWS, ROWS_FILE
from tabular.model.defect import contained
from tabular.model.issue import CODES, Candidate, Question
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Progress
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import ResolveRequest
from tabular.protocol.results import Counts, ResolveResult
from tabular.protocol.tables import column, whole, write
from tabular.resolving.deciding import DECIDED, OFFERED, Outcome
from tabular.resolving.entities import Entities
from tabular.resolving.files import DECIDED_FILE, read_known
from tabular.resolving.findings import findings
from tabular.resolving.resolution import STEP, Resolution, Resolved, resolve
from tabular.types.rows import Finding

ASKED = 20  # texts of one field; their answers bring up the next ones
SHOWN = 3  # values of an entity in a candidate


def questions(resolution: Resolution, columns: dict[str, str]) -> list[Question]:
    """Return questions about the most frequent texts by field. columns: field path to column."""
    all_questions: list[Question] = []
    for resolved in resolution.fields:
        with contained(resolved.pointer.path, STEP, resolution.defects):
            all_questions += _of_field(
                resolved, resolution.entities[resolved.pointer.entity], columns
            )
    return all_questions


def _of_field(resolved: Resolved, entities: Entities, columns: dict[str, str]) -> list[Question]:
    unsure = np.flatnonzero(resolved.outcomes == Outcome.UNSURE)
    counts = Counter(resolved.parts.which[unsure].tolist())
    texts = resolved.decided.texts
    ranked = sorted(counts.items(), key=lambda item: (-item[1], texts[item[0]].as_py()))[:ASKED]
    return [_question(resolved, entities, columns, place, count) for place, count in ranked]


def _question(
    resolved: Resolved, entities: Entities, columns: dict[str, str], place: int, count: int
) -> Question:
    path = resolved.pointer.path
    rows = counted(count, "row")
    offered = sorted(
        resolved.decided.offered[place], key=lambda item: (-item[1], entities.refs[item[0]])
    )
    return Question(
        kind="reference",
        columns=(columns[path],) if path in columns else (),
        candidates=tuple(
            Candidate(
                entities.refs[n], _label(entities, n), score, Sentence("fixes {ROWS}", ROWS=rows)
            )
            for n, score in offered[:OFFERED]
        ),
        evidence=(resolved.decided.texts[place].as_py(), rows),
        field=path,
    )


def _label(entities: Entities, number: int) -> str:
    """Return an entity's label: its key, and what else is known of it."""
    values: dict[str, Any] = entities.values[number] if number < entities.known_count else {}
    key = values.get(entities.key)
    others = [v for name, v in values.items() if name != entities.key and v not in (None, "")]
    words = [str(v)[:60] for v in ([key] if key is not None else []) + others[:SHOWN]]
    return ", ".join(words) or entities.refs[number]


def resolve_references(request: ResolveRequest, folder: Path, progress: Progress) -> ResolveResult:
    """
    Find the entities that the references of a transformed table mean.

    Writes ``rows.arrow`` and ``issues.arrow``, with the findings merged in.
    """
    made, plan = Path(request.input), request.plan
    files = {column.field: column.file for column in request.columns}
    progress("resolving", 0, None)
    resolution = resolve(
        plan.target,
        used=plan.used_fields,
        values=lambda path: column(made / files[path]),
        known=read_known(made),
        answers=plan.answers,
    )
    decided = [
        resolved.decided.as_table(resolved.pointer.path)
        for resolved in resolution.fields
        if resolved.pointer.resolve.fuzzy
    ]
    write(folder / "out" / DECIDED_FILE, pa.concat_tables([DECIDED.empty_table(), *decided]))
    rows = whole(made / ROWS_FILE)
    resolved_findings = findings(resolution, rows=np.arange(rows.num_rows, dtype=np.int64))
    open_questions = tuple(questions(resolution, plan.columns_by_path))
    return ResolveResult(
        counts=_merge(made, folder / "out", plan, rows, resolved_findings),
        questions=open_questions,
        defects=tuple(dict.fromkeys(resolution.defects)),
    )


def _merge(
    made: Path, out: Path, plan: TransformPlan, rows: pa.Table, new_findings: list[Finding]
) -> Counts:
    """Write the issues with the new ones merged in, and the worst severity of each row."""
    words = IssueWords(tuple(plan.fields))
    former = numbered(whole(made / ISSUES_FILE), words.fields)
    issues = by_row(
        pa.concat_tables([former, pa.Table.from_batches([words.numbered(new_findings)])])
    )
    severity = np.zeros(rows.num_rows, np.int8)
    worst = issues["severity"].to_numpy().astype(np.int8)
    np.maximum.at(severity, issues["row"].to_numpy(), worst)
    spelled = pa.Table.from_batches([words.spelled(issues)])
    write(out / ISSUES_FILE, spelled)
    places = [rows.column("source"), rows.column("ordinal"), pa.chunked_array([severity])]
    write(out / ROWS_FILE, pa.table(places, schema=ROWS))
    by_severity = np.bincount(severity, minlength=len(SEVERITIES))
    return counts_of(by_severity, np.bincount(issues["code"].to_numpy(), minlength=len(CODES)))
