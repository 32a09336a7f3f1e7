"""Find values that differ from the file's text, and values that are not among their options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from staging.columns import StagedTable
from staging.defects import column_alone

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from staging.overlay import Patch
    from tabular.types.parse_options import ParseOptions

    Mask = NDArray[np.bool_]


class Marks:
    """The marks at some rows of a table."""

    def __init__(
        self, table: StagedTable, rows: Rows, patches: Sequence[Patch] | None = None
    ) -> None:
        self._table = table
        self._rows = rows
        self._patches = patches
        self._origin = table.files
        self._plan = self._origin.plan
        self._taken: dict[str, pa.Array] = {}

    def changed(self, path: str, values: pa.Array, issues: Mask) -> Mask:
        """
        Return which values of a field differ from the file's text.

        values: n, as the rows show them. issues: n bool, whether an issue explains why the cell has
        no value. A field without a column, and what unpivoting makes, has no text to differ from,
        unless a user edits it.
        """
        import numpy as np

        edited = self._edited(path)
        column = self._plan.columns_by_path.get(path)
        if edited is self._nowhere and self._is_as_read(path, column, values, issues):
            return edited
        if column is None or column in self._unpivoted:
            return edited & _mask(values.is_valid())
        if column not in self._table.files.numbers.columns:
            return self._put_together(values, edited)
        from tabular.rechecking.differing import differing

        touched = edited | (column in self._touched)
        differs, emptied = differing(
            values,
            self._cells(column),
            self._table.files.numbers.kinds(column, self._positions),
            column_type=self._plan.fields[path].column_type,
            parse_options=self._parse_options(path),
            is_touched=np.broadcast_to(touched, len(values)),
        )
        return differs | (emptied & ~issues)

    def _is_as_read(self, path: str, column: str | None, values: pa.Array, issues: Mask) -> bool:
        """
        Return whether comparing the column as a whole shows that no value differs from its cell.
        """
        import pyarrow as pa

        from tabular.transforming.documents import document_texts

        numbers, parse_options = self._table.files.numbers, self._parse_options(path)
        if column is None or column not in numbers.columns or column in self._touched:
            return False
        if path in self._plan.context.defaults or path in document_texts(self._plan):
            return False
        if pa.types.is_string(values.type) or (
            parse_options.options and not pa.types.is_list(values.type)
        ):
            from tabular.types.hashing import as_texts

            cells, texts = self._cells(column), as_texts(values)
            if texts.equals(cells):
                return True
            emptied = issues & ~_mask(texts.is_valid())
            return not (_other(texts, cells) & ~emptied).any()
        if values.null_count == 0:  # read from the text of its own cell
            return True
        missing = ~(_mask(values.is_valid()) | issues)
        return not missing.any() or not _mask(self._cells(column).is_valid())[missing].any()

    def custom(self, path: str, values: pa.Array) -> Mask | None:
        """
        Return which values are not options, or None if the field does not accept other values.
        """
        if not takes_others(self._parse_options(path)):
            return None
        from tabular.rechecking.differing import not_listed

        return not_listed(values, self._parse_options(path))

    def _cells(self, column: str) -> pa.Array:
        """
        Return a column's cells at the rows. Cached: they are compared with a field more than once.
        """
        if column not in self._taken:
            self._taken[column] = self._table.files.numbers.cells(column, self._positions)
        return self._taken[column]

    def _parse_options(self, path: str) -> ParseOptions:
        return self._origin.inferred.parse_options[path]

    @cached_property
    def _positions(self) -> Rows:
        positions: Rows = self._table.files.places.take("source", self._rows).to_numpy()
        return positions

    @cached_property
    def _nowhere(self) -> Mask:
        import numpy as np

        return np.zeros(len(self._rows), dtype=bool)

    def _edited(self, path: str) -> Mask:
        places = [place for place, texts in self._edits.items() if path in texts]
        if not places:
            return self._nowhere
        mask = self._nowhere.copy()
        mask[places] = True
        return mask

    @cached_property
    def _edits(self) -> dict[int, Mapping[str, Any]]:
        import numpy as np

        if self._patches is not None:
            return {place: patch.texts for place, patch in enumerate(self._patches) if patch.texts}
        places = np.flatnonzero(self._table.is_edited[self._rows]).tolist()
        return {place: self._table.patch(int(self._rows[place])).texts for place in places}

    def _put_together(self, values: pa.Array, edited: Mask) -> Mask:
        """Compare what a step combined with every cell of its row."""
        import pyarrow as pa

        if not pa.types.is_string(values.type):
            return edited
        from tabular.rechecking.differing import of_none

        numbers = self._table.files.numbers
        cells = [numbers.cells(name, self._positions) for name in sorted(numbers.columns)]
        return of_none(values, cells)

    @cached_property
    def _steps(self) -> tuple[Any, ...]:
        return self._plan.steps

    @cached_property
    def _touched(self) -> frozenset[str]:
        return frozenset(name for step in self._steps for name in step.reads)

    @cached_property
    def _unpivoted(self) -> frozenset[str]:
        return frozenset(n for step in self._steps if step.removes for n in step.makes)


def takes_others(parse_options: ParseOptions) -> bool:
    """Return whether a field has options and also accepts other values."""
    return bool(parse_options.options) and parse_options.custom_options


def marked(
    table: StagedTable, rows: Rows, values: Mapping[str, pa.Array], patches: Sequence[Patch]
) -> list[dict[str, list[str]]]:
    """
    Return the ``changed`` and ``customOptions`` field names of each row, for a page.

    values: by field, the values of the rows. patches: what each row holds besides them.
    """
    import numpy as np

    marks = Marks(table, rows, patches)
    per_row: list[dict[str, list[str]]] = [
        {"changed": [], "customOptions": []} for _ in range(len(rows))
    ]
    at_fault, nowhere = _at_fault(patches), np.zeros(len(rows), dtype=bool)
    for path, taken in values.items():
        issues = nowhere
        if path in at_fault:
            issues = nowhere.copy()
            issues[at_fault[path]] = True
        with column_alone(table.revision.subject, path, "changed"):
            for place in np.flatnonzero(marks.changed(path, taken, issues)).tolist():
                per_row[place]["changed"].append(path)
        with column_alone(table.revision.subject, path, "customOptions"):
            custom = marks.custom(path, taken)
            for place in [] if custom is None else np.flatnonzero(custom).tolist():
                per_row[place]["customOptions"].append(path)
    return per_row


def _at_fault(patches: Sequence[Patch]) -> dict[str, list[int]]:
    """Return the positions of the rows with an issue, by field."""
    rows_by_path: dict[str, list[int]] = {}
    for place, patch in enumerate(patches):
        for issue in patch.issues:
            rows_by_path.setdefault(issue["field"], []).append(place)
    return rows_by_path


def _other(values: pa.Array, cells: pa.Array) -> Mask:
    """Return where two arrays of texts differ, nulls included."""
    import pyarrow.compute as pc

    is_there = _mask(values.is_valid())
    same = _mask(pc.fill_null(pc.equal(values, cells), False))
    return ~same & (is_there | _mask(cells.is_valid()))


def _mask(array: pa.Array) -> Mask:
    mask: Mask = array.to_numpy(zero_copy_only=False).astype(bool, copy=False)
    return mask
