"""
The pictures of a feed's files: taken when rows are in review, compared with those before.

A picture is of the rows as the file has them, without a person's edits. It is taken again when the
rows were made again, since another mapping reads other values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from feeds.applying.rules import Reason
from feeds.models import TakenFile
from imports.models import ImportRecord
from imports.services.review import rows_of
from tabular.model.table import BESIDE

if TYPE_CHECKING:
    from feeds.drift.finding import Finding
    from feeds.drift.measuring import ColumnValues
    from feeds.drift.picture import Picture
    from staging.columns import StagedTable

BASE, PICTURE, FINDINGS = "base", "picture", "findings"  # of ``TakenFile.picture``
NOT_A_PREDECESSOR = (ImportRecord.State.REVERTING, ImportRecord.State.REVERTED)


def drift_of(file: TakenFile, record: ImportRecord) -> tuple[Reason, ...]:
    """Return what is not usual about a file in review, and keep its picture and the findings."""
    from feeds.drift.comparing import compare
    from feeds.drift.reasons import reason_of

    table = rows_of(record)
    base = table.revision.base or table.revision.number
    kept = file.picture or {}
    if kept.get(BASE) != base:
        picture = picture_of_rows(record, table)
        findings = compare(picture, predecessors(file))
        kept = {
            BASE: base,
            PICTURE: picture.as_json(),
            FINDINGS: [finding.as_json() for finding in findings],
        }
        file.picture = kept
        TakenFile.objects.filter(pk=file.pk).update(picture=kept)
        _forget_old(file)
    return tuple(reason_of(finding) for finding in findings_kept(file))


def findings_kept(file: TakenFile) -> tuple[Finding, ...]:
    """Return what was not usual about a file; nothing before its rows were compared."""
    from feeds.drift.finding import Finding

    kept: list[dict[str, Any]] = (file.picture or {}).get(FINDINGS, [])
    return tuple(Finding(**item) for item in kept)


def predecessors(file: TakenFile) -> list[Picture]:
    """Return the pictures of the files before one that were applied, the oldest first."""
    from feeds.drift.picture import Picture

    kept = (Picture.kept(row.picture[PICTURE]) for row in _before(file) if row.picture)
    return [picture for picture in kept if picture is not None]


def picture_of_rows(record: ImportRecord, table: StagedTable) -> Picture:
    """Return the picture of an import's rows, without what was edited."""
    from feeds.drift.measuring import picture_of

    columns = list(_columns(table))
    picture = picture_of(
        columns, rows=table.files.manifest.source_rows, day=record.created_at.date()
    )
    table.files.let_go_of_pages()
    return picture


def _columns(table: StagedTable) -> Iterator[ColumnValues]:
    """Yield the columns of the file, and then those that only the recipe makes."""
    import pyarrow as pa

    from feeds.drift.measuring import ColumnValues
    from staging.lineage.origin import source_path
    from tabular.protocol.tables import whole
    from tabular.types.hashing import as_texts

    files = table.files
    source = whole(source_path(files.manifest))
    headers = [name for name in source.column_names if name not in BESIDE]
    made = [name for name in files.plan.mapping if name not in headers]
    for place, header in enumerate([*headers, *made]):
        column = files.by_field.get(files.plan.mapping.get(header, ""))
        values = None if column is None else files.values(column.field)
        if header not in made:
            texts = source.column(header)
        elif values is not None:
            texts = pa.chunked_array([as_texts(chunk) for chunk in values.chunks], pa.string())
        else:
            continue
        yield ColumnValues(
            header,
            place,
            texts,
            path=None if column is None else column.field,
            column_type="" if column is None else column.column_type,
            values=values,
        )


def _before(file: TakenFile) -> list[TakenFile]:
    from feeds.drift.comparing import PREDECESSORS

    applied = TakenFile.objects.filter(
        feed=file.feed_id, pk__lt=file.pk, picture__isnull=False, record__applied_at__isnull=False
    ).exclude(record__state__in=NOT_A_PREDECESSOR)
    return list(applied.order_by("-pk")[:PREDECESSORS])[::-1]


def _forget_old(file: TakenFile) -> None:
    """Remove the pictures that no later file is compared with."""
    before = _before(file)
    if before:
        old = TakenFile.objects.filter(feed=file.feed_id, pk__lt=before[0].pk)
        old.filter(picture__isnull=False).update(picture=None)
