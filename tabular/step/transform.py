"""The transform step: source.arrow in, one Arrow file per column out. See docs/transforming.md."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_camel

from tabular import transforming
from tabular.model.question import Question
from tabular.model.table import Progress
from tabular.step.staged_files import StagedFiles
from tabular.step.unmatched import UnmatchedOptions
from tabular.transforming import Plan, Settled
from tabular.transforming.requests import plan_of, settled_json
from tabular.transforming.source import Source
from tabular.validating import check_rows, row_rules, unique_groups


def transform(request: dict[str, Any], folder: Path, progress: Progress) -> dict[str, Any]:
    """
    Transform and validate one source into ``folder/out``.

    request: ``input``, ``catalog``, ``mapping``, ``recipe``, ``answers``, ``context``. Returns the
    result as ``result.json`` holds it.
    """
    source = Source(Path(request["input"]))
    plan = plan_of(request)
    out = folder / "out"
    out.mkdir(exist_ok=True)
    return stage(source, plan=plan, out=out, progress=progress)


def stage(source: Source, *, plan: Plan, out: Path, progress: Progress) -> dict[str, Any]:
    """Stream the source through transforming and validating into files. Returns the result."""
    early = transforming.settle_early(source, plan=plan)
    staging = _Staging(source, plan, out, progress)
    result = staging.attempt(early, is_early=True) if early else None
    if result is None:
        result = staging.attempt(transforming.settle(source, plan=plan), is_early=False)
    return result or {}


@dataclass(frozen=True, slots=True)
class _Staging:
    source: Source
    plan: Plan
    out: Path
    progress: Progress

    def attempt(self, settled: Settled, *, is_early: bool) -> dict[str, Any] | None:
        """Write the files; None when a row contradicts what was settled early."""
        plan, total, unmatched = self.plan, self.source.rows, UnmatchedOptions()
        rules = row_rules(plan.catalog, paths=plan.used_fields, fed=plan.columns_by_path)
        groups = unique_groups(plan.catalog, paths=plan.used_fields)
        with StagedFiles(self.out, plan=plan, hows=settled.hows, groups=groups) as files:
            for rows in transforming.transform(self.source, plan=plan, settled=settled):
                if is_early and transforming.contradicts(rows, plan=plan, settled=settled):
                    return None
                rows.findings.extend(check_rows(rows, rules))
                files.write(rows)
                unmatched.add(rows)
                self.progress(
                    "transforming", rows.sources[-1].as_py() + 1 if len(rows) else 0, total
                )
            result = files.finish()
        asked = (*settled.questions, *unmatched.questions(plan, settled))
        return result | {
            "sourceRows": total,
            "skipped": total - result.pop("used"),
            "settled": settled_json(settled),
            "questions": [question_json(question) for question in asked],
            "unmatched": unmatched.as_json(),
        }


def question_json(question: Question) -> dict[str, Any]:
    """Write a question as the step's result holds it."""
    return {to_camel(name): value for name, value in asdict(question).items()}
