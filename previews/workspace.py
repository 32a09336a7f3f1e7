"""How a tried file is worked on: job by job in children, in a folder of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from common import clock, storage
from imports import transitions
from imports.inputs import bench_in
from imports.models import ImportRecord
from imports.progress import Reporter
from pipeline.decisions import Decisions
from pipeline.run import FileSource, Outcome, run
from sandbox.bench import Bench
from tabular.model.catalog import Catalog
from tabular.protocol.results import FileRead, ReadResult

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """One preview under way."""

    record: ImportRecord
    bench: Bench

    def read(self, name: str, catalog: Catalog | None) -> Outcome[ReadResult]:
        """Read the file as it comes, with a catalog in mind or none."""
        source = FileSource(file=storage.local_path(self.record.file), catalog=catalog)
        return run(source, Decisions(), self.bench.within(name))

    def end(self, report: Json, **changes: Any) -> None:
        """Write what the preview came to."""
        transitions.report(self.record, report, at=clock.now(), **changes)


@contextmanager
def working(record: ImportRecord, reporter: Reporter) -> Iterator[Work]:
    """Work on a preview in a folder that is gone afterwards."""
    with storage.working_folder("preview") as folder:
        yield Work(record, bench_in(folder, reporter))


def about(read: FileRead) -> Json:
    """Describe a reading: which table it is of, and how long it is."""
    return {"rows": read.rows, "table": read.table.sheet or None, "tables": len(read.tables)}
