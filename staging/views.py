"""Select and order the rows of a revision, once per view; the result is cached.

A view is an array of row numbers. Pages come from the array. An edit makes a new revision and
leaves the old revision's array as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from django.conf import settings

from staging import arrays
from staging.columns import SEVERITIES, StagedTable
from staging.defects import column_alone
from staging.issues import issues_now
from staging.marks import Marks

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

Filter = Literal["all", "valid", "error", "warning", "edited", "changed", "excluded"]
FILTERS: tuple[Filter, ...] = (
    "all", "valid", "error", "warning", "edited", "changed", "excluded",
)  # fmt: skip
Meant = tuple[tuple[str, tuple[str | int | float, ...]], ...]  # field path, some of its values
MAX_CACHED_BYTES = 512 * 1024**2
SEARCH_THREADS = 2
BLOCK_ROWS = 65_536  # compared with the file at a time


@dataclass(frozen=True, slots=True)
class View:
    """Which rows, and in which order; docs/review.md says where excluded rows show."""

    filter: Filter = "all"
    field: str | None = None  # issues, search: only in this field
    code: str | None = None  # only rows with this issue
    search: str = ""  # text that a value or a rejected text contains, ignoring case
    meant: Meant = ()  # values that match as well, because users see the text instead of them
    sort: str | None = None  # field path
    descending: bool = False

    @classmethod
    def kept(cls, members: Mapping[str, Any]) -> Self:
        """Read what was stored as JSON."""
        meant = tuple((path, tuple(values)) for path, values in members.get("meant", ()))
        return cls(**{**members, "meant": meant})

    @property
    def is_whole(self) -> bool:
        """Whether every row is shown, in the order of the file."""
        return self == View()

    @property
    def named(self) -> dict[str, str | None]:
        """The fields that a request names, by the pointer to where it does."""
        return {"/view/field": self.field, "/view/sort/field": self.sort}

    @property
    def asks_for_issues(self) -> bool:
        """Whether only rows with certain issues are shown."""
        by_field = self.field is not None and not self.search and self.filter in _BY_SEVERITY
        return self.code is not None or by_field


_BY_SEVERITY = frozenset({"error", "warning"})


def resolve(table: StagedTable, view: View) -> Rows:
    """Return the rows of a view, in its order, cached or computed and then cached."""
    import numpy as np

    if view.is_whole:
        return np.arange(table.row_count, dtype=np.int64)
    path = _cached_at(table, view)
    try:
        rows: Rows = np.asarray(np.load(path, mmap_mode="r"))  # a view without memmap's overhead
    except (OSError, ValueError):
        rows = _rows(table, view)
        _keep(path, rows)
    else:
        os.utime(path)
    return rows


def _rows(table: StagedTable, view: View) -> Rows:
    import numpy as np

    mask = _filtered(table, view.filter)
    if view.asks_for_issues:
        mask &= _with_issue(table, view)
    if view.search:
        mask &= _containing(table, view)
    rows = np.flatnonzero(mask).astype(np.int64)
    if view.sort:
        with column_alone(table.revision.subject, view.sort, "sort"):
            return _sorted(table, view, rows)
    return rows


def _filtered(table: StagedTable, name: Filter) -> NDArray[np.bool_]:
    import numpy as np

    if name == "all":
        return np.ones(table.row_count, dtype=bool)
    if name == "edited":
        return table.is_edited.copy()
    if name == "changed":
        return _changed(table)
    if name == "excluded":
        return table.is_excluded.copy()
    mask: NDArray[np.bool_] = table.severities == SEVERITIES.index(name)
    return mask & ~table.is_excluded


def _changed(table: StagedTable) -> NDArray[np.bool_]:
    """Return whether each row has a value that differs from the file's text."""
    import numpy as np
    import pyarrow.compute as pc

    mask = np.zeros(table.row_count, dtype=bool)
    issues = issues_now(table)
    rows = issues.column("row").to_numpy()
    at_fault = {
        path: rows[pc.equal(issues.column("field"), path).to_numpy(zero_copy_only=False)]
        for path in table.files.by_field
    }
    values = {column.field: table.values(column.field) for column in table.columns}
    for start in range(0, table.row_count, BLOCK_ROWS):
        block = np.arange(start, min(start + BLOCK_ROWS, table.row_count), dtype=np.int64)
        marks = Marks(table, block)
        for path, column in values.items():
            is_at_fault = np.zeros(len(block), dtype=bool)
            faulty = at_fault[path]
            first, end = np.searchsorted(faulty, (start, start + len(block)))
            is_at_fault[faulty[first:end] - start] = True
            with column_alone(table.revision.subject, path, "changed"):
                mask[block] |= marks.changed(path, arrays.take(column, block), is_at_fault)
        table.files.let_go_of_pages()
    return mask


def _with_issue(table: StagedTable, view: View) -> NDArray[np.bool_]:
    import numpy as np
    import pyarrow.compute as pc

    issues = table.files.issues
    wanted = np.ones(issues.num_rows, dtype=bool)
    severity = view.filter if view.filter in _BY_SEVERITY else None
    conditions = {"field": view.field, "code": view.code, "severity": severity}
    for name, value in conditions.items():
        if value is not None:
            wanted &= pc.equal(issues.column(name), value).to_numpy()
    mask = np.zeros(table.row_count, dtype=bool)
    mask[table.files.issue_rows[wanted]] = True
    some = {name: value for name, value in conditions.items() if value is not None}.items()
    mask[table.overlay.rows] = [
        any(some <= issue.items() for issue in patch.issues) for patch in table.overlay.in_order
    ]
    return mask


