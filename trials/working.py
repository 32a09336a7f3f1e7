"""How a tried file is worked on: step by step in children, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from common import clock, storage
from imports.models import ImportRecord
from imports.progress import Reporter
from sandbox import run_step
from tabular.model.problem import Limits

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """One trial under way."""

    record: ImportRecord
    reporter: Reporter
    folder: Path

    def run(self, name: str, request: Json) -> tuple[Json, Path]:
        """Run a step in a folder below; give its result and where its files are."""
        made = self.folder / name
        made.mkdir()
        result = run_step(
            made,
            {**request, "limits": settings.LIMITS},
            limits=Limits(**settings.LIMITS),
            progress=self.reporter.progress,
            cancelled=self.reporter.cancelled,
        )
        return result, made / "out"

    def read(self, name: str, catalog: Json | None) -> tuple[Json, Path]:
        """Read the file as it comes, with a catalog in mind or none."""
        request = {
            "step": "read",
            "input": str(storage.local_path(self.record.file)),
            "filename": self.record.filename,
            "choices": {},
            "catalog": catalog,
        }
        return self.run(name, request)

    def end(self, report: Json, **changes: Any) -> None:
        """Write what the trial came to."""
        self.record.move_to(
            ImportRecord.State.CHECKED,
            at=clock.now(),
            report=report,
            stage="",
            due_at=None,
            claimed_until=None,
            **changes,
        )


@contextmanager
def working(record: ImportRecord, reporter: Reporter) -> Iterator[Work]:
    """Work on a trial in a folder that is gone afterwards."""
    with storage.working_folder("trial") as folder:
        yield Work(record, reporter, folder)


def about(result: Json) -> Json:
    """Say of a reading which table it is of, and how long it is."""
    table = result["tables"][result["chosen"]]
    return {
        "rows": result["rows"],
        "table": table.get("sheet") or None,
        "tables": len(result["tables"]),
    }
