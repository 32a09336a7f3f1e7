"""Rows of the file that are not among the rows of an import, and why. docs/review.md, Left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common import storage
from imports.models import ImportRecord
from staging.selectors import at_revision
from tabular.model.places import PART_ROWS, part_of
from tabular.model.table import (
    BOXES_COLUMN,
    CONFIDENCE_COLUMN,
    KINDS_COLUMN,
    PAGE_COLUMN,
    ROW_COLUMN,
    SKIPPED_ROW_COLUMNS,
    Table,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.columns import StagedTable
    from tabular.protocol.results import FileRead

RECIPE = "recipe"  # the reason of a row that a recipe step skipped
# Columns of the source that are not text.
OF_ROWS = frozenset({KINDS_COLUMN, BOXES_COLUMN, CONFIDENCE_COLUMN})
TAKEN_FROM = frozenset({ImportRecord.State.MAPPING, ImportRecord.State.READING})


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """
    A skipped row: its number from 0, its page from 1, the reason, the step, and its cells.

    ``where`` is its table, ``line`` its physical number there; they identify a row if tables are
    stacked.
    """

    row: int
    page: int | None
    reason: str
    step: int | None
    cells: list[str | None]
    box: Sequence[float] | None  # in a PDF: its box on the page
    where: Table
    is_in_stack: bool

    @property
    def line(self) -> int:
        """The physical number in the sheet or file, from 0."""
        return self.row % PART_ROWS if self.is_in_stack else self.row

    @property
    def text(self) -> str:
        """The cells as one text."""
        return " | ".join(cell for cell in self.cells if cell)


class SkippedRows:
    """All skipped rows of one import, in file order; opens the files that it needs."""

    def __init__(self, source: str, read: FileRead | None, made: StagedTable | None) -> None:
        """source: the folder of its text. made: the rows that its recipe made, if it has any."""
        self.source, self.read = source, read
        is_of_source = made is not None and made.files.manifest.source == source
        self._staged = made if is_of_source else None

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return the number of skipped rows by reason."""
        counts = {item["values"]: item["counts"] for item in _counted(self._file)}
        return counts | ({RECIPE: len(self._dropped)} if len(self._dropped) else {})

    def page(self, *, offset: int, limit: int, reason: str | None = None) -> list[SkippedRow]:
        """Return a page of them, of one reason if wanted."""
        import numpy as np

        read = np.arange(self._file.num_rows)
        if reason is not None:
            read = read[[name == reason for name in self._file["reason"].to_pylist()]]
        dropped = self._dropped if reason in {None, RECIPE} else self._dropped[:0]
        numbers = np.concatenate([self._numbers[read], self._rows[dropped]])
        shown = np.argsort(numbers, kind="stable")[offset : offset + limit].tolist()
        of_file = [int(read[at]) for at in shown if at < len(read)]
        of_source = [int(dropped[at - len(read)]) for at in shown if at >= len(read)]
        return sorted([*self._read(of_file), *self._cooked(of_source)], key=lambda row: row.row)

    def of(self, reasons: Collection[str]) -> list[int]:
        """Return the numbers of every row skipped for one of these reasons, in order."""
        import numpy as np

        named = [name in reasons for name in self._file["reason"].to_pylist()]
        dropped = self._dropped if RECIPE in reasons else self._dropped[:0]
        numbers = np.concatenate([self._numbers[named], self._rows[dropped]])
        row_numbers: list[int] = np.sort(numbers).tolist()
        return row_numbers

    def unknown(self, rows: Sequence[int]) -> list[int]:
        """Return the positions of the numbers that do not name a skipped row."""
        import numpy as np

        known = np.concatenate([self._numbers, self._rows[self._dropped]])
        return np.flatnonzero(~np.isin(np.array(rows, np.int64), known)).tolist()

    @cached_property
    def _file(self) -> pa.Table:
        """The rows that reading skipped; empty for an import read before they were stored."""
        import pyarrow as pa

        from tabular.protocol.tables import whole

        path = storage.local_path(self.source) / "left-out.arrow"
        if not path.exists():
            types = (
                pa.int64(), pa.int32(), pa.string(), pa.list_(pa.string()), pa.list_(pa.float32())
            )  # fmt: skip
            named = dict(zip(SKIPPED_ROW_COLUMNS, types, strict=True))
            return pa.table({name: pa.array([], kind) for name, kind in named.items()})
        return whole(path)

    @cached_property
    def _source(self) -> pa.Table:
        from tabular.protocol.tables import whole

        return whole(storage.local_path(self.source) / "source.arrow")

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        numbers: NDArray[np.int64] = self._file[ROW_COLUMN].to_numpy()
        return numbers

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        rows: NDArray[np.int64] = self._source[ROW_COLUMN].to_numpy()
        return rows

    @cached_property
    def _dropped(self) -> NDArray[np.int64]:
        """The positions in the source of the rows that the recipe skipped."""
        import numpy as np

        if self._staged is None:
            return np.array([], np.int64)
        used = np.unique(self._staged.files.rows["source"].to_numpy())
        return np.setdiff1d(np.arange(len(self._rows)), used, assume_unique=True)

    def _read(self, places: list[int]) -> list[SkippedRow]:
        records = self._file.take(places).to_pylist() if places else []
        names = SKIPPED_ROW_COLUMNS
        return [
            SkippedRow(
                item[names[0]], item[names[1]], item[names[2]], None, item[names[3]],
                _rounded(item.get(names[4])),  # missing in files of an earlier version
                *self._where(item[names[0]]),
            )
            for item in records
        ]  # fmt: skip

    def _where(self, row: int) -> tuple[Table, bool]:
        """Return the table of a row, and whether it is part of a stack."""
        read = self.read
        if read is None:
            raise LookupError(f"{self.source} was not read")
        if not read.table.stacked:
            return read.table, False
        number = part_of(row) if read.table.join else row // PART_ROWS
        return read.tables[number], True

    def _cooked(self, positions: list[int]) -> list[SkippedRow]:
        if not positions or self._staged is None:
            return []
        from tabular.transforming.some_rows import dropped_by

        files = self._staged.files
        steps = dropped_by(files.source, files.plan, positions)
        records = self._source.take(positions).to_pylist()
        rows = [item.pop(ROW_COLUMN) for item in records]
        return [
            SkippedRow(
                row,
                record.pop(PAGE_COLUMN, None),
                RECIPE,
                steps.get(at),
                [text for name, text in record.items() if name not in OF_ROWS],
                _around(record.get(BOXES_COLUMN)),
                *self._where(row),
            )
            for at, row, record in zip(positions, rows, records, strict=True)
        ]


