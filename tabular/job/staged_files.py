"""The files of one transformed table: rows, one file per column, issues, hashes."""

from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa

from tabular.job.issue_files import FOUND, ISSUES_FILE, IssueWords, Merging
from tabular.model.defect import Defect, contained
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import ColumnFile, Counts, HashFile, TableFiles
from tabular.protocol.tables import batches, column
from tabular.types.hashing import Hashes, as_texts, shown_in_issues
from tabular.types.output_formats import output_format_of
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import arrow_type
from tabular.types.rows import Finding, TypedRows, not_checked
from tabular.validating import UniqueGroup, duplicates, group_findings, group_rules
from tabular.values.arrays import Rows

PLACES = pa.schema([("source", pa.int64()), ("ordinal", pa.int32())])
ROWS = PLACES.append(pa.field("severity", pa.int8()))
HASH = pa.schema([("hash", pa.uint64())])
ROWS_FILE = "rows.arrow"


class _Files:
    """Arrow IPC files that are written batch by batch and closed together."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._writers: dict[str, pa.RecordBatchFileWriter] = {}
        self._schemas: dict[str, pa.Schema] = {}

    def add(self, name: str, schema: pa.Schema) -> None:
        self._writers[name] = pa.ipc.new_file(str(self.folder / name), schema)
        self._schemas[name] = schema

    def write(self, name: str, *columns: pa.Array) -> None:
        schema = self._schemas[name]
        self._writers[name].write_batch(pa.RecordBatch.from_arrays(list(columns), schema=schema))

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


class StagedFiles:
    """Writes typed rows as they arrive; ``finish`` adds what depends on all rows."""

    def __init__(
        self,
        folder: Path,
        *,
        plan: TransformPlan,
        parse_options: dict[str, ParseOptions],
        groups: tuple[UniqueGroup, ...],
    ) -> None:
        self._folder = folder
        self._plan = plan
        self._groups = groups
        self.used = 0  # rows of the source that made at least one row
        self.defects: list[Defect] = []  # in what depends on all rows
        self._words = IssueWords(tuple(plan.fields))
        self._names = {path: f"column-{i:03d}.arrow" for i, path in enumerate(plan.fields)}
        self._hash_names = [f"hash-{i:03d}.arrow" for i in range(len(groups))]
        self._files = _Files(folder)
        for path, name in self._names.items():
            type_ = arrow_type(plan.fields[path], parse_options[path])
            self._files.add(name, pa.schema([("value", type_)]))
        for name in self._hash_names:
            self._files.add(name, HASH)
        self._files.add("places.tmp", PLACES)
        self._files.add("found.tmp", FOUND)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._files.close()

    def write(self, rows: TypedRows) -> None:
        """Write one batch."""
        for path, name in self._names.items():
            self._files.write(name, rows.values[path])
        for group, name in zip(self._groups, self._hash_names, strict=True):
            self._files.write(name, pa.array(self._hashed(group, rows)))
        self._files.write("places.tmp", rows.sources, rows.ordinals)
        self.used += len(rows.sources.unique())  # a batch never ends within a source row
        self._files.write("found.tmp", *self._words.numbered(rows.findings).columns)

    def _hashed(self, group: UniqueGroup, rows: TypedRows) -> Hashes:
        """Hash a group. If our own code fails, report an issue that nothing is compared."""
        with contained(group.fields[0], "unique", rows.defects):
            return group.hashes(rows)
        texts = rows.texts[group.fields[0]]
        rows.findings.append(not_checked(group.fields[0], texts, first=rows.first))
        return np.zeros(len(rows), np.uint64)

    def finish(self) -> Counts:
        """Close the columns, find duplicates, and write rows and issues. Return the counts."""
        self._files.close()
        return self._merge()

    @property
    def manifest(self) -> TableFiles:
        """Return the manifest: which file holds what."""
        fields = self._plan.fields
        return TableFiles(
            columns=tuple(
                ColumnFile(
                    field=path,
                    column_type=fields[path].column_type,
                    output_format=output_format_of(fields[path]),
                    file=name,
                )
                for path, name in self._names.items()
            ),
            rows_file=ROWS_FILE,
            issues_file=ISSUES_FILE,
            hashes=tuple(
                HashFile(fields=group.fields, file=name)
                for group, name in zip(self._groups, self._hash_names, strict=True)
            ),
        )

    def _merge(self) -> Counts:
        late = [f for i, group in enumerate(self._groups) if (f := self._repeated(i, group))]
        late += self._in_groups()
        merging = Merging(self._folder, self._words, self._words.numbered(late))
        places, early = self._folder / "places.tmp", self._folder / "found.tmp"
        first = 0
        with pa.ipc.new_file(str(self._folder / ROWS_FILE), ROWS) as writer:
            for place, issues in zip(batches(places), batches(early), strict=True):
                severity = merging.write(issues, first=first, rows=place.num_rows)
                columns = [*place.columns, severity]
                writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=ROWS))
                first += place.num_rows
        places.unlink()
        early.unlink()
        return merging.close()

    def _repeated(self, index: int, group: UniqueGroup) -> Finding | None:
        hashes = column(self._folder / self._hash_names[index]).to_numpy()
        with contained(group.fields[0], "unique", self.defects):
            return self._later(hashes, group)
        return not_checked(group.fields[0], pa.nulls(len(hashes), pa.string()), first=0)

    def _in_groups(self) -> list[Finding]:
        """Check the rows of each parent together. If our own code fails, they are not checked."""
        findings: list[Finding] = []
        for rules in group_rules(self._plan.target, paths=self._plan.used_fields):
            key = rules.nesting.keys[0]
            size = len(self._column(key))
            with contained(key, "differing_parent_value", self.defects):
                rows = np.arange(size, dtype=np.int64)
                findings += list(group_findings((rules,), self._column, rows))
                continue
            findings.append(not_checked(key, pa.nulls(size, pa.string()), first=0))
        return findings

    def _column(self, path: str) -> pa.ChunkedArray:
        return column(self._folder / self._names[path])

    def _later(self, hashes: Hashes, group: UniqueGroup) -> Finding | None:
        later, firsts = duplicates(hashes, lambda rows: self._exactly(group, rows))
        if not len(later):
            return None
        texts = shown_in_issues(self._values(group.fields[0], later))
        params = pa.array([group.params(first) for first in firsts.tolist()], pa.string())
        return Finding(group.fields[0], "unique", group.severity, later, texts, params)

    def _exactly(self, group: UniqueGroup, rows: Rows) -> list[tuple[str | None, ...]]:
        parts = [as_texts(self._values(path, rows)).to_pylist() for path in group.fields]
        return list(zip(*parts, strict=True))

    def _values(self, path: str, rows: Rows) -> pa.Array:
        taken = column(self._folder / self._names[path]).take(pa.array(rows))
        return taken.combine_chunks()
