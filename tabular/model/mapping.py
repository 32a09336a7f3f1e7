"""Which column feeds which field, and how the texts of a column are cut for several."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tabular.model.question import Question

Mapping = dict[str, str]  # column name to field path


@dataclass(frozen=True, slots=True)
class Alternative:
    """A field that would also fit, with its score."""

    field: str
    score: float  # 0 to 100


@dataclass(frozen=True, slots=True)
class ColumnProposal:
    """What the matcher says about one source column."""

    column: str
    field: str | None  # None: leave the column out
    score: float  # 0 to 100
    reason: str
    alternatives: tuple[Alternative, ...] = ()
    samples: tuple[str, ...] = ()
    learned_from: str | None = None  # the id of the profile that decided


@dataclass(frozen=True, slots=True)
class MappingProposal:
    """One proposal per column, and what has to be asked."""

    columns: tuple[ColumnProposal, ...]
    questions: tuple[Question, ...] = ()

    @property
    def mapping(self) -> Mapping:
        """The columns that have a field."""
        return {c.column: c.field for c in self.columns if c.field is not None}


SEPARATORS = (" / ", "/", "; ", ";", ", ", ",", " | ", "|", " - ", " ")


def separator_of(samples: Sequence[str]) -> str:
    """
    Find what stands between the parts in most samples.

    >>> separator_of(["10115 Berlin", "20095 Hamburg"]), separator_of(["Doe, Jane", "Roe, Jim"])
    (' ', ', ')
    """
    counts = Counter(s for text in samples for s in SEPARATORS if s in text.strip())
    usual = [s for s in SEPARATORS if counts[s] * 2 > len(samples)]
    return usual[0] if usual else " "


def parts_of(text: str, separator: str, count: int) -> list[str]:
    """
    Cut one text as the recipe's step does; the last part takes what is left.

    >>> parts_of("Bär, Karl-Heinz", ", ", 2), parts_of("Plato", ", ", 2)
    (['Bär', 'Karl-Heinz'], ['Plato', ''])
    """
    parts = [part.strip() for part in text.split(separator, count - 1)]
    return parts + [""] * (count - len(parts))
