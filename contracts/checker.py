"""Check a file against a contract, as the engine that made it would. Spec: contract > policy.

The jobs of an import read, map, transform and validate the file, each in a limited child process.
Nothing that a tenant's engine remembers is used.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from contracts.bundle import Contract
from contracts.customer import REGION, customer_of, without_customer
from contracts.refusals import NotUsable
from contracts.report import Finding, Report, question_json, shown_issues
from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft
from pipeline.run import FileSource, TextSource, run
from pipeline.terms import Terms
from sandbox.bench import Bench
from tabular.model.catalog import Context
from tabular.model.catalog_findings import double_findings
from tabular.model.issue import Question
from tabular.model.policy import (
    Breach,
    breaches,
    header_breach,
    named_columns,
)
from tabular.model.recipe import Recipe
from tabular.model.sentences import Sentence
from tabular.protocol.results import FoundTable, ReadResult

Json = dict[str, Any]
SHOWN_ISSUES = 100


@dataclass(frozen=True, slots=True)
class Work:
    """How a check runs. bench: of this check alone."""

    bench: Bench
    today: date  # two-digit years are read relative to it
    shown: int = SHOWN_ISSUES


@dataclass(frozen=True, slots=True)
class _Read:
    """What reading found, and where the table's text is."""

    result: ReadResult
    out: Path

    @property
    def table(self) -> FoundTable:
        return self.result.table

    @property
    def header_row(self) -> int | None:
        return max(self.table.header_rows, default=None)


def check(path: Path, *, name: str, contract: Contract, work: Work) -> Report:
    """
    Return a report on whether a file keeps a contract, and if not, where.

    Raise NotUsable if this engine cannot check with the contract, and TabularProblem if the file
    cannot be read or exceeds a limit. The caller checks signature, time and pins first.
    """
    recipe, customer = usable_recipe(contract), customer_of(contract.profile.recipe)
    read = _read(path, contract, work)
    findings = [Finding.of(breach) for breach in _breaches(read, contract)]
    mapping, missing = _mapping(read, contract, recipe)
    findings += _unmapped(mapping, missing, contract)
    findings += _unfed(mapping, contract, customer.given.defaults)
    report = Report(
        contract=contract,
        file={"name": name, "size": path.stat().st_size, "sha256": _sha256(path)},
        reading=_reading_json(read),
        mapping=mapping,
        findings=findings,
        questions=_open_questions(read, contract),
    )
    is_cut = read.result.rows is None  # some of the rows would look like all of them
    if not mapping or is_cut or any(finding.stops for finding in findings):
        return report
    text = read.out / "source.arrow"
    context = Context(today=work.today, defaults=customer.given.defaults)
    source = TextSource(text=text, catalog=contract.target, context=context, read=read.result)
    steps = recipe.model_dump(mode="json", exclude_unset=True)["steps"] if recipe else ()
    made = run(source, Decisions(draft=MappingDraft(mapping, tuple(steps))), work.bench)
    report.add_rows(made.result, shown_issues(made.out, text, mapping, most=work.shown))
    return report


def usable_recipe(contract: Contract) -> Recipe | None:
    """Read the recipe of a contract. Raise NotUsable if it or the mapping is unusable."""
    if double := next(double_findings(contract.target), None):
        raise NotUsable(Sentence("The contract's catalog cannot be used: {A}", A=double.sentence))
    fields = contract.target.live_fields
    for column, path in (contract.profile.mapping or {}).items():
        if path not in fields:
            raise NotUsable(
                Sentence(
                    "The contract maps “{column}” to {path}, which it does not have.",
                    column=column,
                    path=path,
                )
            )
    customer_of(contract.profile.recipe)  # raises NotUsable
    recipe = without_customer(contract.profile.recipe)
    if contract.region is not None:
        from tabular.types.families.phones import is_region  # loads the phone number library

        if not is_region(contract.region):
            raise NotUsable(
                Sentence(
                    "The contract's region {region} is not a country code.",
                    region=repr(contract.region),
                )
            )
        recipe = {name: item for name, item in recipe.items() if name != REGION}
    if recipe in (None, {}):
        return None
    try:
        return Recipe.model_validate(recipe, strict=False)
    except ValidationError as error:
        raise NotUsable(
            "The contract's recipe has steps that this engine does not know."
        ) from error


