"""How the references of an import in review were resolved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from common.http.language import localized
from imports.models import ImportRecord
from imports.selectors import NoRowsYet
from staging import selectors as staging
from staging.columns import StagedTable
from staging.edits import entity_links

ELSEWHERE = "It exists in another scope only. Import with that scope, or add it without one."


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """One text of a reference field, and the entity it names."""

    field: str
    entity: str
    text: str
    outcome: str  # known, in_file, created, ignored, left_out, missing or unsure
    ref: str | None
    score: float | None  # 0 to 100 if similarity decided
    rows: int  # how many rows contain it
    elsewhere: bool  # known in another scope of the tenant, and in none that the import sees


def hint_at_other_scopes(table: StagedTable, rows: list[dict[str, Any]]) -> None:
    """Note in issues of shown rows which texts other scopes know; for callers who see them all."""
    elsewhere = entity_links.known_elsewhere(table.files)
    for issue in (issue for row in rows for issue in row["issues"]) if elsewhere else ():
        about = (issue["field"], issue["value"])
        if issue["code"] == "unknown_reference" and about in elsewhere:
            issue["hint"] = localized(ELSEWHERE)


def texts_elsewhere(record: ImportRecord, field: str) -> int:
    """Return how many texts of a field another scope knows, and none that the import sees."""
    table = staging.at_revision(record.public_id, record.revision)
    sets = entity_links.known_elsewhere(table.files) if table is not None else ()
    return sum(path == field for path, _ in sets)


def resolved_references(
    record: ImportRecord, *, field: str | None = None, sees_scopes: bool = False
) -> list[ResolvedText]:
    """
    Return what each text of the reference fields means, the most frequent first.

    field: a path, to see it alone. sees_scopes: whether the caller may learn what other scopes
    know. Raise NoRowsYet if there are no rows. Return [] without references.
    """
    import numpy as np

    table = staging.at_revision(record.public_id, record.revision)
    if table is None:
        raise NoRowsYet
    if not entity_links.has_references(table.files):
        return []
    resolution = entity_links.resolved(
        table,
        values=table.values,
        taken=~table.is_excluded,
        edited=entity_links.edited_rows(table),
    )
    elsewhere = entity_links.known_elsewhere(table.files) if sees_scopes else frozenset()
    texts: list[ResolvedText] = []
    for resolved in resolution.fields:
        if field in {None, resolved.pointer.path}:
            counts = np.bincount(resolved.parts.which, minlength=len(resolved.decided.texts))
            texts += _of_field(resolved, counts, elsewhere)
    return sorted(texts, key=lambda text: (text.field, -text.rows, text.text))


def _of_field(
    resolved: Any, counts: Any, elsewhere: frozenset[tuple[str, str]]
) -> Iterator[ResolvedText]:
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
            elsewhere=outcome == Outcome.MISSING and (resolved.pointer.path, text) in elsewhere,
        )
