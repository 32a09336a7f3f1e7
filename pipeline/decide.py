"""
Decide the mapping of a file: what is proposed, what is asked, and whether rows can be made now.

A contract or a saved mapping comes before the matcher, what is known about a question before both,
and a default applies until there is an answer. An import asks for a column of each required field.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.draft import MappingDraft, paths_of
from pipeline.kinds import COLUMN_KINDS, followed
from pipeline.kinds.required_field import NAME as REQUIRED
from pipeline.kinds.required_field import required_fingerprint
from pipeline.proposal import Decider, Proposal, ProposedColumn
from pipeline.recall import Memory, NoMemory, RecalledAnswer, RecalledAnswers
from tabular.model.catalog import Field
from tabular.model.issue import Candidate, NewQuestion
from tabular.model.sentences import Sentence, counted
from tabular.protocol.results import FileRead

OFFERED = 5
LIKELY = 50  # the score from which a column is the default


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """
    What holds for every mapping of an import.

    fields: those in use, by path. given: the fields that have a value without a column. auto_map:
    whether rows are made without a person, once nothing is missing.
    """

    catalog_key: str
    fields: Mapping[str, Field]
    given: frozenset[str] = frozenset()
    auto_map: bool = False
    read: FileRead | None = None

    @property
    def filled(self) -> list[str]:
        """The fields that have a value without a column, by path."""
        return [
            path for path, item in self.fields.items() if path in self.given or self._is_above(item)
        ]

    def missing(self, mapping: Mapping[str, str]) -> dict[str, Field]:
        """Return the required fields that a mapping leaves empty."""
        filled = {*mapping.values(), *self.given}
        return {
            path: item
            for path, item in self.fields.items()
            if item.is_required and path not in filled and not self._is_above(item)
        }

    def _is_above(self, item: Field) -> bool:
        """Return whether a pair above the table feeds a document-scoped field."""
        if item.scope != "document":
            return False
        from tabular.transforming.documents import document_text  # loads pyarrow; rarely needed

        return document_text(item, self.read.table.document if self.read else {}) is not None


@dataclass(frozen=True, slots=True)
class Saved:
    """A mapping that a contract sets, or that was saved for this header."""

    draft: MappingDraft
    by: Decider
    profile: dict[str, Any] | None = None  # its id and version, if it was saved
    custom_fields: list[dict[str, Any]] | None = None  # that it has besides those of the catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """
    What was answered so far.

    questions: those of a run, and known: what is known about them. open: further questions about
    columns, whose defaults hold. left_empty: required fields that have no column, as a person
    confirmed.
    """

    questions: Sequence[NewQuestion] = ()
    known: RecalledAnswers = field(default_factory=dict)
    open: Sequence[Any] = ()
    left_empty: frozenset[str] = frozenset()
    saved: Saved | None = None
    memory: Memory = field(default_factory=NoMemory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """
    What is decided about a mapping.

    draft: the mapping if rows are made now. questions: those of the run that remain. required:
    those for a column of a required field. known: what is known about all of them.
    """

    proposal: Proposal
    draft: MappingDraft
    questions: tuple[NewQuestion, ...]
    required: tuple[NewQuestion, ...]
    known: RecalledAnswers
    profile: dict[str, Any] | None
    transforms: bool


def decide(proposal: Proposal, answers: Answers, policy: Policy) -> Decision:
    """Return the mapping that a proposal and the answers lead to, and what is asked for it."""
    questions, saved = tuple(answers.questions), answers.saved
    if saved is not None:
        questions = tuple(still_open(questions, saved.draft, policy.fields))
        proposal = proposal.with_draft(saved.draft, by=saved.by)
    proposal = after_answers(proposal, questions, answers.known)
    is_open = (
        item for item in questions if item.fingerprint not in answers.known and not item.decided
    )
    draft = with_defaults(proposal, [*is_open, *answers.open])
    required = tuple(required_questions(proposal, draft, policy))
    known = answers.memory.answers(required)
    learned = {key: answer for key, answer in known.items() if answer.is_learned}
    for item in required:
        if item.fingerprint in learned:
            draft = followed(draft, item, learned[item.fingerprint].value, samples={})
    left_empty = answers.left_empty | {
        item.field or ""
        for item in required
        if item.fingerprint in known and known[item.fingerprint].value is None
    }
    return Decision(
        proposal=after_answers(proposal, required, learned),
        draft=draft,
        questions=questions,
        required=required,
        known=answers.known | known,
        profile=saved.profile if saved else None,
        transforms=policy.auto_map and policy.missing(draft.mapping).keys() <= left_empty,
    )


def after_answers(
    proposal: Proposal, questions: Iterable[NewQuestion], known: RecalledAnswers
) -> Proposal:
    """Return the proposal with what is known about the columns it asks about."""
    samples = proposal.samples
    for question in questions:
        if question.kind in COLUMN_KINDS and question.fingerprint in known:
            recalled = known[question.fingerprint]
            draft = followed(proposal.draft, question, recalled.value, samples=samples)
            proposal = proposal.with_draft(draft, by=_answerer(recalled))
    return proposal


def _answerer(recalled: RecalledAnswer) -> Decider:
    return Decider("answer" if recalled.is_learned else "question", recalled.source)


def still_open(
    questions: Iterable[NewQuestion], draft: MappingDraft, fields: Mapping[str, Field]
) -> list[NewQuestion]:
    """
    Return the questions that a saved mapping leaves open: those a required field may need.

    fields: the fields in use. A field that became required, or was unmapped, is asked about again.
    """
    needed = {path for path, item in fields.items() if item.is_required} - set(
        draft.mapping.values()
    )
    return [
        question
        for question in questions
        if question.kind not in COLUMN_KINDS
        or needed & {path for c in question.candidates for path in paths_of(c.value)}
    ]


def with_defaults(proposal: Proposal, questions: Iterable[Any]) -> MappingDraft:
    """Return the proposed draft with the defaults of open questions about columns."""
    draft, samples = proposal.draft, proposal.samples
    for question in questions:
        if question.kind in COLUMN_KINDS - {REQUIRED}:  # nothing is known about those columns
            draft = followed(draft, question, question.default, samples=samples)
    return draft


def required_questions(
    proposal: Proposal, draft: MappingDraft, policy: Policy
) -> Iterator[NewQuestion]:
    """Ask for the column of each required field that a draft leaves empty, and for no other."""
    for path, item in policy.missing(draft.mapping).items():
        candidates = _candidates(proposal, draft, path)
        best = candidates[0] if candidates else None
        is_likely = best is not None and (best.score or 0) >= LIKELY
        yield NewQuestion(
            kind=REQUIRED,
            fingerprint=required_fingerprint(path, policy.read, catalog_key=policy.catalog_key),
            field=path,
            columns=tuple(candidate.value for candidate in candidates),
            candidates=(*candidates, _none(policy.read, item)),
            evidence=(
                Sentence("The required field {field} has no column", field=item.label or item.key),
            ),
            default=best.value if best is not None and is_likely else None,
            blocking=True,
        )


def _candidates(proposal: Proposal, draft: MappingDraft, path: str) -> list[Candidate]:
    """Return the columns that fit best; then those that are unused."""
    scored = [(_score(column, path), column) for column in proposal.columns]
    scored.sort(key=lambda item: (-item[0], item[1].column in draft.mapping))
    return [
        Candidate(
            value=item.column,
            label=", ".join([item.column, *item.samples[:2]])[:80],
            score=score or None,
            effect=_effect(item.column, draft),
        )
        for score, item in scored[:OFFERED]
        if score or item.column not in draft.mapping
    ]


def _score(column: ProposedColumn, path: str) -> float:
    return next(
        (alternative.score for alternative in column.alternatives if alternative.field == path), 0.0
    )


def _effect(column: str, draft: MappingDraft) -> str:
    fed = draft.mapping.get(column)
    return (
        Sentence("It is no longer mapped to {field}", field=fed) if fed else "It is not mapped yet"
    )


def _none(read: FileRead | None, item: Field) -> Candidate:
    rows = (read.rows if read else None) or 0
    effect = counted(rows, "row has an error", "rows have an error")
    label = Sentence("No column: leave {field} empty", field=item.label or item.key)
    return Candidate(value=None, label=label, effect=effect)
