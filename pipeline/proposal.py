"""What an import proposes for its columns: the JSON form of ``ImportRecord.proposal``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Self

from pipeline.draft import MappingDraft
from tabular.model.issue import Question
from tabular.model.mapping import ColumnProposal, MappingProposal
from tabular.model.sentences import Sentence
from tabular.protocol import forms

REASONS = {
    "question": "Already answered",
    "answer": "Same answer as before",
    "profile": "Mapped as before for this header",
    "contract": "Mapped by the contract",
}


@dataclass(frozen=True, slots=True)
class Decider:
    """What decided about a column. kind: question, contract, or something that can be forgotten."""

    kind: str
    id: str

    @property
    def reason(self) -> str:
        """The reason in words, with the id."""
        return Sentence(REASONS[self.kind] + " ({id})", id=f"{self.kind} {self.id}")


@dataclass(frozen=True, slots=True)
class ProposedColumn(ColumnProposal):
    """The proposal for a column, from the matcher or from an earlier decision."""

    decided_by: Decider | None = None

    def decided(self, field: str | None, by: Decider) -> Self:
        """Return the column with a decided field."""
        if field == self.field and by.kind not in {"profile", "contract"}:
            return self
        score = 100.0 if field else 0.0
        return replace(self, field=field, score=score, reason=by.reason, decided_by=by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One proposal per column, the questions, and the draft that is proposed as a whole."""

    columns: tuple[Annotated[ProposedColumn, forms.without("decided_by")], ...] = ()
    questions: tuple[Question, ...] = ()
    proposed: MappingDraft | None = None

    @classmethod
    def of(cls, matched: MappingProposal) -> Self:
        """Return the matcher's proposal."""
        names = [field.name for field in fields(ColumnProposal)]
        columns = (
            ProposedColumn(**{name: getattr(column, name) for name in names})
            for column in matched.columns
        )
        return cls(columns=tuple(columns), questions=matched.questions)

    @classmethod
    def kept(cls, document: Mapping[str, Any] | None) -> Self:
        """Return a stored proposal, of this version or an earlier one; empty without any."""
        return forms.read_kept(cls, document or {})

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON, as an import stores it."""
        document = forms.as_json(self)
        return {name: item for name, item in document.items() if item is not None}

    @property
    def draft(self) -> MappingDraft:
        """The proposed mapping."""
        if self.proposed is not None:
            return self.proposed
        return MappingDraft(
            {column.column: column.field for column in self.columns if column.field}
        )

    @property
    def samples(self) -> dict[str, tuple[str, ...]]:
        """The first values of each column."""
        return {column.column: column.samples for column in self.columns}

    def with_draft(self, draft: MappingDraft, *, by: Decider) -> Self:
        """Return the proposal with a draft; changed columns name what decided."""
        columns = (column.decided(draft.mapping.get(column.column), by) for column in self.columns)
        return replace(self, columns=tuple(columns), proposed=draft)
