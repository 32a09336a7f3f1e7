"""
Which field a column feeds, or which of several columns feed one.

Answer: a field path, a list of paths to split one column into, an object of column to field path,
or null to leave the columns out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.draft import AboutColumns, MappingDraft, answered, paths_of
from pipeline.kind import ColumnKind, Recorded, Remembered
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.model.sentences import Sentence
from tabular.vocabulary.headers import normalise


class Column(ColumnKind):
    """The question which field a column feeds."""

    name = "column"

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value does not map the columns; empty if it does."""
        if not _is_of_shape(value, question.columns):
            return (
                "Answer with a field path, a list of field paths to split one column into, an "
                "object of column to field path, or null to skip the columns."
            )
        unknown = sorted(set(paths_of(value)) - set(target.fields))
        if unknown:
            return Sentence(
                "The catalog has no field {field} that can be mapped.", field=repr(unknown[0])
            )
        if isinstance(value, dict) and (others := sorted(set(value) - set(question.columns))):
            return Sentence(
                "The question is not about the column {column}.", column=repr(others[0])
            )
        return ""

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered answer, with columns as this file writes them."""
        if not set(paths_of(value)) <= set(target.fields):
            return Remembered(fits=False)
        if not isinstance(value, dict):
            return Remembered(fits=True, value=value)
        column_of = {normalise(column): column for column in question.columns}
        pairs = {column_of.get(normalise(column)): path for column, path in value.items()}
        return Remembered(fits=None not in pairs and len(pairs) == len(value), value=pairs)

    def follow(
        self,
        draft: MappingDraft,
        question: AboutColumns,
        value: Any,
        samples: Mapping[str, Sequence[str]],
    ) -> MappingDraft:
        """Return the draft after an answer."""
        return answered(draft, question.columns, value, samples=samples)


class Columns(Column):
    """The question which of several columns feed one field."""

    name = "columns"


def _is_of_shape(value: Any, columns: list[str]) -> bool:
    match value:
        case None:
            return True
        case str():
            return len(columns) == 1
        case list():
            texts = all(isinstance(path, str) for path in value)
            return len(columns) == 1 and 0 < len(value) == len(set(map(str, value))) and texts
        case dict():
            return bool(value) and all(isinstance(path, str) for path in value.values())
    return False
