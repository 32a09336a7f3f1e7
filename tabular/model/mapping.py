"""Which source column feeds which field."""

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
