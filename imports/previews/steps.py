"""What each step of a recipe changes in the first rows of an import; nothing is stored."""

from dataclasses import dataclass
from typing import Any

from common import storage
from imports import inputs
from imports.mapping.value_lists import pinned_recipe
from imports.models import ImportRecord
from imports.previews.dry_run import MOST_ROWS, bench_of
from imports.services.mapping_check import check_mapping
from imports.transitions import WAITING, NotWaiting
from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft, saved_draft
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import StepsRequest
from tabular.protocol.results import StepsResult


@dataclass(frozen=True, slots=True)
class StepsPreview:
    """
    What the steps change in the first of ``source_rows`` rows.

    steps: those of the recipe, as JSON, in their order.
    """

    source_rows: int
    steps: tuple[dict[str, Any], ...]
    result: StepsResult


def preview_steps(
    *, record: ImportRecord, mapping: dict[str, str] | None, recipe: dict[str, Any] | None
) -> StepsPreview:
    """
    Return what each step changes, and all of them together, in the first 10,000 rows.

    Without a mapping and a recipe, those of the import: confirmed, else proposed. Raise NotWaiting
    where the mapping cannot be changed, what ``check_mapping`` raises, JobsBusy or DryRunBroken.
    """
    if record.state not in WAITING:
        raise NotWaiting("not_waiting.mapping", state=record.state)
    if mapping is None and recipe is None:
        draft = inputs.draft_of(record) if record.mapping is not None else record.proposed
    else:
        check_mapping(record, mapping or {}, recipe)
        draft = saved_draft(mapping, pinned_recipe(record.tenant, recipe))
    result = _compared(record, draft)
    source_rows = record.file_read.rows if record.file_read else None
    return StepsPreview(source_rows or result.looked_at, draft.steps, result)


def _compared(record: ImportRecord, draft: MappingDraft) -> StepsResult:
    from tabular.protocol.tables import write_first_rows  # loads pyarrow

    text = inputs.text_of(record)
    source = inputs.text_source(record, text)
    plan: TransformPlan = source.plan(Decisions(draft=draft))
    with storage.working_folder("preview") as folder, bench_of(record, folder) as bench:
        sample = folder / "sample.arrow"
        write_first_rows(text.path, sample, most=MOST_ROWS)
        lists = source.lists(plan.list_digests)
        result, _ = bench.run("steps", StepsRequest(input=str(sample), plan=plan, lists=lists))
    return result
