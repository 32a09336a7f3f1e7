"""The transform job: takes source.arrow, writes one Arrow file per column.

Next to it the job that compares the rows before and after each step, and writes no rows.

See docs/transforming.md. Texts that are not among a field's options are counted here, and questions
asked about them.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tabular.job.staged_files import StagedFiles
from tabular.model.defect import Defect
from tabular.model.issue import Candidate, Question
from tabular.model.problem import LimitExceeded
from tabular.model.recipe import UnpivotGroups
from tabular.model.sentences import Sentence, counted
from tabular.model.table import Progress
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import StepsRequest, TransformRequest
from tabular.protocol.results import StepsResult, TextCount, TransformResult
from tabular.transforming.inference import contradicts, infer, infer_early
from tabular.transforming.inferred import Inferred, written_inferred
from tabular.transforming.reading_rows import transform as read_rows
from tabular.transforming.source import Source
from tabular.transforming.step_changes import step_changes
from tabular.types.parse_options import ParseOptions
from tabular.types.rows import TypedRows
from tabular.types.similarity import similar
from tabular.validating import check_rows, row_rules, unique_groups
from tabular.values.vocabularies import fold

KEPT = 1_000  # distinct texts of one field; with more, the column is probably a different one
ASKED = 20
OFFERED = 5
MOST_DEFECTS = 100  # reported per job


class UnmatchedOptions:
    """The texts of each field that are not among its options."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add(self, rows: TypedRows) -> None:
        """Count one batch."""
        for finding in rows.findings:
            if finding.code == "unknown_option":
                counts = self._counts.setdefault(finding.field, Counter())
                for entry in finding.values.value_counts().to_pylist():
                    if entry["values"] in counts or len(counts) < KEPT:
                        counts[entry["values"]] += entry["counts"]

    def ranked(self) -> dict[str, tuple[TextCount, ...]]:
        """Return texts and counts by field, most frequent first."""
        return {
            path: tuple(TextCount(text, count) for text, count in _ranked(counts))
            for path, counts in self._counts.items()
        }

    def questions(self, plan: TransformPlan, inferred: Inferred) -> list[Question]:
        """Return questions about the most frequent texts of each field."""
        return [
            _question(path, text, count, plan, inferred.parse_options[path])
            for path, counts in self._counts.items()
            for text, count in _ranked(counts)[:ASKED]
        ]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def _question(
    path: str, text: str, count: int, plan: TransformPlan, parse_options: ParseOptions
) -> Question:
    labels = {fold(option.label): option for option in parse_options.options}
    near = similar(fold(text), list(labels), limit=OFFERED)
    rows = counted(count, "row")
    return Question(
        kind="category_value",
        columns=(plan.columns_by_path[path],) if path in plan.columns_by_path else (),
        candidates=tuple(
            Candidate(
                labels[n].value,
                labels[n].label,
                round(score, 1),
                Sentence("fixes {ROWS}", ROWS=rows),
            )
            for n, score in near
        ),
        evidence=(text, rows),
        field=path,
    )


def compare_steps(request: StepsRequest, folder: Path, progress: Progress) -> StepsResult:
    """Compare the rows of one source before and after each step."""
    source = Source(Path(request.input))
    progress("transforming", 0, source.rows)
    return step_changes(source, replace(request.plan, lists=request.lists))


def transform(request: TransformRequest, folder: Path, progress: Progress) -> TransformResult:
    """
    Stream a source through transforming and validating into files of ``folder/out``.

    Raise LimitExceeded if numbered columns become more rows than a file may have.
    """
    source = Source(Path(request.input))
    plan = replace(request.plan, lists=request.lists)
    out = folder / "out"
    out.mkdir(exist_ok=True)
    early = infer_early(source, plan=plan)
    most = request.limits.rows if _makes_rows(plan) else None
    staging = _Staging(source, plan, out, progress, most)
    if early:
        with suppress(_Contradicted):
            return staging.attempt(early, is_early=True)
    return staging.attempt(infer(source, plan=plan), is_early=False)


def _makes_rows(plan: TransformPlan) -> bool:
    return any(isinstance(s, UnpivotGroups) for s in (plan.recipe.steps if plan.recipe else ()))


def _too_many_rows(most: int) -> LimitExceeded:
    sentence = Sentence(
        "The table has more than {n1} {limit}. Split the file, or ask the operator.",
        n1=most,
        limit="rows",
    )
    return LimitExceeded(sentence, limit="rows", allowed=most)


class _Contradicted(Exception):
    """A row contradicts what was decided early."""


@dataclass(frozen=True, slots=True)
class _Staging:
    source: Source
    plan: TransformPlan
    out: Path
    progress: Progress
    most: int | None  # rows that may be made

    def attempt(self, inferred: Inferred, *, is_early: bool) -> TransformResult:
        """Write the files, or raise _Contradicted."""
        plan, total, unmatched = self.plan, self.source.rows, UnmatchedOptions()
        defects: dict[Defect, None] = {}  # each once, even if it affects many batches
        rules = row_rules(plan.target, paths=plan.used_fields, fed=plan.columns_by_path)
        groups = unique_groups(plan.target, paths=plan.used_fields)
        with StagedFiles(
            self.out, plan=plan, parse_options=inferred.parse_options, groups=groups
        ) as files:
            for rows in read_rows(self.source, plan=plan, inferred=inferred):
                if self.most is not None and rows.first + len(rows) > self.most:
                    raise _too_many_rows(self.most)
                if is_early and contradicts(rows, plan=plan, inferred=inferred):
                    raise _Contradicted
                rows.findings.extend(check_rows(rows, rules))
                files.write(rows)
                defects.update(dict.fromkeys(rows.defects))
                unmatched.add(rows)
                self.progress(
                    "transforming", rows.sources[-1].as_py() + 1 if len(rows) else 0, total
                )
            counts = files.finish()
            defects.update(dict.fromkeys(files.defects))
        made = files.manifest
        return TransformResult(
            columns=made.columns,
            rows_file=made.rows_file,
            issues_file=made.issues_file,
            hashes=made.hashes,
            rows=counts.rows,
            counts=counts,
            source_rows=total,
            skipped=total - files.used,
            inferred=written_inferred(inferred),
            questions=(*inferred.questions, *unmatched.questions(plan, inferred)),
            unmatched=unmatched.ranked(),
            defects=tuple(defects)[:MOST_DEFECTS],
        )
