"""An operation too large for an overlay: new files for what it changes, the others by name.

The rows are read and checked by the functions of a transform. Only the changed fields, and the
rules that use them, run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from common import storage
from staging import arrays
from staging.changes import UNLIMITED, Effort, Prepared
from staging.columns import StagedTable
from staging.defects import column_alone, log_defects
from staging.edits import entity_links, groups, rewritten_files
from staging.edits.texts import Texts, edited_fields, edited_texts
from staging.issues import issues_now
from staging.manifest import RowCounts
from tabular.model.defect import NOT_CHECKED
from tabular.protocol.parts import parts_of

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from tabular.rechecking.reach import Reach
    from tabular.types.rows import Finding
    from tabular.validating import GroupRules


@dataclass(frozen=True)
class BulkChanges:
    """
    New texts by field, and rows to exclude or include, ascending.

    about: what the revision keeps besides the parameters of the change.
    """

    texts: Mapping[str, Texts]
    exclude: Rows
    include: Rows
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cells(self) -> int:
        """The number of cells and rows that are named."""
        return sum(map(len, self.texts.values())) + len(self.exclude) + len(self.include)


@dataclass
class _Reread:
    """What the changed rows hold now. values: per field, one array per batch."""

    values: dict[str, list[pa.Array]]
    findings: list[Finding] = field(default_factory=list)


class Rewrite:
    """One operation over one table; nothing is written until its files are requested."""

    def __init__(
        self,
        table: StagedTable,
        changes: BulkChanges,
        found_by_hosts: list[Finding] | None,
        more: Sequence[Finding] = (),
        effort: Effort = UNLIMITED,
    ) -> None:
        self.table, self.changes, self.found_by_hosts = table, changes, found_by_hosts
        self.more = more
        self._note = effort.note
        self.plan, self.inferred = table.files.plan, table.files.inferred
        self.issue_fields = (*self.plan.fields, "")  # "": about a whole row
        self.uncompared: list[Finding] = []  # of a group whose values could not be compared

    @cached_property
    def texts(self) -> dict[str, Texts]:
        """All edited texts after the operation, by field."""
        new = self.changes.texts
        merged = {path: edited_texts(self.table, path) for path in edited_fields(self.table)}
        for path, texts in new.items():
            merged[path] = texts.over(merged[path]) if path in merged else texts
        return merged

    @cached_property
    def rows(self) -> Rows:
        """The rows with a new text, ascending."""
        return arrays.ascending(*(texts.rows for texts in self.changes.texts.values()))

    @cached_property
    def reach(self) -> Reach:
        """What is read again, and which rules run again."""
        from tabular.rechecking.reach import reach_of

        return reach_of(self.plan, self.changes.texts)

    @property
    def fields(self) -> frozenset[str]:
        """The fields whose values may change."""
        return self.reach.fields

    @cached_property
    def reread(self) -> _Reread:
        """The changed rows, read and checked again."""
        import numpy as np

        from tabular.transforming.executing import execute

        result = _Reread({path: [] for path in self.fields})
        first = 0
        for step_rows in execute(self.table.files.source, self.plan):
            start, end = np.searchsorted(self.rows, (first, first + len(step_rows)))
            if end > start:
                rows = self.rows[start:end]
                self._reread_batch(step_rows.take(rows - first), rows, result)
            first += len(step_rows)
            self._note("changing", first, self.table.row_count)
        return result

    def _reread_batch(self, step_rows: Any, rows: Rows, result: _Reread) -> None:
        from dataclasses import replace

        from tabular.transforming.reading_rows import read_rows
        from tabular.validating import check_rows

        needed = self.reach.needed
        edits = {path: self.texts[path].among(rows) for path in needed if path in self.texts}
        typed = read_rows(
            step_rows,
            plan=self.plan,
            inferred=self.inferred,
            edits=edits,
            paths=needed,
        )
        fresh = [finding for finding in typed.findings if finding.field in self.fields]
        for finding in (*fresh, *check_rows(typed, self.reach.rules)):
            result.findings.append(replace(finding, rows=rows[finding.rows]))
        log_defects(self.table.revision.subject, typed.defects)
        for path in self.fields:
            result.values[path].append(typed.values[path])

    @cached_property
    def columns(self) -> dict[str, pa.ChunkedArray]:
        """The columns that differ from the files of the base."""
        import pyarrow as pa

        stale = {path for patch in self.table.overlay.in_order for path in patch.values}
        columns = {path: self.table.values(path) for path in stale | self.fields}
        for path in self.fields if len(self.rows) else ():
            by = pa.concat_arrays(self.reread.values[path])
            columns[path] = arrays.replaced(columns[path], self.rows, by)
        return columns

    def values(self, path: str) -> pa.ChunkedArray:
        """Return a column as it will be after the operation."""
        return self.columns.get(path, self.table.files.values(path))

    @cached_property
    def hashes(self) -> dict[int, NDArray[np.uint64]]:
        """The hashes of the uniqueness groups that are touched, by number of the group."""

        from tabular.types.hashing import hash_rows

        rows = arrays.ascending(self.rows, self.table.overlay.rows)
        by_path = {}
        for number, group in enumerate(self.table.files.groups):
            if not self.columns.keys().isdisjoint(group.fields):
                hashes = self.table.files.hashes(number).copy()
                hashes[rows] = 0
                with column_alone(self.table.revision.subject, group.fields[0], "unique"):
                    parts = [arrays.take(self.values(path), rows) for path in group.fields]
                    hashes[rows] = hash_rows(parts)
                    by_path[number] = hashes
                if number not in by_path:
                    by_path[number] = hashes
                    self.uncompared.append(_not_checked(group.fields[0], rows))
        return by_path

    @cached_property
    def issues(self) -> pa.RecordBatch:
        """All issues after the operation, with words as numbers."""
        import pyarrow as pa

        from tabular.job.issue_files import IssueWords, by_row, numbered

        words = IssueWords(self.issue_fields)
        kept = numbered(issues_now(self.table), words.fields)
        kept = kept.filter(pa.array(~self._is_stale(kept, words.fields)))
        reread = self.reread.findings if len(self.rows) else ()
        findings = [*reread, *self._repeated(), *self._referring(), *(self.found_by_hosts or ())]
        findings += self._in_groups()
        findings += self.more
        fresh = words.numbered([*findings, *self.uncompared])
        return by_row(_once(pa.concat_tables([kept, pa.Table.from_batches([fresh])])))

    def _is_stale(self, issues: pa.Table, fields: tuple[str, ...]) -> NDArray[np.bool_]:
        import numpy as np

        from tabular.model.issue import CODES, CODES_OF_HOSTS
        from tabular.resolving.findings import CODES as REFERENCE_CODES

        code, field_ = issues.column("code").to_numpy(), issues.column("field").to_numpy()
        unique = code == CODES.index("unique")
        again = {(fields.index(r.field), CODES.index(r.code)) for r in self.reach.rules}
        pairs = field_.astype(np.int64) * len(CODES) + code
        ruled = np.isin(pairs, np.array([f * len(CODES) + c for f, c in again], np.int64))
        read = np.isin(field_, [fields.index(path) for path in self.fields])
        in_rows = np.isin(issues.column("row").to_numpy(), self.rows)
        firsts = [fields.index(self.table.files.groups[n].fields[0]) for n in self._judged_again]
        stale: NDArray[np.bool_] = in_rows & (ruled | read) & ~unique
        stale |= unique & np.isin(field_, firsts)
        if self.found_by_hosts is not None:
            hosts = [CODES.index(name) for name in CODES_OF_HOSTS]
            stale |= np.isin(code, np.array(hosts, np.int64))
        for rules in self._regrouped:
            pairs_of = [
                fields.index(f) * len(CODES) + c
                for f in rules.nesting.fields
                for c, name in enumerate(CODES)
                if rules.reports(f, name)
            ]
            stale |= np.isin(pairs, np.array(pairs_of, np.int64))
        if self._refers_again:
            about = [CODES.index(name) for name in REFERENCE_CODES]
            stale |= np.isin(code, np.array(about, np.int64))
        return stale

    @cached_property
    def _refers_again(self) -> bool:
        moved = len(self.changes.exclude) or len(self.changes.include)
        concerned = entity_links.concerned_paths(self.table.files)
        return bool(concerned) and (bool(moved) or not concerned.isdisjoint(self.fields))

    def _referring(self) -> list[Finding]:
        """Check all references again if the change can affect any."""

        if not self._refers_again:
            return []
        taken = ~self.is_excluded
        resolution = entity_links.resolved(
            self.table,
            values=self.values,
            taken=taken,
            edited=arrays.ascending(entity_links.edited_rows(self.table), self.rows),
            plan=self.plan,
        )
        return entity_links.findings_of(self.table, resolution, taken)

    @cached_property
    def _regrouped(self) -> tuple[GroupRules, ...]:
        moved = bool(len(self.changes.exclude) or len(self.changes.include))
        return groups.rules_of(self.table.files, self.fields, has_moved=moved)

    def _in_groups(self) -> list[Finding]:
        """Check the rows of each parent again if the change can affect any."""
        import numpy as np

        rows = np.arange(self.table.row_count, dtype=np.int64)
        return [
            finding
            for rules in self._regrouped
            for finding in groups.Regrouped(self.table, rules, self.values).findings(
                rows, ~self.is_excluded
            )
        ]

    @property
    def _judged_again(self) -> list[int]:
        """The affected groups, and those that report at the same field."""
        groups = self.table.files.groups
        if len(self.changes.exclude) or len(self.changes.include):
            return list(range(len(groups)))
        firsts = {groups[number].fields[0] for number in self.hashes}
        return [number for number, group in enumerate(groups) if group.fields[0] in firsts]

    def _repeated(self) -> list[Finding]:
        findings = [
            rewritten_files.repeated(
                self.table.files.groups[n], self._judged_hashes(n), self.values
            )
            for n in self._judged_again
        ]
        return [finding for finding in findings if finding is not None]

    def _judged_hashes(self, number: int) -> NDArray[np.uint64]:
        """Return the hashes of a group; an excluded row repeats nothing (0)."""
        import numpy as np

        hashes = self._hashes_of(number)
        return (
            np.where(self.is_excluded, np.uint64(0), hashes) if self.is_excluded.any() else hashes
        )

    def _hashes_of(self, number: int) -> NDArray[np.uint64]:
        if number in self.hashes:
            return self.hashes[number]
        return self.table.files.hashes(number)

    @cached_property
    def is_excluded(self) -> NDArray[np.bool_]:
        """Whether each row will be excluded."""
        mask = self.table.is_excluded.copy()
        mask[self.changes.exclude] = True
        mask[self.changes.include] = False
        return mask


def _not_checked(path: str, rows: Rows) -> Finding:
    import pyarrow as pa

    from tabular.types.rows import Finding

    return Finding(path, NOT_CHECKED, "error", rows, pa.nulls(len(rows), pa.string()))


def _once(issues: pa.Table) -> pa.Table:
    """Keep only one ``not_checked`` issue per cell."""
    import numpy as np
    import pyarrow as pa

    from tabular.model.issue import CODES

    failed = np.flatnonzero(issues["code"].to_numpy() == CODES.index(NOT_CHECKED))
    cells = np.stack([issues[name].to_numpy()[failed] for name in ("row", "field")], axis=1)
    stays = np.ones(issues.num_rows, dtype=bool)
    stays[failed] = False
    stays[failed[np.unique(cells, axis=0, return_index=True)[1]]] = True
    return issues if stays.all() else issues.filter(pa.array(stays))


def prepare_rewrite(
    table: StagedTable,
    changes: BulkChanges,
    *,
    kind: str,
    found_by_hosts: list[Finding] | None = None,  # None: earlier findings stay
    more: Sequence[Finding] = (),
    effort: Effort = UNLIMITED,
) -> Prepared:
    """Write the files of a large operation. A caller that does not commit it must drop them."""
    rewrite = Rewrite(table, changes, found_by_hosts, more, effort)
    with storage.working_folder("rewrite") as folder:
        made = folder / "out"
        made.mkdir()
        files, counts = _write(rewrite, made)
        stored = storage.adopt("staged", made, parts_of=parts_of)
    return Prepared(
        kind=kind,
        parent=table.revision,
        counts=counts,
        cells=changes.cells,
        manifest=files.manifest(table.files.manifest, stored),
        folder=stored,
    )


def _write(rewrite: Rewrite, made: Path) -> tuple[rewritten_files.Written, RowCounts]:
    files = rewritten_files.Written(made)
    for path, column in rewrite.columns.items():
        files.column(path, column)
    for number, hashes in rewrite.hashes.items():
        files.hashes(number, hashes)
    for path, texts in rewrite.texts.items():
        files.texts(path, texts)
    files.excluded(rewrite.is_excluded)
    counts = files.issues(rewrite.issues, rewrite.table.files.rows, rewrite.issue_fields)
    return files, rewritten_files.counts_of(counts, rewrite.issues, rewrite.is_excluded)
