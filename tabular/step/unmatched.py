"""Texts without an option, counted, and asked about."""

from collections import Counter
from typing import Any

from tabular.model.question import Candidate, Question
from tabular.model.wording import counted
from tabular.transforming import Plan, Settled
from tabular.types.how import How
from tabular.types.rows import TypedRows
from tabular.types.similarity import similar
from tabular.values.vocabularies import fold

KEPT = 1_000  # distinct texts of one field; beyond, the column is rather another one
ASKED = 20
OFFERED = 5


class UnmatchedOptions:
    """What the options of each field did not cover."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add(self, rows: TypedRows) -> None:
        """Count one batch."""
        for finding in rows.findings:
            if finding.code == "unknown_option":
                counts = self._counts.setdefault(finding.field, Counter())
                for entry in finding.values.value_counts().to_pylist():
                    if entry["values"] in counts or len(counts) < KEPT:
                        counts[entry["values"]] += entry["counts"]

    def as_json(self) -> dict[str, list[dict[str, Any]]]:
        """List texts and counts by field, the most frequent first."""
        return {
            path: [{"value": text, "count": count} for text, count in _ranked(counts)]
            for path, counts in self._counts.items()
        }

    def questions(self, plan: Plan, settled: Settled) -> list[Question]:
        """Ask about the most frequent texts of each field."""
        return [
            _question(path, text, count, plan, settled.hows[path])
            for path, counts in self._counts.items()
            for text, count in _ranked(counts)[:ASKED]
        ]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


def _question(path: str, text: str, count: int, plan: Plan, how: How) -> Question:
    labels = {fold(option.label): option for option in how.options}
    near = similar(fold(text), list(labels), limit=OFFERED)
    rows = counted(count, "row")
    return Question(
        kind="category_value",
        columns=(plan.columns_by_path[path],) if path in plan.columns_by_path else (),
        candidates=tuple(
            Candidate(labels[n].value, labels[n].label, round(score, 1), f"settles {rows}")
            for n, score in near
        ),
        evidence=(text, rows),
        field=path,
    )
