"""What earlier answers teach: remembered headers, remembered decisions, similar headers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from tabular.model.issue import Question
from tabular.vocabulary.headers import normalise

LEFT_OUT = ""  # the path of a skipped column


@dataclass(frozen=True, slots=True)
class Learned:
    """
    What one tenant and scope confirmed before: a pure value, collected by the caller.

    fields: normalised header to field path to how often that pair was confirmed; the path ``""``
    counts how often the column was skipped. sources: the same, to the id of the source that taught
    it.
    """

    fields: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def source(self, column: str, path: str | None) -> str | None:
        """Return the source id that taught that a header feeds a field or, for None, is skipped."""
        return self.sources.get(normalise(column), {}).get(path or LEFT_OUT)

    def counts(self, column: str) -> Mapping[str, int]:
        """Return how often a header fed each field; empty if it was mostly skipped."""
        by_path = self.fields.get(normalise(column), {})
        return {} if self.is_mostly_unmapped(column) else by_path

    def is_mostly_unmapped(self, column: str) -> bool:
        """Return whether users skipped a column with this header more often than they used it."""
        by_path = self.fields.get(normalise(column), {})
        used = max((times for path, times in by_path.items() if path), default=0)
        return by_path.get(LEFT_OUT, 0) > used


def _digest(parts: list[str]) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()


def fingerprint(columns: tuple[str, ...]) -> str:
    """Return a header's fingerprint for profiles: that of its columns in order, in any case."""
    return _digest([normalise(column) for column in columns])


def question_fingerprint(question: Question) -> str:
    """Return a question's fingerprint: the same kind, columns and choices, in any order."""
    columns = sorted(normalise(column) for column in question.columns)
    choices = sorted(candidate_fields(question))
    return _digest([question.kind, question.field or "", *columns, "", *choices])


def candidate_fields(question: Question) -> tuple[str, ...]:
    """Return every field path that some answer to a column question would use."""
    unique: dict[str, None] = {}
    for candidate in question.candidates:
        match candidate.value:
            case str(path):
                unique[path] = None
            case dict(pairs):
                unique.update(dict.fromkeys(pairs.values()))
            case [*paths]:
                unique.update(dict.fromkeys(paths))
            case _:
                continue
    return tuple(unique)


def similarity(columns: tuple[str, ...], others: tuple[str, ...]) -> float:
    """Return how similar two headers are, 0 to 1: what they share, divided by all they have."""
    mine = {normalise(column) for column in columns}
    theirs = {normalise(column) for column in others}
    union = mine | theirs
    return len(mine & theirs) / len(union) if union else 1.0
