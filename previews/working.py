"""How a tried file is worked on: job by job in children, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings

from common import clock, storage
from imports import transitions
from imports.models import ImportRecord
from imports.progress import Reporter
from sandbox import run_job
from tabular.model.catalog import Catalog
from tabular.model.problem import Limits
from tabular.protocol.requests import JobRequest, R, ReadRequest
from tabular.protocol.results import FileRead, ReadResult

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """One preview under way."""

    record: ImportRecord
    reporter: Reporter
    folder: Path

    def run(self, name: str, request: JobRequest[R]) -> tuple[R, Path]:
        """Run a job in a folder below; give its result and where its files are."""
        made = self.folder / name
        made.mkdir()
        result = run_job(
            made,
            replace(request, limits=Limits(**settings.LIMITS)),
            progress=self.reporter.progress,
            cancelled=self.reporter.cancelled,
        )
        return result, made / "out"

    def read(self, name: str, catalog: Catalog | None) -> tuple[ReadResult, Path]:
        """Read the file as it comes, with a catalog in mind or none."""
        path = storage.local_path(self.record.file)
        return self.run(name, ReadRequest(input=str(path), catalog=catalog))

    def end(self, report: Json, **changes: Any) -> None:
        """Write what the preview came to."""
        transitions.report(self.record, report, at=clock.now(), **changes)


@contextmanager
def working(record: ImportRecord, reporter: Reporter) -> Iterator[Work]:
    """Work on a preview in a folder that is gone afterwards."""
    with storage.working_folder("preview") as folder:
        yield Work(record, reporter, folder)


def about(read: FileRead) -> Json:
    """Describe a reading: which table it is of, and how long it is."""
    return {"rows": read.rows, "table": read.table.sheet or None, "tables": len(read.tables)}