def _read(path: Path, contract: Contract, work: Work) -> _Read:
    """Read the file, and again if the contract sets another encoding or header row."""
    terms = Terms(contract_id=contract.id, policy=contract.policy)
    source = FileSource(file=path.resolve(), catalog=contract.target, terms=terms)
    outcome = run(source, Decisions(), work.bench)
    read = _Read(outcome.result, outcome.out)
    header_row = contract.profile.header_row
    if header_row is None or read.header_row == header_row:
        return read
    there = replace(outcome.decisions.choices, header_rows=(header_row,))
    other = run(source, Decisions(choices=there), work.bench.within("there"))
    moved = _Read(other.result, other.out)
    return moved if _fits(moved.result.columns, contract) else read


def _fits(columns: Sequence[str], contract: Contract) -> bool:
    """Return whether the contract names columns and a header has all of them."""
    mapping = contract.profile.mapping or {}
    if not mapping and not contract.policy.required_columns:
        return False
    lacking = breaches(contract.policy, columns=columns, rows=0, encoding=None)
    return not list(lacking) and not named_columns(mapping, columns)[1]


def _breaches(read: _Read, contract: Contract) -> Iterator[Breach]:
    if breach := header_breach(contract.profile.header_row, read.header_row):
        yield breach
    yield from breaches(
        contract.policy,
        columns=read.result.columns,
        rows=read.result.rows,
        encoding=read.table.encoding,
    )


def _mapping(
    read: _Read, contract: Contract, recipe: Recipe | None
) -> tuple[dict[str, str], list[str]]:
    """Return the mapping in the words of the file's header, and the missing columns."""
    if contract.profile.mapping is None:
        return read.result.proposal.mapping if read.result.proposal else {}, []
    steps = recipe.steps if recipe else ()
    made = {column for step in steps for column in step.makes}
    mapping, missing = named_columns(contract.profile.mapping, read.result.columns, made=made)
    present = made | set(read.result.columns)
    missing += [c for step in steps for c in step.needs if c not in present and c not in missing]
    return mapping, missing


def _unmapped(mapping: dict[str, str], missing: list[str], contract: Contract) -> Iterator[Finding]:
    policy = set(contract.policy.required_columns)
    read_by_recipe = set(missing) - set(contract.profile.mapping or {})
    for column in missing:
        if column in read_by_recipe:
            sentence = Sentence(
                "The column “{column}”, which the recipe reads, is missing.", column=column
            )
            yield Finding("missing_column", "error", sentence, column, stops=True)
        elif column not in policy:
            sentence = Sentence(
                "The column “{column}” is missing; its field stays empty.", column=column
            )
            yield Finding("absent_column", "warning", sentence, column)
    if not mapping:
        yield Finding("nothing_mapped", "error", "No column of the file is mapped to a field.")


def _unfed(
    mapping: Mapping[str, str], contract: Contract, defaults: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the required fields that neither a column nor a default fills."""
    fed = {*mapping.values(), *defaults}
    for path, field_ in contract.target.live_fields.items():
        if field_.is_required and path not in fed and field_.scope != "document":
            yield Finding(
                "required_field",
                "error",
                Sentence("The required field {path} has no column.", path=path),
            )


def _open_questions(read: _Read, contract: Contract) -> list[Json]:
    """Return what the engine would ask about the file; a given mapping answers for its columns."""
    proposal = read.result.proposal
    is_mapped = contract.profile.mapping is not None
    about_columns = () if is_mapped or proposal is None else proposal.questions
    about_file = [q for q in read.result.questions if not _is_answered_by(q, contract)]
    return [question_json(question) for question in (*about_file, *about_columns)]


def _is_answered_by(question: Question, contract: Contract) -> bool:
    return question.kind == "header_row" and contract.profile.header_row is not None


def _reading_json(read: _Read) -> Json:
    kept = ("sheet", "page", "range", "encoding", "delimiter")
    return {
        "format": read.result.format,
        **{name: getattr(read.table, name) for name in kept},
        "headerRow": read.header_row,
        "columns": list(read.result.columns),
        "rows": read.result.rows,
        "leftOut": None if read.result.rows is None else read.result.left_out,
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
