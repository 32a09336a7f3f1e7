"""
Whether columns become rows: one measure spread over them, or numbered groups of them.

Answer about a measure: the fields of the columns' names and of their values, or null to leave the
columns out. Answer about groups: an object of numbered column to field path (each number becomes a
row), a list of the columns that identify a group (the question's columns are filled down within
it), or null to leave the columns as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.draft import (
    AboutColumns,
    MappingDraft,
    filled_within,
    paths_of,
    unpivoted,
    unpivoted_groups,
    without_groups,
)
from pipeline.kind import ColumnKind, Recorded, Remembered, offered_by
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.model.sentences import Sentence
from tabular.vocabulary.headers import normalise
from tabular.vocabulary.numbering import numbers_of


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
            return Sentence(
                "The catalog has no field {field} that can be mapped.", field=repr(unknown[0])
            )
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


class Groups(ColumnKind):
    """The question where the children of a parent are: in numbered columns, or in rows below it."""

    name = "groups"

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value neither makes rows nor fills down; empty if it does."""
        if value is None:
            return ""
        columns = set(question.columns)
        if isinstance(offered_by(question)[0], list):
            if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
                return _not_about(set(value) - columns)
            return "Answer with a list of the columns that identify a group, or null."
        if not isinstance(value, dict) or not value or not all(map(_is_text, value.values())):
            return "Answer with an object of numbered column to field path, or null."
        return (
            _not_about(value.keys() - columns)
            or _unknown(set(paths_of(value)) - set(target.fields))
            or _twice(value, question.columns)
        )

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered answer, with columns as this file writes them."""
        if value is None:
            return Remembered(fits=True)
        column_of = {normalise(column): column for column in question.columns}
        columns = [column_of.get(normalise(column)) for column in value]
        fits = None not in columns and isinstance(value, type(question.default))
        if isinstance(value, list):
            return Remembered(fits, columns)
        fits = fits and set(value.values()) <= set(target.fields)
        return Remembered(fits, dict(zip(columns, value.values(), strict=True)))

    def follow(
        self,
        draft: MappingDraft,
        question: AboutColumns,
        value: Any,
        samples: Mapping[str, Sequence[str]],
    ) -> MappingDraft:
        """Return the draft after an answer."""
        draft = without_groups(draft, question.columns)
        match value:
            case None:
                return draft
            case [*within]:
                return filled_within(draft, question.columns, within)
            case _:
                groups = {column: (path, numbers_of(question.columns)[column])
                          for column, path in value.items()}  # fmt: skip
                return unpivoted_groups(draft, question.columns, groups)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _not_about(columns: set[str]) -> str:
    return (
        Sentence("The question is not about the column {column}.", column=repr(min(columns)))
        if columns
        else ""
    )


def _unknown(paths: set[str]) -> str:
    return (
        Sentence("The catalog has no field {field} that can be mapped.", field=repr(min(paths)))
        if paths
        else ""
    )


def _twice(value: Mapping[str, str], columns: Sequence[str]) -> str:
    """Return which field would have two values in one row; empty if none would."""
    numbers = numbers_of(columns)
    places = [(path, numbers[column]) for column, path in value.items()]
    twice = sorted({path for path, number in places if places.count((path, number)) > 1})
    return (
        Sentence("Two columns of one number are mapped to {field}.", field=repr(twice[0]))
        if twice
        else ""
    )
