"""Edit some cells, and recheck their rows and the rows that share unique values with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from common.actors import Actor
from staging import arrays, columns
from staging.changes import Cell, Changes, Prepared, counted
from staging.columns import SEVERITIES, StagedTable
from staging.defects import log_defects
from staging.edits import entity_links, groups
from staging.issues import issues_now
from staging.models import CellEdit
from staging.overlay import Patch, RowIssue
from tabular.model.defect import NOT_CHECKED

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from staging.arrays import Rows
    from tabular.model.issue import Issue
    from tabular.rechecking.reach import Reach
    from tabular.rechecking.recheck import Rechecked


VALUE_LENGTH = 1_000  # characters of a value kept in an issue


def prepare_edit(
    table: StagedTable, changes: Changes, *, actor: Actor, at: datetime, kind: str
) -> Prepared:
    """Prepare a small operation over the files of the table's base."""
    moved = moved_by(table, changes)
    has_unique = bool(moved) and bool(table.files.groups)
    patches = _patches(table, changes, moved) if changes.texts or has_unique else {}
    for row in changes.exclude | changes.include:
        patch = patches.get(row) or table.patch(row)
        patches[row] = _with(patch, is_excluded=row in changes.exclude)
    if moved or not entity_links.concerned_paths(table.files).isdisjoint(
        p for _, p in changes.texts
    ):
        patches = _with_references(table, changes, patches)
    patches = _with_groups(table, changes, patches, moved)
    former = [table.patch(row) for row in patches]
    return Prepared(
        kind=kind,
        parent=table.revision,
        counts=counted(table.revision.row_counts, former, patches.values()),
        cells=len(changes.texts) + len(changes.exclude | changes.include),
        patches=patches,
        edits=tuple(_edits(table, changes, actor=actor, at=at)),
    )


def moved_by(table: StagedTable, changes: Changes) -> frozenset[int]:
    """Return the rows whose exclusion changes: newly excluded, or included again."""
    out = table.is_excluded
    newly = {row for row in changes.exclude if not out[row]}
    return frozenset(newly | {row for row in changes.include if out[row]})


def _patches(table: StagedTable, changes: Changes, moved: frozenset[int]) -> dict[int, Patch]:
    from tabular.rechecking.reach import reach_of
    from tabular.rechecking.recheck import ExcludedRows, recheck

    files = table.files
    reach = reach_of(files.plan, {path for _, path in changes.texts})
    rows = {row for row, _ in changes.texts} | moved
    former = {(row, path): t for row in rows for path, t in table.patch(row).texts.items()}
    now = {**former, **changes.texts}
    rechecked = recheck(
        table.files.source,
        table.files.recheckable,
        plan=table.files.plan,
        inferred=table.files.inferred,
        edits=now,
        others=_others(table, rows),
        former=former,
        reach=reach,
        excluded=ExcludedRows(_excluded_rows(table, changes), moved),
    )
    log_defects(table.revision.subject, rechecked.defects)
    patches = _edited(table, rechecked, now, reach) if changes.texts else {}
    return _with_unique(table, rechecked, patches)


def _excluded_rows(table: StagedTable, changes: Changes) -> NDArray[np.int64]:
    import numpy as np

    mask = table.is_excluded.copy()
    mask[list(changes.exclude)] = True
    mask[list(changes.include)] = False
    return np.flatnonzero(mask).astype(np.int64)


def _others(table: StagedTable, rows: set[int]) -> dict[Cell, str | None]:
    """Return the texts of rows outside ``rows`` that were edited in a field of a unique group."""
    unique = {path for group in table.files.groups for path in group.fields}
    return {
        (row, path): text
        for row, patch in table.overlay.patches.items()
        if row not in rows and not unique.isdisjoint(patch.values)
        for path, text in patch.texts.items()
    }


def _edited(
    table: StagedTable,
    rechecked: Rechecked,
    now: Mapping[Cell, str | None],
    reach: Reach,
) -> dict[int, Patch]:
    values = {path: rechecked.values[path].to_pylist() for path in reach.fields}
    texts: dict[int, dict[str, str | None]] = {}
    for (row, path), text in now.items():
        texts.setdefault(row, {})[path] = text
    patches = {}
    for i, row in enumerate(rechecked.rows):
        before = table.overlay.patches.get(row, Patch(0))
        kept = (i for i in table.patch(row).issues if not reach.has(i["field"], i["code"]))
        issues = _joined(tuple(kept), tuple(issue_json(issue) for issue in rechecked.issues[row]))
        fresh = {path: columns.encoded(column[i]) for path, column in values.items()}
        patches[row] = _judged(
            Patch(
                severity=0,
                is_excluded=table.patch(row).is_excluded,
                texts=texts.get(row, {}),
                values={**before.values, **fresh},
                issues=issues,
            )
        )
    return patches


