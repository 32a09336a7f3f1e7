"""Have a model propose steps for columns whose values do not fit their field, and try them."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from common import storage
from imports import inputs
from imports.advice.client import the_model
from imports.advice.record import kept_proposals, proposal_about
from imports.advice.trial import SAMPLE_ROWS
from imports.inputs import StoredText
from imports.models import ImportRecord
from imports.progress import Reporter
from pipeline.advice.recipes import (
    TASK,
    Cells,
    Misfit,
    OpenMisfits,
    StepsTrial,
    effect_of,
    open_misfits,
)
from pipeline.advice.weight import LEAST, probability
from pipeline.draft import MappingDraft
from pipeline.run import run
from sandbox import JobFailed
from tabular.model.problem import TabularProblem
from tabular.model.sentences import Sentence
from tabular.model.table import silent
from tabular.protocol.results import TransformResult

LEAST_WRONG = 0.1  # share of filled rows with an error from which a column does not fit
MOST_TEXTS = 3
MOST_NAMED = 40  # of a model's own name
Json = dict[str, Any]
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelSteps:
    """Steps that a model proposes for a column: never applied, only shown."""

    column: str
    field: str
    steps: list[Json]
    score: float
    effect: str
    reason: str


def ask_for_steps(
    record: ImportRecord, text: StoredText, draft: MappingDraft, reporter: Reporter, *, at: datetime
) -> None:
    """
    Ask a model about columns of a mapping whose values do not fit, and keep what it says.

    draft: the mapping, confirmed or proposed. Without a model or an answer, nothing is kept.
    """
    if the_model() is None or not draft.mapping:
        return
    with storage.working_folder("advice") as folder:
        sample = _Sample(record, text, draft, reporter, folder)
        try:
            misfits = sample.misfits()
            kept = kept_proposals(record, TASK)
            earlier = {
                (c, steps_of["field"]) for item in kept for c, steps_of in item.proposed.items()
            }
            wanted = open_misfits(
                misfits,
                record.target.live_fields,
                earlier=earlier,
                samples=record.tenant.shows_models_samples,
            )
            if wanted is not None:
                proposal_about(
                    record, wanted.prompt, lambda content: sample.tried(wanted, content), at=at
                )
        except (JobFailed, TabularProblem) as error:
            logger.warning("%s: a trial failed: %s", record.public_id, type(error).__name__)


def proposed_steps(record: ImportRecord) -> list[ModelSteps]:
    """Return what models propose for columns as they are mapped now, unless it is in the recipe."""
    draft = inputs.draft_of(record) if record.mapping is not None else record.proposed
    proposals: dict[str, ModelSteps] = {}
    for kept in kept_proposals(record, TASK):
        chance = probability(0.0, kept.weight)
        for column, steps_of in kept.proposed.items():
            is_new = not all(step in draft.steps for step in steps_of["steps"])
            if not is_new or draft.mapping.get(column) != steps_of["field"] or chance < LEAST:
                continue
            proposals[column] = ModelSteps(
                column=column,
                field=steps_of["field"],
                steps=steps_of["steps"],
                score=round(100 * chance, 1),
                effect=effect_of(steps_of["rows"], steps_of["fixed"], steps_of["broken"]),
                reason=Sentence(
                    "The model {model} proposes it; nothing else supports it",
                    model=kept.model[:MOST_NAMED],
                ),
            )
    return list(proposals.values())


@dataclass
class _Sample:
    """The first rows of a file under a mapping."""

    record: ImportRecord
    text: StoredText
    draft: MappingDraft
    reporter: Reporter
    folder: Path
    before: Mapping[str, Cells] | None = None

    def misfits(self) -> list[Misfit]:
        """Return the columns that have too many errors, those with options left out."""
        from tabular.protocol.tables import whole, write_first_rows  # loads pyarrow

        write_first_rows(self.text.path, self.folder / "sample.arrow", most=SAMPLE_ROWS)
        result, out = self._rows(self.draft)
        self.before = _cells(result, out, self.draft)
        issues = whole(out / result.issues_file).to_pylist()
        misfits = []
        for column, path in self.draft.mapping.items():
            field, cells = self.record.target.live_fields.get(path), self.before.get(path)
            if field is None or field.dropdown_options or field.reference or cells is None:
                continue
            filled = len(cells.wrong) + len(cells.right)
            if len(cells.wrong) < max(2, LEAST_WRONG * filled):
                continue
            mine = [issue for issue in issues if _is_error(issue, path)]
            codes = dict.fromkeys(str(issue["code"]) for issue in mine)
            texts = dict.fromkeys(str(issue["value"]) for issue in mine)
            misfits.append(Misfit(column, path, tuple(codes), tuple(texts)[:MOST_TEXTS]))
        return misfits

    def tried(self, wanted: OpenMisfits, content: str) -> Json:
        """Return the steps that an answer proposes, with their trial; none that fix too little."""
        proposed = wanted.proposed(content)
        return {column: self._tried(steps_of) for column, steps_of in proposed.items()}

    def _tried(self, steps_of: Json) -> Json:
        nothing = {**steps_of, "steps": [], "rows": 0, "fixed": 0, "broken": 0}
        if not steps_of["steps"]:
            return nothing
        draft = replace(self.draft, steps=(*self.draft.steps, *steps_of["steps"]))
        try:
            after = _cells(*self._rows(draft), draft)[steps_of["field"]]
        except (JobFailed, TabularProblem, LookupError):
            return nothing
        trial = StepsTrial.of((self.before or {})[steps_of["field"]], after)
        if not trial.is_promising:
            return nothing
        return {**steps_of, "rows": trial.rows, "fixed": trial.fixed, "broken": trial.broken}

    def _rows(self, draft: MappingDraft) -> tuple[TransformResult, Path]:
        source = inputs.text_source(self.record, self.text)
        source = replace(source, text=self.folder / "sample.arrow", resolve=None)
        bench = replace(inputs.bench_in(self.folder, self.reporter), progress=silent)
        outcome = run(source, inputs.decisions_of(self.record, draft), bench)
        return outcome.result, outcome.out


def _cells(result: TransformResult, out: Path, draft: MappingDraft) -> dict[str, Cells]:
    """Return what the rows have in each field that a column feeds."""
    from tabular.protocol.tables import column, whole

    issues = whole(out / result.issues_file).to_pylist()
    return {
        path: Cells(
            tuple(column(out / result.file_of[path]).to_pylist()),
            frozenset(issue["row"] for issue in issues if _is_error(issue, path)),
        )
        for path in draft.mapping.values()
        if path in result.file_of
    }


def _is_error(issue: Mapping[str, Any], path: str) -> bool:
    """Return whether an issue is an error of a field, of a cell that is not empty."""
    return issue["field"] == path and issue["severity"] == "error" and issue["value"] is not None
