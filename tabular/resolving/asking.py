"""Texts that may mean several entities, asked about."""

from collections import Counter
from typing import Any

import numpy as np

from tabular.model.question import Candidate, Question
from tabular.model.wording import counted
from tabular.resolving.deciding import OFFERED, Outcome
from tabular.resolving.entities import Entities
from tabular.resolving.resolution import Resolution, Resolved

ASKED = 20  # texts of one field; with their answers the next ones come
SHOWN = 3  # values of an entity in a candidate


def questions(resolution: Resolution, columns: dict[str, str]) -> list[Question]:
    """Ask about the most frequent texts of each field. columns: field path to column."""
    return [
        question
        for resolved in resolution.fields
        for question in _of_field(resolved, resolution.entities[resolved.pointer.entity], columns)
    ]


def _of_field(resolved: Resolved, entities: Entities, columns: dict[str, str]) -> list[Question]:
    unsure = np.flatnonzero(resolved.outcomes == Outcome.UNSURE)
    counts = Counter(resolved.parts.which[unsure].tolist())
    texts = resolved.decided.texts
    ranked = sorted(counts.items(), key=lambda one: (-one[1], texts[one[0]].as_py()))[:ASKED]
    return [_question(resolved, entities, columns, place, count) for place, count in ranked]


def _question(
    resolved: Resolved, entities: Entities, columns: dict[str, str], place: int, count: int
) -> Question:
    path = resolved.pointer.path
    rows = counted(count, "row")
    offered = sorted(
        resolved.decided.offered[place], key=lambda one: (-one[1], entities.refs[one[0]])
    )
    return Question(
        kind="reference",
        columns=(columns[path],) if path in columns else (),
        candidates=tuple(
            Candidate(entities.refs[n], _label(entities, n), score, f"settles {rows}")
            for n, score in offered[:OFFERED]
        ),
        evidence=(resolved.decided.texts[place].as_py(), rows),
        field=path,
    )


def _label(entities: Entities, number: int) -> str:
    """Show an entity: its key, and what else is known of it."""
    values: dict[str, Any] = entities.values[number] if number < entities.known_count else {}
    key = values.get(entities.key)
    others = [v for name, v in values.items() if name != entities.key and v not in (None, "")]
    words = [str(v)[:60] for v in ([key] if key is not None else []) + others[:SHOWN]]
    return ", ".join(words) or entities.refs[number]
