"""A table's stored issues: sorted by row, written without holding them all in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.issue import CODES
from tabular.protocol.results import Counts
from tabular.types.rows import Finding

ISSUES_FILE = "issues.arrow"
SEVERITIES = ("valid", "warning", "error")
_WORD = pa.dictionary(pa.int32(), pa.string())
ISSUES = pa.schema(
    [
        ("row", pa.int64()),
        ("field", _WORD),
        ("code", _WORD),
        ("severity", _WORD),
        ("value", pa.string()),
        ("params", pa.string()),
    ]
)
FOUND = pa.schema(
    [
        ("row", pa.int64()),
        ("field", pa.int32()),
        ("code", pa.int32()),
        ("severity", pa.int32()),
        ("value", pa.string()),
        ("params", pa.string()),
    ]
)
_VALUE_LENGTH = 1_000  # characters of a value kept in an issue; the cell itself keeps all


@dataclass(frozen=True, slots=True)
class IssueWords:
    """The closed lists of words in an issue file, with the same numbers in all of its batches."""

    fields: tuple[str, ...]

    def numbered(self, findings: Sequence[Finding]) -> pa.RecordBatch:
        """Return findings with numbers instead of words, sorted by row and field."""
        if not findings:
            return pa.RecordBatch.from_arrays([pa.array([], f.type) for f in FOUND], schema=FOUND)
        table = pa.Table.from_batches([self._batch(finding) for finding in findings])
        return by_row(table)

    def _batch(self, finding: Finding) -> pa.RecordBatch:
        size, params = len(finding.rows), finding.params
        if not isinstance(params, pa.Array):
            params = pa.repeat(pa.scalar(params, pa.string()), size)
        numbers = (
            self.fields.index(finding.field),
            CODES.index(finding.code),
            SEVERITIES.index(finding.severity),
        )
        words = [pa.repeat(pa.scalar(number, pa.int32()), size) for number in numbers]
        value = pc.utf8_slice_codeunits(finding.values, 0, _VALUE_LENGTH)
        return pa.RecordBatch.from_arrays(
            [pa.array(finding.rows, pa.int64()), *words, value, params], schema=FOUND
        )

    def spelled(self, issues: pa.RecordBatch) -> pa.RecordBatch:
        """Return findings with words instead of the numbers."""
        dictionaries = (self.fields, CODES, SEVERITIES)
        words = [
            pa.DictionaryArray.from_arrays(issues[name], pa.array(words, pa.string()))
            for name, words in zip(("field", "code", "severity"), dictionaries, strict=True)
        ]
        return pa.RecordBatch.from_arrays(
            [issues["row"], *words, issues["value"], issues["params"]], schema=ISSUES
        )


def numbered(issues: pa.Table, fields: tuple[str, ...]) -> pa.Table:
    """Return issues with numbers instead of words, as numbered by ``IssueWords``."""
    words = {"field": fields, "code": CODES, "severity": SEVERITIES}
    columns = {name: issues.column(name) for name in FOUND.names}
    for name, closed in words.items():
        texts = pc.cast(issues.column(name), pa.string())
        columns[name] = pc.index_in(texts, value_set=pa.array(closed, pa.string()))
    return pa.table(columns, schema=FOUND)


def by_row(issues: pa.Table) -> pa.RecordBatch:
    """Sort numbered issues by row, field, code."""
    columns = [issues[name].to_numpy() for name in ("code", "field", "row")]
    ordered = issues.take(pa.array(np.lexsort(columns))).combine_chunks().to_batches()
    return ordered[0] if ordered else pa.RecordBatch.from_pylist([], schema=issues.schema)


class Merging:
    """Merges late issues into their rows and counts everything."""

    def __init__(self, folder: Path, words: IssueWords, late: pa.RecordBatch) -> None:
        self._words = words
        self._late = pa.Table.from_batches([late])
        self._late_rows = late["row"].to_numpy()
        self._writer = pa.ipc.new_file(str(folder / ISSUES_FILE), ISSUES)
        self._by_code = np.zeros(len(CODES), np.int64)
        self._by_severity = np.zeros(len(SEVERITIES), np.int64)

    def write(self, issues: pa.RecordBatch, *, first: int, rows: int) -> pa.Array:
        """Write the issues of some rows. Returns the worst severity of each row, n int8."""
        start, end = np.searchsorted(self._late_rows, (first, first + rows))
        if end > start:
            late = self._late.slice(start, end - start)
            issues = by_row(pa.concat_tables([pa.Table.from_batches([issues]), late]))
        worst = np.zeros(rows, np.int8)
        np.maximum.at(worst, issues["row"].to_numpy() - first, issues["severity"].to_numpy())
        self._by_code += np.bincount(issues["code"].to_numpy(), minlength=len(CODES))
        self._by_severity += np.bincount(worst, minlength=len(SEVERITIES))
        if issues.num_rows:
            self._writer.write_batch(self._words.spelled(issues))
        return pa.array(worst)

    def close(self) -> Counts:
        """Finish the file. Returns the counts of the result."""
        self._writer.close()
        return counts_of(self._by_severity, self._by_code)


def counts_of(by_severity: NDArray[np.int64], by_code: NDArray[np.int64]) -> Counts:
    """Return named counts. by_severity: rows by SEVERITIES. by_code: issues by CODES."""
    valid, warning, error = by_severity.tolist()
    codes = {code: count for code, count in zip(CODES, by_code.tolist(), strict=True) if count}
    return Counts(
        rows=valid + warning + error, valid=valid, warning=warning, error=error, by_code=codes
    )