def _containing(table: StagedTable, view: View) -> NDArray[np.bool_]:
    import numpy as np

    paths = [c.field for c in table.columns if view.field in {None, c.field}]
    mask = _refused_texts(table, view)
    meant = dict(view.meant)

    def matches(path: str) -> NDArray[np.bool_] | None:
        with column_alone(table.revision.subject, path, "search"):
            return _matches(table.values(path), view.search, meant.get(path, ()))
        return None

    with ThreadPoolExecutor(SEARCH_THREADS) as pool:
        for matched in pool.map(matches, paths):
            if matched is not None:
                mask |= matched
    return np.asarray(mask)


def _matches(
    values: pa.ChunkedArray, text: str, meant: Sequence[str | int | float] = ()
) -> NDArray[np.bool_]:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.types.hashing import as_texts

    masks = []
    for chunk in values.chunks:
        texts = as_texts(chunk)
        hit = pc.match_substring(texts, text, ignore_case=True)
        if meant:
            hit = pc.or_kleene(hit, _is_one_of(texts, chunk.type, meant))
        masks.append(pc.fill_null(hit, False).to_numpy(zero_copy_only=False))
    empty = pa.array([], pa.bool_()).to_numpy(zero_copy_only=False)
    return np.concatenate(masks) if masks else empty


def _is_one_of(texts: pa.Array, kind: pa.DataType, meant: Sequence[str | int | float]) -> pa.Array:
    """Return whether each value, or any value of a list, is one of some; compared as texts."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.types.hashing import BETWEEN, as_texts

    is_list = pa.types.is_list(kind)
    wanted = as_texts(_of_kind(meant, kind.value_type if is_list else kind))
    if not is_list:
        return pc.is_in(texts, value_set=wanted)
    parts = pc.split_pattern(texts, BETWEEN)
    rows = pc.list_parent_indices(parts).to_numpy(zero_copy_only=False)
    hits = pc.is_in(pc.list_flatten(parts), value_set=wanted).to_numpy(zero_copy_only=False)
    mask = np.zeros(len(texts), dtype=bool)
    mask[rows[hits]] = True
    return pa.array(mask)


def _of_kind(values: Sequence[str | int | float], kind: pa.DataType) -> pa.Array:
    """Return the values that a column of a kind can hold: options may have several types."""
    import pyarrow as pa

    held = []
    for value in values:
        try:
            held.append(pa.scalar(value, kind))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            continue
    return pa.array([scalar.as_py() for scalar in held], kind)


def _refused_texts(table: StagedTable, view: View) -> NDArray[np.bool_]:
    """Return which rows have a rejected text that matches; it is found in the text of its issue."""
    import numpy as np
    import pyarrow.compute as pc

    issues = table.files.issues
    wanted = pc.match_substring(issues.column("value"), view.search, ignore_case=True)
    hits = pc.fill_null(wanted, False).to_numpy()
    if view.field is not None:
        hits = hits & pc.equal(issues.column("field"), view.field).to_numpy()
    mask = np.zeros(table.row_count, dtype=bool)
    mask[table.files.issue_rows[hits]] = True
    sought = view.search.casefold()
    mask[table.overlay.rows] = [
        any(
            sought in (issue["value"] or "").casefold() and view.field in {None, issue["field"]}
            for issue in patch.issues
        )
        for patch in table.overlay.in_order
    ]
    return mask


def _sorted(table: StagedTable, view: View, rows: Rows) -> Rows:
    """Sort rows by a value: equal ones stay in the order of the file, empty ones come last."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.types.hashing import as_texts

    values = table.values(str(view.sort))
    if len(rows) < len(values):
        from staging.arrays import take

        values = pa.chunked_array([take(values, rows)])
    if pa.types.is_nested(values.type):
        values = pa.chunked_array([as_texts(chunk) for chunk in values.chunks], pa.string())
    order = "descending" if view.descending else "ascending"
    keys = _ranks(values) if pa.types.is_string(values.type) else values
    indices = pc.sort_indices(pa.table({"key": keys}), sort_keys=[("key", order)])
    return np.asarray(rows[indices.to_numpy()])


def _ranks(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return each text's rank among the distinct ones, which sort faster than the texts."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    encoded = texts.combine_chunks().dictionary_encode()
    order = pc.sort_indices(encoded.dictionary).to_numpy()
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return pa.chunked_array([pa.array(ranks).take(encoded.indices)])


def _cached_at(table: StagedTable, view: View) -> Path:
    revision = table.revision
    name = json.dumps([revision.subject, revision.number, asdict(view)], ensure_ascii=True)
    return _folder() / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.npy"


def _folder() -> Path:
    folder = Path(settings.DATA_DIR) / "cache" / "views"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep(path: Path, rows: Any) -> None:
    """Write the array to the cache, and remove the least recently used ones."""
    import numpy as np

    part = path.with_name(f".{secrets.token_hex(6)}.npy")
    np.save(part, rows)
    part.rename(path)
    kept = sorted(_sizes(path.parent), reverse=True)
    total = 0
    for _, size, old in kept:
        total += size
        if total > MAX_CACHED_BYTES:
            old.unlink(missing_ok=True)


def _sizes(folder: Path) -> list[tuple[float, int, Path]]:
    entries = []
    for path in folder.glob("*.npy"):
        try:
            about = path.stat()
        except FileNotFoundError:  # another process removed it first
            continue
        entries.append((about.st_mtime, about.st_size, path))
    return entries
