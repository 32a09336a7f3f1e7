"""How the references of an import in review resolved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from imports.models import ImportRecord
from imports.selectors import NoRowsYet
from staging import selectors as staging
from staging.edits import referring


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """One text of a referring field, and whom it means."""

    field: str
    entity: str
    text: str
    outcome: str  # known, in_file, created, ignored, left_out, missing or unsure
    ref: str | None
    score: float | None  # 0 to 100 where likeness decided
    rows: int  # how many rows hold it


def resolved_references(record: ImportRecord, *, field: str | None = None) -> list[ResolvedText]:
    """
    List what each text of the referring fields means, the most frequent first.

    field: a path, to see it alone. NoRowsYet before the rows are there; [] without references.
    """
    import numpy as np

    table = staging.at_revision(record.public_id, record.revision)
    if table is None:
        raise NoRowsYet
    if not referring.has_references(table.files):
        return []
    resolution = referring.resolved(
        table,
        values=table.values,
        taken=~table.is_excluded,
        edited=referring.edited_rows(table),
    )
    found: list[ResolvedText] = []
    for resolved in resolution.fields:
        if field in {None, resolved.pointer.path}:
            counts = np.bincount(resolved.parts.which, minlength=len(resolved.decided.texts))
            found += _of_field(resolved, counts)
    return sorted(found, key=lambda one: (one.field, -one.rows, one.text))


def _of_field(resolved: Any, counts: Any) -> Iterator[ResolvedText]:
    from tabular.resolving.deciding import Outcome

    decided = resolved.decided
    columns = (decided.texts.to_pylist(), decided.outcomes.tolist(), decided.refs.to_pylist())
    for text, outcome, ref, score, rows in zip(
        *columns, decided.scores.tolist(), counts.tolist(), strict=True
    ):
        yield ResolvedText(
            field=resolved.pointer.path,
            entity=resolved.pointer.entity,
            text=text,
            outcome=Outcome(outcome).name.lower(),
            ref=ref,
            score=score or None,
            rows=rows,
        )
