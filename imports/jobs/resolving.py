"""Between transforming and review: find the entities that the references of the rows name."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from django.conf import settings

from common import storage
from imports.models import ImportRecord
from references import selectors as references
from references.looking_up import known_elsewhere, known_for
from staging.defects import log_defects
from tabular.model.problem import Limits
from tabular.protocol.requests import JobRequest, R, ResolveRequest, WrittenPlan
from tabular.protocol.results import TransformResult

UNKNOWN = "unknown_reference"
MOST_TEXTS = 1_000  # texts of a field that are searched for in other scopes


class Run(Protocol):
    """A callable that runs a job in a folder: takes its request and returns its result."""

    def __call__(self, folder: Path, request: JobRequest[R], /) -> R:
        """Run the job."""
        ...


def resolve(
    record: ImportRecord, plan: WrittenPlan, made: Path, result: TransformResult, run: Run
) -> TransformResult:
    """
    Resolve the references of the rows in ``made``; return the transform's result with them.

    The candidate entities are fetched here and passed to a child, which decides.
    """
    if not has_references(record):
        return result
    _keep_known(record, plan, made, result)
    limits = Limits(**settings.LIMITS)
    request = ResolveRequest(input=str(made), plan=plan, columns=result.columns, limits=limits)
    with storage.working_folder("resolve") as folder:
        found = run(folder, request)
        log_defects(record.public_id, found.defects)
        for path in (folder / "out").iterdir():
            shutil.move(path, made / path.name)
    if found.counts.by_code.get(UNKNOWN):
        _keep_elsewhere(record, plan, made, result.issues_file)
    questions = (*result.questions, *found.questions)
    return replace(result, counts=found.counts, questions=questions)


def _keep_elsewhere(
    record: ImportRecord, written: WrittenPlan, made: Path, issues_file: str
) -> None:
    """Record which unknown texts another scope of the tenant knows; pages never see this."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.protocol.tables import whole
    from tabular.resolving.files import write_elsewhere
    from tabular.resolving.pointers import pointers_of
    from tabular.transforming.requests import plan_of

    issues = whole(made / issues_file)
    unknown = issues.filter(pc.equal(issues["code"].cast(pa.string()), UNKNOWN))
    paths = unknown["field"].cast(pa.string())
    plan = plan_of(written)
    found: dict[str, set[str]] = {}
    for pointer in pointers_of(plan.catalog, plan.used_fields):
        texts = unknown["value"].filter(pc.equal(paths, pointer.path)).unique()
        found[pointer.path] = known_elsewhere(
            record.tenant,
            record.scope,
            pointer.entity,
            fields=pointer.match_on,
            texts=texts.drop_null().slice(0, MOST_TEXTS),
        )
    write_elsewhere(made, found)


def has_references(record: ImportRecord) -> bool:
    """Return whether the rows of an import may contain references."""
    return any(field.reference for field in record.target.live_fields.values())


def sets_for(record: ImportRecord) -> dict[str, references.Sets]:
    """Return the known entities that an import may see; imports of pages see none."""
    return {} if record.from_page else references.sets_of(record.tenant, record.scope)


def _keep_known(
    record: ImportRecord, written: WrittenPlan, made: Path, result: TransformResult
) -> None:
    from tabular.protocol.tables import column
    from tabular.resolving.files import write_known
    from tabular.resolving.resolution import wanted_of
    from tabular.transforming.requests import plan_of

    plan, files = plan_of(written), result.file_of
    wanted = wanted_of(
        plan.catalog,
        used=plan.used_fields,
        values=lambda path: column(made / files[path]),
        answers=plan.answers,
    )
    write_known(made, known_for(sets_for(record), wanted))
