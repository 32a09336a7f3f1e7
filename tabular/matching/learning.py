"""What earlier answers teach: remembered headers, remembered decisions, alike headers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from tabular.model.issue import Question
from tabular.vocabulary.headers import normalise

LEFT_OUT = ""  # the path of a column that nobody wanted


@dataclass(frozen=True, slots=True)
class Learned:
    """
    What one tenant and scope confirmed before; a pure value, collected by the caller.

    fields: normalised header to field path to how often that pair was confirmed; the path ``""``
    counts how often the column was left out. sources: the same, to the id of what taught it.
    """

    fields: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    sources: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def source(self, column: str, path: str | None) -> str | None:
        """Give the id of what taught that a header feeds a field, or (None) is left out."""
        return self.sources.get(normalise(column), {}).get(path or LEFT_OUT)

    def counts(self, column: str) -> Mapping[str, int]:
        """Give how often a header fed which field; nothing when it was mostly left out."""
        found = self.fields.get(normalise(column), {})
        return {} if self.is_left_out(column) else found

    def is_left_out(self, column: str) -> bool:
        """Whether people left a column of this header out more often than they used it."""
        found = self.fields.get(normalise(column), {})
        used = max((times for path, times in found.items() if path), default=0)
        return found.get(LEFT_OUT, 0) > used


def _digest(parts: list[str]) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()


def fingerprint(columns: tuple[str, ...]) -> str:
    """Name a header for profiles: the same columns in the same order, however they are cased."""
    return _digest([normalise(column) for column in columns])


def question_fingerprint(question: Question) -> str:
    """Name a question: the same kind, columns and choices, in whichever order they stand."""
    columns = sorted(normalise(column) for column in question.columns)
    choices = sorted(candidate_fields(question))
    return _digest([question.kind, question.field or "", *columns, "", *choices])


def candidate_fields(question: Question) -> tuple[str, ...]:
    """List every field path that some answer of a column question would use."""
    found: dict[str, None] = {}
    for candidate in question.candidates:
        match candidate.value:
            case str(path):
                found[path] = None
            case dict(pairs):
                found.update(dict.fromkeys(pairs.values()))
            case [*paths]:
                found.update(dict.fromkeys(paths))
            case _:
                continue
    return tuple(found)


def similarity(columns: tuple[str, ...], others: tuple[str, ...]) -> float:
    """Say how much of two headers agrees, 0 to 1: what they share, over all they have."""
    mine = {normalise(column) for column in columns}
    theirs = {normalise(column) for column in others}
    union = mine | theirs
    return len(mine & theirs) / len(union) if union else 1.0
