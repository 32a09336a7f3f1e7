"""Between transforming and review: whom the references of the rows mean."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from common import storage
from imports.models import ImportRecord
from references import selectors as references
from references.looking_up import known_for
from references.models import KnownSet

Json = dict[str, Any]
Run = Callable[[Path, Json], Json]  # a step in a folder, its request in, its result out


def resolve(record: ImportRecord, request: Json, made: Path, result: Json, run: Run) -> Json:
    """
    Resolve the references of what a transform just made in ``made``; give its result with them.

    What the texts may mean is fetched here and handed to a child, which decides.
    """
    if not any(field.reference for field in record.target.live_fields.values()):
        return result
    _keep_known(record, request, made, result)
    with storage.working_folder("resolve") as folder:
        found = run(
            folder, {**request, "step": "resolve", "input": str(made), "columns": result["columns"]}
        )
        for path in (folder / "out").iterdir():
            shutil.move(path, made / path.name)
    return {
        **result,
        "counts": found["counts"],
        "questions": [*result["questions"], *found["questions"]],
        "references": {
            "folder": "",  # that of the other files, once they are stored
            "tenant": None if record.from_page else record.tenant_id,
            "scope": record.scope,
        },
    }


def sets_for(record: ImportRecord) -> dict[str, KnownSet]:
    """Give the known entities an import may see; those of a page see none."""
    return {} if record.from_page else references.sets_of(record.tenant, record.scope)


def _keep_known(record: ImportRecord, request: Json, made: Path, result: Json) -> None:
    from tabular.rechecking.files import column
    from tabular.resolving.files import write_known
    from tabular.resolving.resolution import wanted_of
    from tabular.transforming.requests import plan_of

    plan = plan_of(request)
    files = {one["field"]: one["file"] for one in result["columns"]}
    wanted = wanted_of(
        plan.catalog, used=plan.used_fields, values=lambda path: column(made / files[path])
    )
    write_known(made, known_for(sets_for(record), wanted))
