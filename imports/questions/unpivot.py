"""
Whether one measure is spread over columns.

Answer: the fields of the columns' names and of their values, or null to leave the columns out.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from imports.mapping.draft import AboutColumns, MappingDraft, paths_of, unpivoted
from imports.questions.model import ColumnKind, Remembered

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from ledger.models import Question as Recorded
    from ledger.services import NewQuestion


class Unpivot(ColumnKind):
    """The question whether one measure is spread over columns."""

    name = "unpivot"

    def fault(self, question: "Recorded", value: Any, record: "ImportRecord") -> str:
        """Return why a value names no two fields; empty if it does."""
        if value is None:
            return ""
        if not isinstance(value, dict) or set(value) != {"name", "value"}:
            return 'Answer with {"name": a field path, "value": another}, or null.'
        paths = [value["name"], value["value"]]
        unknown = [path for path in paths if path not in record.target.live_fields]
        if unknown:
            return f"The catalog has no field {unknown[0]!r} that can be mapped."
        return "" if paths[0] != paths[1] else "Choose one field for names and another for values."

    def remembered(self, value: Any, asked: "NewQuestion", record: "ImportRecord") -> Remembered:
        """Return a remembered answer if the catalog still has its fields."""
        return Remembered(set(paths_of(value)) <= set(record.target.live_fields), value)

    def follow(
        self,
        draft: MappingDraft,
        question: AboutColumns,
        value: Any,
        samples: Mapping[str, Sequence[str]],
    ) -> MappingDraft:
        """Return the draft after an answer."""
        return unpivoted(draft, question.columns, value)
