"""What a contract sets for the files that name it. docs/contracts.md."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft
from tabular.model.places import ReadingChoices
from tabular.model.policy import (
    Policy,
    agreed_encoding,
    breaches,
    header_breach,
    named_columns,
)
from tabular.model.problem import TabularProblem
from tabular.model.sentences import Sentence
from tabular.protocol.results import FileRead

Json = dict[str, Any]


class ContractBreached(TabularProblem):
    """The file is not what the contract says it is."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The policy of a contract and how its files are read and mapped, as values."""

    contract_id: str
    policy: Policy
    header_row: int | None = None  # 0-based
    mapping: dict[str, str] | None = None  # None: the matcher proposes it
    steps: tuple[Json, ...] = ()  # of the recipe

    @classmethod
    def kept(cls, contract_id: str, document: Mapping[str, Any]) -> Self:
        """Read the terms of a contract as stored with an import."""
        members = dict(document)
        policy = Policy.model_validate(members.pop("policy"), strict=False)
        steps = tuple(members.pop("steps"))
        return cls(contract_id=contract_id, policy=policy, steps=steps, **members)

    def as_json(self) -> Json:
        """Return it as JSON, as stored with an import."""
        return {
            "policy": self.policy.model_dump(mode="json", exclude_none=True),
            "header_row": self.header_row,
            "mapping": self.mapping,
            "steps": list(self.steps),
        }

    def followed(self, decisions: Decisions, read: FileRead) -> Decisions:
        """Return the decisions with how the contract has the file read."""
        return replace(decisions, choices=self.choices(decisions.choices, read))

    def choices(self, choices: ReadingChoices, read: FileRead) -> ReadingChoices:
        """Return how to read the file again, where the contract differs from how it was read."""
        encoding, rows = choices.encoding, choices.header_rows
        if encoding is None:  # a person's choice has priority
            encoding = agreed_encoding(
                self.policy, encoding=read.table.encoding, questions=read.questions
            )
        there = max(read.table.header_rows, default=None)
        if rows is None and self.header_row is not None and self.header_row != there:
            rows = (self.header_row,)
        return replace(choices, encoding=encoding, header_rows=rows)

    def refuse_breaches(self, read: FileRead) -> None:
        """Raise ContractBreached with every deviation of the file from the policy."""
        header = header_breach(self.header_row, max(read.table.header_rows, default=None))
        breaches_found = [] if header is None else [header]
        breaches_found += breaches(
            self.policy,
            columns=read.columns,
            rows=read.rows,
            encoding=read.table.encoding,
        )
        if breaches_found:
            first, more = breaches_found[0].sentence, len(breaches_found) - 1
            raise ContractBreached(
                "contract_breached",
                Sentence(
                    "The file does not meet the contract: {A} (and {n1} more)", A=first, n1=more
                )
                if more
                else Sentence("The file does not meet the contract: {A}", A=first),
                contractId=self.contract_id,
                errors=[
                    {"code": b.code, "detail": b.sentence, "column": b.column}
                    for b in breaches_found
                ],
            )

    def draft(self, columns: Sequence[str]) -> MappingDraft | None:
        """Return the contract's mapping for a header's columns; None: the matcher proposes it."""
        if self.mapping is None:
            return None
        made = {name for step in self.steps for name in _made_by(step)}
        mapping, _ = named_columns(self.mapping, columns, made=made)
        return MappingDraft(mapping, self.steps)


def _made_by(step: Json) -> list[str]:
    into = step.get("into")
    names = [into] if isinstance(into, str) else list(into or ())
    return [*names, *(step[n] for n in ("nameInto", "valueInto") if n in step)]