def _joined(kept: tuple[RowIssue, ...], fresh: tuple[RowIssue, ...]) -> tuple[RowIssue, ...]:
    """Add fresh issues, but only one ``not_checked`` issue per cell."""
    failed = {issue["field"] for issue in kept if issue["code"] == NOT_CHECKED}
    again = (i for i in fresh if i["code"] != NOT_CHECKED or i["field"] not in failed)
    return (*kept, *again)


def _with_unique(
    table: StagedTable, rechecked: Rechecked, patches: dict[int, Patch]
) -> dict[int, Patch]:
    by_cell: dict[tuple[int, str], list[RowIssue]] = {}  # several rules may report at one cell
    for group, by_row in zip(table.files.groups, rechecked.unique, strict=True):
        for row, issue in by_row.items():
            fresh = by_cell.setdefault((row, group.fields[0]), [])
            fresh += [] if issue is None else [issue_json(issue)]
    for (row, path), fresh in by_cell.items():
        patch = patches.get(row) or table.patch(row)
        others = tuple(i for i in patch.issues if not _is_unique_of(i, path))
        if (*others, *fresh) != patch.issues:
            patches[row] = _judged(_with(patch, issues=(*others, *fresh)))
    return patches


def _with_references(
    table: StagedTable, changes: Changes, patches: dict[int, Patch]
) -> dict[int, Patch]:
    """Check all references again: editing a key affects every row that refers to it."""
    import numpy as np

    if not entity_links.has_references(table.files):
        return patches
    taken = np.ones(table.row_count, dtype=bool)
    taken[_excluded_rows(table, changes)] = False
    edited = arrays.ascending(entity_links.edited_rows(table), np.array(sorted(patches), np.int64))
    resolution = entity_links.resolved(
        table, values=lambda path: _column(table, path, patches), taken=taken, edited=edited
    )
    fresh = entity_links.issues_by_row(entity_links.findings_of(table, resolution, taken))
    for row in sorted({*fresh, *patches, *entity_links.rows_with_issues(table)}):
        patch = patches.get(row) or table.patch(row)
        kept = tuple(i for i in patch.issues if not entity_links.is_of_references(i))
        # A reference that could not be checked stays unchecked until the rows are made again.
        issues = (*kept, *(i for i in fresh.get(row, ()) if i not in kept))
        if row in patches or issues != patch.issues:
            patches[row] = _judged(_with(patch, issues=issues))
    return patches


def _with_groups(
    table: StagedTable, changes: Changes, patches: dict[int, Patch], moved: frozenset[int]
) -> dict[int, Patch]:
    """Check the rows again that have a parent in common with a changed one."""
    import numpy as np

    changed = {path for _, path in changes.texts}
    rules = groups.rules_of(table.files, changed, has_moved=bool(moved))
    if not rules:
        return patches
    touched = np.array(sorted({row for row, _ in changes.texts} | moved), np.int64)
    taken = np.ones(table.row_count, dtype=bool)
    taken[_excluded_rows(table, changes)] = False
    for item in rules:
        regrouped = groups.Regrouped(table, item, lambda path: _column(table, path, patches))
        rows = regrouped.rows(touched)
        fresh = entity_links.issues_by_row(regrouped.findings(rows, taken))
        for row in _with_issues(table, rows, {*fresh, *patches}):
            patch = patches.get(row) or table.patch(row)
            kept = tuple(i for i in patch.issues if not groups.is_reported(i, (item,)))
            issues = (*kept, *(i for i in fresh.get(row, ()) if i not in kept))
            if issues != patch.issues:
                patches[row] = _judged(_with(patch, issues=issues))
    return patches


def _with_issues(table: StagedTable, rows: Rows, more: set[int]) -> list[int]:
    """Return those of some ascending rows that have an issue, or are among some more."""
    import numpy as np

    issues = arrays.ascending(issues_now(table).column("row").to_numpy())
    has = np.isin(rows, issues, assume_unique=True)
    has |= np.isin(rows, np.array(sorted(more), np.int64))
    some: list[int] = rows[has].tolist()
    return some


