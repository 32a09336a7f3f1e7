"""The constraints that a contract sets for an import that names it. docs/contracts.md."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from imports.mapping.draft import MappingDraft
from imports.models import ImportRecord
from tabular.model.places import ReadingChoices
from tabular.model.policy import (
    Policy,
    agreed_encoding,
    breaches,
    header_breach,
    named_columns,
)
from tabular.model.problem import TabularProblem
from tabular.protocol.results import FileRead

Json = dict[str, Any]


class ContractBreached(TabularProblem):
    """The file is not what the contract says it is."""


@dataclass(frozen=True, slots=True)
class ContractConstraints:
    """The policy of a contract and how its files are read and mapped, as values."""

    contract_id: str
    policy: Policy
    header_row: int | None = None  # 0-based
    mapping: dict[str, str] | None = None  # None: the matcher proposes it
    steps: tuple[Json, ...] = ()  # of the recipe

    @classmethod
    def of(cls, record: ImportRecord) -> Self | None:
        """Return the constraints of an import; None without a contract."""
        if not record.contract_id or record.contract is None:
            return None
        said = dict(record.contract)
        policy = Policy.model_validate(said.pop("policy"), strict=False)
        steps = tuple(said.pop("steps"))
        return cls(contract_id=record.contract_id, policy=policy, steps=steps, **said)

    def as_json(self) -> Json:
        """Return it as JSON, as stored with an import."""
        return {
            "policy": self.policy.model_dump(mode="json", exclude_none=True),
            "header_row": self.header_row,
            "mapping": self.mapping,
            "steps": list(self.steps),
        }

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
        found = [] if header is None else [header]
        found += breaches(
            self.policy,
            columns=read.columns,
            rows=read.rows or 0,
            encoding=read.table.encoding,
        )
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            raise ContractBreached(
                "contract_breached",
                f"The file does not meet the contract: {found[0].sentence}{more}",
                contractId=self.contract_id,
                errors=[{"code": b.code, "detail": b.sentence, "column": b.column} for b in found],
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
