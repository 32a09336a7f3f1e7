"""
Whether one measure is spread over columns.

Answer: the fields of the columns' names and of their values, or null to leave the columns out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.draft import AboutColumns, MappingDraft, paths_of, unpivoted
from pipeline.kind import ColumnKind, Recorded, Remembered
from pipeline.target import Target
from tabular.model.issue import NewQuestion


class Unpivot(ColumnKind):
    """The question whether one measure is spread over columns."""

    name = "unpivot"

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value names no two fields; empty if it does."""
        if value is None:
            return ""
        if not isinstance(value, dict) or set(value) != {"name", "value"}:
            return 'Answer with {"name": a field path, "value": another}, or null.'
        paths = [value["name"], value["value"]]
        unknown = [path for path in paths if path not in target.fields]
        if unknown:
            return f"The catalog has no field {unknown[0]!r} that can be mapped."
        return "" if paths[0] != paths[1] else "Choose one field for names and another for values."

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered answer if the catalog still has its fields."""
        return Remembered(set(paths_of(value)) <= set(target.fields), value)

    def follow(
        self,
        draft: MappingDraft,
        question: AboutColumns,
        value: Any,
        samples: Mapping[str, Sequence[str]],
    ) -> MappingDraft:
        """Return the draft after an answer."""
        return unpivoted(draft, question.columns, value)
