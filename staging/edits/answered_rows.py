"""Try an answer to a question on the rows, without keeping the result.

As in a large operation, the functions of a transform read and check the rows. Only the fields that
the answer concerns, and the rules that use them, run again."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, Any

import orjson

from staging import arrays
from staging.columns import SEVERITY_ERROR, StagedTable
from staging.edits.rewrite import BulkChanges, Rewrite
from staging.edits.texts import whole_texts
from staging.issues import issues_now
from staging.pages import ShownIssue, issue_shown

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from tabular.protocol.plan import TransformPlan
    from tabular.rechecking.reach import Reach
    from tabular.transforming.inferred import Inferred


FIXED, BROKEN, CHANGED, UNCHANGED = OUTCOMES = ("fixed", "broken", "changed", "unchanged")
BITS = (16, 10, 2)  # of a field, a code and a severity, after the row number
Json = dict[str, Any]


class AnsweredRows(Rewrite):
    """
    The rows of a table as they are, and as another plan makes them.

    plan: the table's, except for the answers or for which column feeds which field; the rows are
    the same. inferred: what the columns determine under it. fields: the fields whose values may
    differ. text: what the question is about; None for all.
    """

    def __init__(
        self,
        table: StagedTable,
        plan: TransformPlan,
        inferred: Inferred,
        fields: Collection[str],
        text: str | None,
    ) -> None:
        import numpy as np

        nothing = np.zeros(0, np.int64)
        super().__init__(table, BulkChanges({}, exclude=nothing, include=nothing), None)
        self.plan, self.inferred = plan, inferred
        self._paths, self._text = frozenset(fields), text
        self._texts: dict[str, pa.ChunkedArray] = {}

    @cached_property
    def rows(self) -> Rows:
        """Every row, since each is read again."""
        import numpy as np

        return np.arange(self.table.row_count, dtype=np.int64)

    @cached_property
    def reach(self) -> Reach:
        """What is read again, and which rules run again."""
        from tabular.rechecking.reach import reach_of

        return reach_of(self.plan, self._paths)

    @cached_property
    def shown_fields(self) -> list[str]:
        """The fields whose values may differ, in the catalog's order."""
        return [column.field for column in self.table.columns if column.field in self.fields]

    @cached_property
    def outcome(self) -> NDArray[np.int8]:
        """Each row's outcome: an index into ``OUTCOMES``, or -1 if not concerned."""
        import numpy as np

        outcomes = np.where(self._is_concerned, OUTCOMES.index(UNCHANGED), -1).astype(np.int8)
        now, then = self._issues_now, self._issues_then
        differs = np.concatenate([_only_in(now, then), _only_in(then, now)])
        outcomes[self._with_other_values | _rows_of(differs, len(outcomes))] = OUTCOMES.index(
            CHANGED
        )
        lost = _rows_of(_only_in(_errors(now), _errors(then)), len(outcomes))
        gained = _rows_of(_only_in(_errors(then), _errors(now)), len(outcomes))
        outcomes[lost & ~gained] = OUTCOMES.index(FIXED)
        outcomes[gained] = OUTCOMES.index(BROKEN)
        outcomes[self.table.is_excluded] = -1
        return outcomes

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of rows by outcome."""
        import numpy as np

        return {name: int(np.sum(self.outcome == n)) for n, name in enumerate(OUTCOMES)}

    def rows_with(self, outcomes: Collection[str]) -> Rows:
        """Return the rows with some outcomes, ascending."""
        import numpy as np

        wanted = [OUTCOMES.index(name) for name in outcomes]
        return np.flatnonzero(np.isin(self.outcome, wanted)).astype(np.int64)

    def shown(self, rows: Rows) -> list[Json]:
        """Return some rows with the cells that the answer concerns, before and after."""
        from staging.edits.cell_edits import places_of

        cells = {path: self._cells(path, rows) for path in self.shown_fields}
        places = places_of(self.table, rows.tolist())
        now = [self._shown(self.table.patch(row).issues, row) for row in rows.tolist()]
        then = [self._shown(self._issues_at(row), row) for row in rows.tolist()]
        return [
            {
                "row": row,
                "sourceRow": places[i][0],
                "outcome": OUTCOMES[self.outcome[row]],
                "cells": [{"field": path, **cells[path][i]} for path in self.shown_fields],
                "issuesNow": now[i],
                "issuesThen": then[i],
            }
            for i, row in enumerate(rows.tolist())
        ]

    def _cells(self, path: str, rows: Rows) -> list[Json]:
        """Return each cell's source text, and its delivered values before and after."""
        column = self.table.files.by_field[path]
        texts = arrays.take(self._texts_of(path), rows).to_pylist()
        now, then = (
            [
                orjson.loads(value or "null")
                for value in column.json_texts(arrays.take(values, rows)).to_pylist()
            ]
            for values in (self.table.values(path), self.values(path))
        )
        return [{"text": text, "now": now[i], "then": then[i]} for i, text in enumerate(texts)]

    def _shown(self, issues: Collection[Any], row: int) -> list[ShownIssue]:
        """Return the issues that the answer may change."""
        return [
            issue_shown(issue, row)
            for issue in issues
            if issue["field"] in self.fields or self.reach.has(issue["field"], issue["code"])
        ]

    def _issues_at(self, row: int) -> list[Json]:
        import numpy as np

        from tabular.job.issue_files import IssueWords

        start, end = np.searchsorted(self.issues["row"].to_numpy(), (row, row + 1))
        spelled = IssueWords(self.issue_fields).spelled(self.issues.slice(start, end - start))
        return [
            {**issue, "params": orjson.loads(issue["params"] or "{}")}
            for issue in spelled.to_pylist()
        ]

    def _texts_of(self, path: str) -> pa.ChunkedArray:
        """Return the texts that a field would be read from, with edits."""
        if path not in self._texts:
            self._texts[path] = whole_texts(self.table, path, self.plan, self.inferred)
        return self._texts[path]

    @property
    def _is_concerned(self) -> NDArray[np.bool_]:
        """Whether each row has a text that the question is about."""
        import numpy as np
        import pyarrow.compute as pc

        concerned = np.zeros(self.table.row_count, dtype=bool)
        for path in self._paths:
            texts = self._texts_of(path)
            is_said = texts.is_valid() if self._text is None else pc.equal(texts, self._text)
            concerned |= pc.fill_null(is_said, False).to_numpy()
        return concerned

    @property
    def _with_other_values(self) -> NDArray[np.bool_]:
        import numpy as np
        import pyarrow.compute as pc

        from tabular.types.hashing import as_texts

        differs = np.zeros(self.table.row_count, dtype=bool)
        for path in self.fields:
            now, then = as_texts(_one(self.table.values(path))), as_texts(_one(self.values(path)))
            same = pc.or_(
                pc.fill_null(pc.equal(now, then), False), pc.and_(now.is_null(), then.is_null())
            )
            differs |= ~same.to_numpy(zero_copy_only=False)
        return differs

    @cached_property
    def _issues_now(self) -> NDArray[np.int64]:
        from tabular.job.issue_files import numbered

        return _keys(numbered(issues_now(self.table), self.issue_fields))

    @cached_property
    def _issues_then(self) -> NDArray[np.int64]:
        return _keys(self.issues)


def _keys(issues: Any) -> NDArray[np.int64]:
    """Return issues as rows of numbers: row, field, code, severity."""
    import numpy as np

    names = ("row", "field", "code", "severity")
    return np.stack([issues[name].to_numpy().astype(np.int64) for name in names], axis=1)


def _errors(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the cells with an error. Replacing one error at a cell with another fixes nothing."""
    errors: NDArray[np.int64] = keys[keys[:, 3] == SEVERITY_ERROR][:, :2]
    return errors


def _only_in(these: NDArray[np.int64], those: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rows of numbers that are in the first array but not in the second."""
    import numpy as np

    rest: NDArray[np.int64] = these[~np.isin(_packed(these), _packed(those))]
    return rest


def _packed(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pack each row of numbers into one number."""
    packed = keys[:, 0]
    for number, bits in enumerate(BITS[: keys.shape[1] - 1], 1):
        packed = (packed << bits) | keys[:, number]
    return packed


def _rows_of(keys: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    import numpy as np

    mask = np.zeros(count, dtype=bool)
    mask[keys[:, 0]] = True
    return mask


def _one(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
