"""Between transforming and review: whom the references of the rows mean."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from django.conf import settings

from common import storage
from imports.models import ImportRecord
from references import selectors as references
from references.looking_up import known_for
from references.models import KnownSet
from tabular.model.problem import Limits
from tabular.protocol.requests import JobRequest, R, ResolveRequest, WrittenPlan
from tabular.protocol.results import TransformResult


class Run(Protocol):
    """Runs a job in a folder: its request in, its result out."""

    def __call__(self, folder: Path, request: JobRequest[R], /) -> R:
        """Run it."""
        ...


def resolve(
    record: ImportRecord, plan: WrittenPlan, made: Path, result: TransformResult, run: Run
) -> TransformResult:
    """
    Resolve the references of what a transform just made in ``made``; give its result with them.

    What the texts may mean is fetched here and handed to a child, which decides.
    """
    if not has_references(record):
        return result
    _keep_known(record, plan, made, result)
    limits = Limits(**settings.LIMITS)
    request = ResolveRequest(input=str(made), plan=plan, columns=result.columns, limits=limits)
    with storage.working_folder("resolve") as folder:
        found = run(folder, request)
        for path in (folder / "out").iterdir():
            shutil.move(path, made / path.name)
    questions = (*result.questions, *found.questions)
    return replace(result, counts=found.counts, questions=questions)


def has_references(record: ImportRecord) -> bool:
    """Whether the rows of an import can refer to anything."""
    return any(field.reference for field in record.target.live_fields.values())


def sets_for(record: ImportRecord) -> dict[str, KnownSet]:
    """Give the known entities an import may see; those of a page see none."""
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
        plan.catalog, used=plan.used_fields, values=lambda path: column(made / files[path])
    )
    write_known(made, known_for(sets_for(record), wanted))
