"""Stored columns, memory-mapped, with a revision's edits over them; values as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common import storage
from staging import arrays
from staging.lineage.origin import Numbers, source_file, source_path
from staging.overlay import Overlay, Patch, overlay_of
from staging.row_issues import IssuesAt
from staging.stored import StoredTable, fetch

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.manifest import Manifest
    from staging.models import Revision
    from tabular.protocol.plan import TransformPlan
    from tabular.rechecking.recheck import Staged
    from tabular.transforming.inferred import Inferred
    from tabular.transforming.source import Source
    from tabular.validating import UniqueGroup


def encoded(value: Any) -> Any:
    """
    Convert one value to JSON.

    >>> encoded(Decimal("1.50"))
    '1.50'
    """
    if isinstance(value, list):
        return [encoded(item) for item in value]
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, date | time) else value


def decoded(values: list[Any], type_: pa.DataType) -> pa.Array:
    """Read values that ``encoded`` wrote. values: n. Returns n values of the type."""
    import pyarrow as pa

    if pa.types.is_decimal(type_):
        return pa.array([None if v is None else Decimal(v) for v in values], type_)
    if pa.types.is_date(type_):
        return pa.array([None if v is None else date.fromisoformat(v) for v in values], type_)
    if pa.types.is_time(type_):
        return pa.array([None if v is None else time.fromisoformat(v) for v in values], type_)
    if pa.types.is_list(type_):
        parts = [None if v is None else decoded(v, type_.value_type).to_pylist() for v in values]
        return pa.array(parts, type_)
    return pa.array(values, type_)


BATCH_ROWS = 20_000
SEVERITY_VALID, SEVERITY_WARNING, SEVERITY_ERROR = 0, 1, 2
SEVERITIES = ("valid", "warning", "error")


@dataclass(frozen=True)
class StagedColumn:
    """One stored target field."""

    field: str
    column_type: str
    file: str
    output_format: str | None = None

    def json_texts(self, values: pa.Array) -> pa.Array:
        """Return n values of this column as they are delivered: n JSON texts, null for null."""
        from tabular.types.value_texts import json_texts

        return json_texts(values, self.column_type, self.output_format)


class StagedFiles:
    """The files of a base, opened once, by their names in storage."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.columns = tuple(
            StagedColumn(item.field, item.column_type, item.file, item.output_format)
            for item in manifest.columns
        )
        self.by_field = {column.field: column for column in self.columns}
        self._values: dict[str, StoredTable] = {}
        self._texts: dict[str, tuple[NDArray[np.int64], pa.ChunkedArray]] = {}

    @cached_property
    def plan(self) -> TransformPlan:
        """What determined how the texts became rows, with the value lists that it names."""
        plan = self.manifest.plan
        digests = plan.list_digests
        if not digests:
            return plan
        from references.value_lists.selectors import columns_by_digest  # they are in the database

        return replace(plan, lists=columns_by_digest(digests))

    @cached_property
    def inferred(self) -> Inferred:
        """What the columns determined."""
        from tabular.transforming.inferred import inferred_of

        return inferred_of(self.plan, self.manifest.inferred)

    @cached_property
    def source(self) -> Source:
        """The texts that the rows were made from."""
        from tabular.transforming.source import Source

        return Source(source_path(self.manifest))

    @cached_property
    def groups(self) -> tuple[UniqueGroup, ...]:
        """The uniqueness groups of the fields that take part."""
        from tabular.validating import unique_groups

        return unique_groups(self.plan.target, paths=self.plan.used_fields)

    @cached_property
    def recheckable(self) -> Staged:
        """These files in the form that the recheck takes."""
        from tabular.rechecking.recheck import Staged

        return Staged(path_of, self.manifest)

    @cached_property
    def numbers(self) -> Numbers:
        """Where the source's rows are in the file."""
        return Numbers(StoredTable(source_file(self.manifest)))

    @cached_property
    def places(self) -> StoredTable:
        """The file of ``rows``."""
        return StoredTable(self.manifest.rows_file)

    @property
    def rows(self) -> pa.Table:
        """``source`` (position in the source), ``ordinal``, ``severity``: one line per row."""
        return self.places.whole

    @cached_property
    def severities(self) -> NDArray[np.int8]:
        """The worst severity of each row."""
        severities: NDArray[np.int8] = self.rows.column("severity").to_numpy()
        return severities

    @property
    def issues(self) -> pa.Table:
        """``row``, ``field``, ``code``, ``severity``, ``value``, ``params``, sorted by row."""
        return self._issues.whole

    @cached_property
    def _issues(self) -> StoredTable:
        return StoredTable(self.manifest.issues_file)

    @cached_property
    def issue_rows(self) -> NDArray[np.int64]:
        """The row of each issue, ascending."""
        rows: NDArray[np.int64] = self.issues.column("row").to_numpy()
        return rows

    def issues_at(self, rows: NDArray[np.int64]) -> IssuesAt:
        """Return the issues of some rows."""
        import numpy as np

        is_whole = self._issues.is_whole  # asked first: another thread may fetch the rest meanwhile
        table = self._issues.with_first(rows)
        numbers = self.issue_rows if is_whole else table["row"].to_numpy()
        begins, ends = np.searchsorted(numbers, (rows, rows + 1))
        return IssuesAt(table, begins, ends)

    @cached_property
    def excluded(self) -> NDArray[np.int64]:
        """The excluded rows, ascending."""
        import numpy as np

        file = self.manifest.excluded_file
        return _open(file).column("row").to_numpy() if file else np.zeros(0, np.int64)

    def texts(self, path: str) -> tuple[NDArray[np.int64], pa.ChunkedArray] | None:
        """Return a field's edited rows, ascending, and their texts, or None if it has none."""
        file = self.manifest.text_files.get(path)
        if file is None:
            return None
        if path not in self._texts:
            table = _open(file)
            self._texts[path] = table.column("row").to_numpy(), table.column("text")
        return self._texts[path]

    @cached_property
    def edited(self) -> NDArray[np.int64]:
        """The rows with an edited text, ascending."""
        columns = [self.texts(path) for path in self.manifest.text_files]
        return arrays.ascending(*(texts[0] for texts in columns if texts is not None))

    def values(self, path: str) -> pa.ChunkedArray:
        """Return the typed values of one field."""
        return self._stored(path).whole.column("value")

    def values_at(self, path: str, rows: NDArray[np.int64]) -> pa.Array:
        """Return the typed values of one field in some rows."""
        return self._stored(path).take("value", rows)

    def text_bytes(self, path: str, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the byte length of one field's texts in some rows, n; it reads no text."""
        return self._stored(path).text_bytes("value", rows)

    def fetch(self, rows: NDArray[np.int64]) -> None:
        """Fetch what a page of some rows reads, from several files at the same time."""
        stored = [self._stored(path) for path in self.by_field]
        calls = [call for column in stored for call in column.lacking(rows)]
        fetch([*self._issues.lacking_first(rows), *self.places.lacking(rows), *calls])

    def _stored(self, path: str) -> StoredTable:
        if path not in self._values:
            self._values[path] = StoredTable(self.by_field[path].file)
        return self._values[path]

    def hashes(self, group: int) -> NDArray[np.uint64]:
        """Return the hash of each row in a group of fields that must be unique together."""
        hashes: NDArray[np.uint64] = _open(self.manifest.hashes[group].file).column(0).to_numpy()
        return hashes

    def let_go_of_pages(self) -> None:
        """
        Release the pages read so far from this process's memory; the system cache keeps them.

        For code that reads whole columns once. Values that are read again are mapped again.
        """
        for column in list(self._values.values()):
            column.let_go_of_pages()


class StagedTable:
    """The typed rows of one revision: its base's files and its overlay."""

    def __init__(self, revision: Revision, files: StagedFiles) -> None:
        self.revision = revision
        self.files = files

    @cached_property
    def overlay(self) -> Overlay:
        """What was edited since the files were written."""
        return overlay_of(self.revision)

    @property
    def columns(self) -> tuple[StagedColumn, ...]:
        """The target fields, in the catalog's order."""
        return self.files.columns

    @property
    def row_count(self) -> int:
        """The number of rows, excluded ones included."""
        return self.files.places.num_rows

    def values(self, path: str) -> pa.ChunkedArray:
        """Return the typed values of one field."""
        values, edits = self.files.values(path), self.overlay.values(path)
        if not edits:
            return values
        import numpy as np

        by = decoded(list(edits.values()), values.type)
        return arrays.replaced(values, np.fromiter(edits, np.int64, len(edits)), by)

    def values_at(self, path: str, rows: NDArray[np.int64]) -> pa.Array:
        """Return the typed values of one field in some ascending rows; it reads these alone."""
        import numpy as np
        import pyarrow as pa

        values = self.files.values_at(path, rows)
        edits = self.overlay.values(path)
        edited = np.fromiter(edits, np.int64, len(edits))
        at = np.flatnonzero(np.isin(rows, edited, assume_unique=True))
        if not len(at):
            return values
        by = decoded([edits[row] for row in rows[at].tolist()], values.type)
        return arrays.replaced(pa.chunked_array([values]), at, by).chunk(0)

    @cached_property
    def severities(self) -> NDArray[np.int8]:
        """The worst severity of each row."""
        if not self.overlay:
            return self.files.severities
        patched = self.files.severities.copy()
        patched[self.overlay.rows] = [patch.severity for patch in self.overlay.in_order]
        return patched

    @cached_property
    def is_excluded(self) -> NDArray[np.bool_]:
        """Whether each row is excluded."""
        import numpy as np

        mask = np.zeros(self.row_count, dtype=bool)
        mask[self.files.excluded] = True
        mask[self.overlay.rows] = [patch.is_excluded for patch in self.overlay.in_order]
        return mask

    @cached_property
    def is_edited(self) -> NDArray[np.bool_]:
        """Whether each row has an edited cell."""
        import numpy as np

        mask = np.zeros(self.row_count, dtype=bool)
        mask[self.files.edited] = True
        mask[self.overlay.rows] = [bool(patch.texts) for patch in self.overlay.in_order]
        return mask

    def numbers(self, *, at_least: int = SEVERITY_VALID, at_most: int = SEVERITY_ERROR) -> pa.Array:
        """Return the rows, without excluded ones, with a severity within the bounds, in order."""
        import numpy as np
        import pyarrow as pa

        severity = self.severities
        within = (severity >= at_least) & (severity <= at_most) & ~self.is_excluded
        return pa.array(np.flatnonzero(within), type=pa.int64())

    def patch(self, row: int) -> Patch:
        """Return everything one row holds besides its values, from the overlay or the files."""
        import numpy as np

        return self.patches(np.array([row], np.int64))[0]

    def patches(self, rows: NDArray[np.int64]) -> list[Patch]:
        """Return for each of some rows what it holds besides its values."""
        numbers, edited = rows.tolist(), self.overlay.patches
        of_files = [row for row in numbers if row not in edited]
        if not of_files:
            return [edited[row] for row in numbers]
        import numpy as np

        patches = iter(self._patches_of_files(np.array(of_files, np.int64)))
        return [edited[row] if row in edited else next(patches) for row in numbers]

    def _patches_of_files(self, rows: NDArray[np.int64]) -> Iterator[Patch]:
        import numpy as np

        severities = self.files.places.take("severity", rows).to_pylist()
        excluded = np.isin(rows, self.files.excluded).tolist()
        texts = self._texts_of_files(rows)
        issues = self.files.issues_at(rows).by_row()
        for place, severity in enumerate(severities):
            yield Patch(
                severity=severity,
                is_excluded=excluded[place],
                texts=texts[place],
                issues=issues[place],
            )

    def _texts_of_files(self, rows: NDArray[np.int64]) -> list[dict[str, str | None]]:
        from staging.arrays import places_in

        by_row: list[dict[str, str | None]] = [{} for _ in range(len(rows))]
        for path in self.files.manifest.text_files:
            if (texts := self.files.texts(path)) is None:
                continue
            for place, at in enumerate(places_in(texts[0], rows).tolist()):
                if at >= 0:
                    by_row[place][path] = texts[1][at].as_py()
        return by_row


def path_of(name: str) -> Path:
    """Return the local path of a stored file."""
    return storage.local_path(name)


def _open(name: str) -> pa.Table:
    from tabular.protocol.tables import whole

    return whole(path_of(name))
