"""The files of a large operation, and what is read from the earlier files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from staging import arrays
from staging.columns import SEVERITIES
from staging.edits.texts import Texts
from staging.manifest import Manifest, RowCounts

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabular.types.rows import Finding
    from tabular.validating import UniqueGroup


SLICE_ROWS = 65_536


class Written:
    """Files written into one folder, by the files they replace."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[tuple[str, Any], str] = {}
        self._has_excluded = False

    def column(self, path: str, values: pa.ChunkedArray) -> None:
        """Write the values of a field."""
        import pyarrow as pa

        self._write(("column", path), pa.table({"value": values}))

    def hashes(self, number: int, hashes: NDArray[np.uint64]) -> None:
        """Write the hashes of a uniqueness group."""
        import pyarrow as pa

        self._write(("hash", number), pa.table({"hash": pa.array(hashes)}))

    def texts(self, path: str, texts: Texts) -> None:
        """Write the edited texts of a field."""
        import pyarrow as pa

        self._write(("text", path), pa.table({"row": pa.array(texts.rows), "text": texts.texts}))

    def excluded(self, mask: NDArray[np.bool_]) -> None:
        """Write which rows are excluded."""
        import numpy as np
        import pyarrow as pa

        rows = np.flatnonzero(mask).astype(np.int64)
        self._has_excluded = bool(len(rows))
        if self._has_excluded:
            self._write(("excluded", ""), pa.table({"row": pa.array(rows)}))

    def issues(
        self, issues: pa.RecordBatch, rows: pa.Table, fields: Iterable[str]
    ) -> NDArray[np.int8]:
        """Write the issues and the worst severity of each row. Returns the severities, n int8."""
        import numpy as np
        import pyarrow as pa

        from tabular.job.issue_files import IssueWords

        severity = np.zeros(rows.num_rows, np.int8)
        worst = issues.column("severity").to_numpy().astype(np.int8)
        np.maximum.at(severity, issues.column("row").to_numpy(), worst)
        spelled = IssueWords(tuple(fields)).spelled(issues)
        self._write(("issues", ""), pa.Table.from_batches([spelled]))
        places = {name: rows.column(name) for name in ("source", "ordinal")}
        self._write(("rows", ""), pa.table({**places, "severity": pa.array(severity)}))
        return severity

    def _write(self, what: tuple[str, Any], table: pa.Table) -> None:
        from tabular.protocol.tables import write

        name = f"{what[0]}-{len(self._names):03d}.arrow"
        write(self._folder / name, table)
        self._names[what] = name

    def manifest(self, base: Manifest, folder: str) -> Manifest:
        """Return the base's manifest with these files instead of its own."""

        def named(what: tuple[str, Any], former: str) -> str:
            return f"{folder}/{self._names[what]}" if what in self._names else former

        texts = {p: f"{folder}/{name}" for (kind, p), name in self._names.items() if kind == "text"}
        return replace(
            base,
            columns=tuple(
                replace(c, file=named(("column", c.field), c.file)) for c in base.columns
            ),
            hashes=tuple(
                replace(h, file=named(("hash", n), h.file)) for n, h in enumerate(base.hashes)
            ),
            rows_file=named(("rows", ""), base.rows_file),
            issues_file=named(("issues", ""), base.issues_file),
            text_files={**base.text_files, **texts},
            excluded_file=named(("excluded", ""), "") if self._has_excluded else None,
        )


def repeated(
    group: UniqueGroup, hashes: NDArray[np.uint64], values: Callable[[str], pa.ChunkedArray]
) -> Finding | None:
    """Find the rows of a table that repeat a value that must be unique."""
    import pyarrow as pa

    from tabular.types.hashing import as_texts, shown_in_issues
    from tabular.types.rows import Finding
    from tabular.validating import duplicates

    def exactly(rows: Any) -> list[tuple[str | None, ...]]:
        parts = [as_texts(arrays.take(values(p), rows)).to_pylist() for p in group.fields]
        return list(zip(*parts, strict=True))

    later, firsts = duplicates(hashes, exactly)
    if not len(later):
        return None
    params = pa.array([group.params(first) for first in firsts.tolist()], pa.string())
    texts = shown_in_issues(arrays.take(values(group.fields[0]), later))
    return Finding(group.fields[0], "unique", group.severity, later, texts, params)


def counts_of(
    severity: NDArray[np.int8], issues: pa.RecordBatch, excluded: NDArray[np.bool_]
) -> RowCounts:
    """Count rows and issues, without the issues of excluded rows."""
    import numpy as np

    from tabular.model.issue import CODES

    shown = np.bincount(severity[~excluded], minlength=len(SEVERITIES)).tolist()
    codes = issues.column("code").to_numpy()[~excluded[issues.column("row").to_numpy()]]
    by_code = np.bincount(codes, minlength=len(CODES)).tolist()
    return RowCounts(
        rows=len(severity),
        **dict(zip(SEVERITIES, shown, strict=True)),
        excluded=int(excluded.sum()),
        by_code={code: count for code, count in zip(CODES, by_code, strict=True) if count},
    )