def skipped_rows_of(record: ImportRecord) -> SkippedRows:
    """Return the skipped rows of an import as it is now."""
    has_made = record.state not in TAKEN_FROM and record.recipe
    made = at_revision(record.public_id, record.revision) if has_made else None
    return SkippedRows(record.source, record.file_read, made)


def positions_in(text: Path, rows: Collection[int]) -> list[int]:
    """Return the positions in a text of those rows that are in it."""
    import numpy as np

    from tabular.protocol.tables import whole

    numbers = whole(text)[ROW_COLUMN].to_numpy()
    positions: list[int] = np.flatnonzero(np.isin(numbers, sorted(rows))).tolist()
    return positions


def _rounded(box: Sequence[float] | None) -> list[float] | None:
    return None if box is None else [round(side, 1) for side in box]


def _around(boxes: Sequence[float] | None) -> list[float] | None:
    """Return the box around a row's cells, from the four sides of each."""
    if not boxes:
        return None
    sides = [min(boxes[0::4]), min(boxes[1::4]), max(boxes[2::4]), max(boxes[3::4])]
    return _rounded(sides)


def _counted(file: pa.Table) -> list[dict[str, Any]]:
    import pyarrow.compute as pc

    counted: list[dict[str, Any]] = pc.value_counts(file["reason"]).to_pylist()
    return counted
