"""What an edit changes: its cell, its row, and the rows that share a value that must be unique."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from tabular.model.defect import Defect, contained
from tabular.model.issue import Issue
from tabular.protocol.plan import TransformPlan
from tabular.protocol.results import TableFiles
from tabular.protocol.tables import column, whole
from tabular.rechecking.reach import Reach, reach_of, with_countries
from tabular.transforming.inferred import Inferred
from tabular.transforming.reading_rows import read_rows
from tabular.transforming.some_rows import rows_at
from tabular.transforming.source import Source
from tabular.types.hashing import Hashes, as_texts, read_aloud
from tabular.types.rows import Finding, TypedRows, not_checked
from tabular.validating import UniqueGroup, check_rows, unique_groups
from tabular.values.arrays import Rows

Cell = tuple[int, str]  # output row, field path
Edits = Mapping[Cell, str | None]  # the texts of edited cells
Exact = tuple[str | None, ...]  # the values of one row in a uniqueness group
FEW = 8  # values that are found faster one by one than by sorting with a whole column


class Staged:
    """The files of one transformed table. path_of: where a file of this name is read."""

    def __init__(self, path_of: Callable[[str], Path], files: TableFiles) -> None:
        self._path_of = path_of
        self._files = files.file_of
        self._hashes = [group.file for group in files.hashes]
        self._rows = files.rows_file
        self._opened: dict[str, pa.ChunkedArray] = {}

    @cached_property
    def places(self) -> pa.Table:
        """``source``, ``ordinal``, ``severity`` of each output row."""
        return whole(self._path_of(self._rows))

    def values(self, path: str, rows: Rows) -> pa.Array:
        """Return the values of a field in some rows."""
        return self._column(self._files[path]).take(pa.array(rows)).combine_chunks()

    def hashes(self, group: int, rows: Rows) -> Hashes:
        """Return the hashes of some rows in a uniqueness group."""
        own = self._column(self._hashes[group]).take(pa.array(rows))
        hashes: Hashes = own.to_numpy()
        return hashes

    def _column(self, file: str) -> pa.ChunkedArray:
        if file not in self._opened:
            self._opened[file] = column(self._path_of(file))
        return self._opened[file]

    def rows_with(self, group: int, hashes: Hashes) -> Rows:
        """Return the rows whose hash in a uniqueness group is one of ``hashes``."""
        stored = self._column(self._hashes[group]).to_numpy()
        wanted = np.unique(hashes[hashes != 0])
        if len(wanted) > FEW:
            return np.flatnonzero(np.isin(stored, wanted)).astype(np.int64)
        rows = [np.flatnonzero(stored == hash_) for hash_ in wanted]
        return np.sort(np.concatenate([np.zeros(0, np.int64), *rows]))


@dataclass(frozen=True, slots=True)
class ExcludedRows:
    """Excluded rows: ``rows`` as they will be, ascending; ``moved``: newly excluded or included."""

    rows: Rows
    moved: frozenset[int] = frozenset()


NONE_EXCLUDED = ExcludedRows(np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True)
class Rechecked:
    """
    The state of the touched rows after the edits.

    rows: the m rows that were edited, excluded or included. values: per field path that was read, m
    values. issues: per row, everything within the reach of the change except ``unique``. unique:
    per uniqueness group, the rows whose finding may have changed, each with its finding now, or
    None; groups that report at one field have the same rows. An excluded row repeats nothing, and
    nothing repeats it.
    """

    rows: tuple[int, ...]
    values: dict[str, pa.Array]
    issues: dict[int, tuple[Issue, ...]]
    unique: tuple[dict[int, Issue | None], ...]
    defects: tuple[Defect, ...] = ()


def recheck(
    source: Source,
    staged: Staged,
    *,
    plan: TransformPlan,
    inferred: Inferred,
    edits: Edits,
    others: Edits | None = None,
    former: Edits | None = None,
    reach: Reach | None = None,
    excluded: ExcludedRows = NONE_EXCLUDED,
) -> Rechecked:
    """
    Read and check edited and moved rows again, and the rows they share unique values with.

    edits: the current texts of the touched rows' cells, earlier edits of these rows included.
    others: the edited cells of further rows, which the files do not show. former: the texts of
    earlier edits that ``edits`` replaces or reverts. reach: what the change can alter; None checks
    every field.
    """
    reach = reach or reach_of(plan, plan.fields)
    groups = unique_groups(plan.target, paths=plan.used_fields)
    judged = with_countries(plan, {path for group in groups for path in group.fields})
    table = _Table(source, staged, plan, inferred)
    rows = sorted({row for row, _ in edits} | excluded.moved)
    touched = bool(excluded.moved) or not judged.isdisjoint(reach.fields)
    now = table.read(rows, edits, reach.needed | judged if touched else reach.needed)
    fresh = [f for f in now.findings if f.field in reach.fields] + check_rows(now, reach.rules)
    before = table.read(rows, former, judged) if former and touched else None
    about = _About(rows, now, before, others or {}, excluded)
    rechecked = [
        table.compared(i, group, about, fresh)
        if excluded.moved or not reach.fields.isdisjoint(group.fields)
        else {}
        for i, group in enumerate(groups)
    ]
    for field in {group.fields[0] for group in groups}:
        alike = [i for i, group in enumerate(groups) if group.fields[0] == field]
        rows_of_field = {row for i in alike for row in rechecked[i]}
        for i in alike:
            missing = rows_of_field - rechecked[i].keys()
            if missing:
                with contained(field, "unique", now.defects):
                    rechecked[i] |= table.findings(i, groups[i], missing, edits, about)
    issues = _issues(fresh, rows)
    return Rechecked(tuple(rows), now.values, issues, tuple(rechecked), tuple(now.defects))


@dataclass(frozen=True, slots=True)
class _About:
    """What is compared: the touched rows as they are now and were before, and what is set aside."""

    rows: list[int]
    now: TypedRows
    before: TypedRows | None
    others: Edits
    excluded: ExcludedRows


@dataclass(frozen=True, slots=True)
class _Table:
    source: Source
    staged: Staged
    plan: TransformPlan
    inferred: Inferred

    def read(self, numbers: Iterable[int], edits: Edits, paths: frozenset[str]) -> TypedRows:
        """Read some fields of some output rows, in ascending order, with their edits."""
        rows = sorted(numbers)
        places_read = self.staged.places.take(pa.array(rows, pa.int64()))
        places = zip(
            places_read["source"].to_pylist(), places_read["ordinal"].to_pylist(), strict=True
        )
        step_rows = rows_at(self.source, self.plan, list(places))
        at = {row: i for i, row in enumerate(rows)}
        by_path: dict[str, dict[int, str | None]] = {}
        for (row, path), text in edits.items():
            by_path.setdefault(path, {})[at[row]] = text
        return read_rows(
            step_rows, plan=self.plan, inferred=self.inferred, edits=by_path, paths=paths
        )

    def compared(
        self, index: int, group: UniqueGroup, about: _About, fresh: list[Finding]
    ) -> dict[int, Issue | None]:
        """Compare by one group. If our own code fails, the rows are not checked."""
        now, path = about.now, group.fields[0]
        with contained(path, "unique", now.defects):
            return self.unique(
                index,
                group,
                rows=about.rows,
                now=now,
                before=about.before,
                others=about.others,
                excluded=about.excluded,
            )
        fresh.append(not_checked(path, now.texts[path], first=0))
        return {}

    def unique(
        self,
        index: int,
        group: UniqueGroup,
        *,
        rows: list[int],
        now: TypedRows,
        before: TypedRows | None,
        others: Edits,
        excluded: ExcludedRows,
    ) -> dict[int, Issue | None]:
        """Return which of the rows concerned repeat a unique value, and which have it first."""
        moved = sorted({row for row, path in others if path in group.fields} - set(rows))
        at = np.array(rows, np.int64)
        wanted = [group.hashes(now), self.staged.hashes(index, at)]
        concerned = {*_exactly(group, now), *self._stored(group, at)}
        if before is not None:
            wanted.append(group.hashes(before))
            concerned.update(_exactly(group, before))
        stored = self.staged.rows_with(index, np.concatenate(wanted))
        stored = stored[~np.isin(stored, np.array([*rows, *moved], np.int64))]
        values = dict(zip(stored.tolist(), self._stored(group, stored), strict=True))
        if moved:
            paths = with_countries(self.plan, group.fields)
            of_moved = {c: text for c, text in others.items() if c[0] in moved}
            aside = self.read(moved, of_moved, paths)
            values |= dict(zip(moved, _exactly(group, aside), strict=True))
        values |= dict(zip(rows, _exactly(group, now), strict=True))
        kept = {row: value for row, value in values.items() if value in concerned or row in rows}
        return _judged(group, dict(sorted(kept.items())), excluded)

    def findings(
        self,
        index: int,
        group: UniqueGroup,
        rows: Collection[int],
        edits: Edits,
        about_all: _About,
    ) -> dict[int, Issue | None]:
        """Return the findings of a few rows: a further group reports at a field that is checked."""
        known, excluded = {**about_all.others, **edits}, about_all.excluded
        about = {cell: text for cell, text in known.items() if cell[0] in rows}
        aside = {cell: text for cell, text in known.items() if cell[0] not in rows}
        paths = with_countries(self.plan, group.fields)
        now = self.read(rows, about, paths)
        judged = self.unique(
            index, group, rows=sorted(rows), now=now, before=None, others=aside, excluded=excluded
        )
        return {row: judged[row] for row in rows}

    def _stored(self, group: UniqueGroup, rows: Rows) -> list[Exact]:
        parts = [as_texts(self.staged.values(path, rows)).to_pylist() for path in group.fields]
        return list(zip(*parts, strict=True))


def _exactly(group: UniqueGroup, rows: TypedRows) -> list[Exact]:
    parts = [as_texts(rows.values[path]).to_pylist() for path in group.fields]
    return list(zip(*parts, strict=True))


def _judged(
    group: UniqueGroup, values: Mapping[int, Exact], excluded: ExcludedRows
) -> dict[int, Issue | None]:
    firsts: dict[Exact, int] = {}
    aside = set(np.intersect1d(np.fromiter(values, np.int64, len(values)), excluded.rows).tolist())
    return {
        row: None
        if row in aside
        or all(part is None for part in value)
        or (first := firsts.setdefault(value, row)) == row
        else Issue(
            code="unique",
            severity=group.severity,
            row=row,
            field=group.fields[0],
            value=read_aloud(value[0]),
            params=orjson.loads(group.params(first)),
        )
        for row, value in values.items()
    }


def _issues(findings: list[Finding], numbers: list[int]) -> dict[int, tuple[Issue, ...]]:
    by_number: dict[int, list[Issue]] = {number: [] for number in numbers}
    for finding in findings:
        params = orjson.loads(finding.params) if isinstance(finding.params, str) else {}
        for place, text in zip(finding.rows.tolist(), finding.values.to_pylist(), strict=True):
            by_number[numbers[place]].append(_issue(finding, numbers[place], text, params))
    return {number: tuple(issues) for number, issues in by_number.items()}


def _issue(finding: Finding, row: int, text: str | None, params: dict[str, Any]) -> Issue:
    return Issue(
        code=finding.code,
        severity=finding.severity,
        row=row,
        field=finding.field,
        value=text,
        params=params,
    )