def _column(table: StagedTable, path: str, patches: Mapping[int, Patch]) -> pa.ChunkedArray:
    """Return a column as it will be after the edit."""
    import numpy as np

    values = table.values(path)
    fresh = {row: patch.values[path] for row, patch in patches.items() if path in patch.values}
    if not fresh:
        return values
    rows = np.array(sorted(fresh), np.int64)
    by = columns.decoded([fresh[row] for row in rows.tolist()], values.type)
    return arrays.replaced(values, rows, by)


def _is_unique_of(issue: RowIssue, path: str) -> bool:
    return issue["code"] == "unique" and issue["field"] == path


def issue_json(issue: Issue) -> RowIssue:
    """Return an issue in the format of row states and issue files."""
    return {
        "field": issue.field or "",
        "code": issue.code,
        "severity": issue.severity,
        "value": None if issue.value is None else issue.value[:VALUE_LENGTH],
        "params": dict(issue.params),
    }


def _judged(patch: Patch) -> Patch:
    worst = max((SEVERITIES.index(issue["severity"]) for issue in patch.issues), default=0)
    return _with(patch, severity=worst)


def _with(patch: Patch, **changes: Any) -> Patch:
    return replace(patch, **changes)


def _edits(table: StagedTable, changes: Changes, *, actor: Actor, at: datetime) -> list[CellEdit]:
    rows = sorted(changes.rows)
    places = dict(zip(rows, places_of(table, rows), strict=True))
    former = texts_of(table, {row for row, _ in changes.texts}, {path for _, path in changes.texts})
    who = actor.as_dict()
    noted: list[tuple[int, str, str | None, str | None]] = [
        (row, path, text, former[row][path]) for (row, path), text in changes.texts.items()
    ]
    noted += [(row, "", "excluded", None) for row in sorted(changes.exclude)]
    noted += [(row, "", None, "excluded") for row in sorted(changes.include)]
    return [
        CellEdit(
            subject=table.revision.subject,
            row=row,
            source=places[row][0],
            ordinal=places[row][1],
            field=path,
            text=text,
            previous=previous,
            actor=who,
            at=at,
        )
        for row, path, text, previous in noted
    ]


def places_of(table: StagedTable, rows: list[int]) -> list[tuple[int, int]]:
    """Return the physical row of the file and the ordinal of each of some rows."""
    import numpy as np

    at = np.array(rows, np.int64)
    positions = arrays.take(table.files.rows.column("source"), at)
    ordinals = arrays.take(table.files.rows.column("ordinal"), at).to_pylist()
    physical = table.files.numbers.rows(positions.to_numpy())
    return list(zip(physical, ordinals, strict=True))


def texts_of(
    table: StagedTable, rows: set[int], paths: set[str]
) -> dict[int, dict[str, str | None]]:
    """Return the source texts of some fields of some rows, with edits."""
    import numpy as np

    numbers = sorted(rows)
    by_path = text_columns(table, np.array(numbers, np.int64), paths)
    columns = {path: texts.to_pylist() for path, texts in by_path.items()}
    return {
        row: {path: texts[i] for path, texts in columns.items()} for i, row in enumerate(numbers)
    }


def text_columns(table: StagedTable, rows: Rows, paths: Iterable[str]) -> dict[str, pa.Array]:
    """Return the source texts of some fields of some rows, with edits, as arrays."""
    import pyarrow as pa

    from tabular.transforming.some_rows import rows_at
    from tabular.transforming.texts import typed_texts

    if not len(rows):
        return {path: pa.array([], pa.string()) for path in paths}
    about, files = table.files.rows, table.files
    inferred = files.inferred
    sources = arrays.take(about.column("source"), rows).to_pylist()
    ordinals = arrays.take(about.column("ordinal"), rows).to_pylist()
    step_rows = rows_at(files.source, files.plan, list(zip(sources, ordinals, strict=True)))
    read = {
        path: typed_texts(
            step_rows, path, files.plan, inferred.parse_options[path], inferred.documents
        )
        for path in paths
    }
    return {path: _with_edits(table, rows, path, texts) for path, texts in read.items()}


def _with_edits(table: StagedTable, rows: Rows, path: str, texts: pa.Array) -> pa.Array:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    edited = np.flatnonzero(table.is_edited[rows]).tolist()
    patches = {place: table.patch(int(rows[place])).texts for place in edited}
    places = [place for place, texts in patches.items() if path in texts]
    texts = texts.cast(pa.string())
    if not places:
        return texts
    mask = np.zeros(len(rows), dtype=bool)
    mask[places] = True
    by = pa.array([patches[place][path] for place in places], pa.string())
    return pc.replace_with_mask(texts, pa.array(mask), by)
