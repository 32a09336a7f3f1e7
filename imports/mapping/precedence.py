"""From the matcher's proposal to the import's: saved mappings and answers take precedence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imports.answers.recall import RecalledAnswer
from imports.mapping.draft import MappingDraft, paths_of
from imports.mapping.proposal import Decider, Proposal
from imports.models import ImportRecord, Profile
from imports.questions import COLUMN_KINDS, followed
from imports.questions.required_field import NAME as REQUIRED
from ledger.models import Question
from ledger.selectors import questions_about
from ledger.services import NewQuestion


@dataclass(frozen=True, slots=True)
class ProfileMatch:
    """A saved mapping with the names of this file's header."""

    profile: Profile
    draft: MappingDraft


def apply_profile(
    profile: Profile | None, columns: Sequence[str], fields: Mapping[str, Any]
) -> ProfileMatch | None:
    """
    Apply a saved mapping to a header with its fingerprint; None if it can no longer be used.

    A header may differ in case and blanks, but a recipe names columns exactly. fields: the fields
    in use.
    """
    if profile is None:
        return None
    same = profile.columns == list(columns)
    if profile.recipe and not same:
        return None
    if not set(profile.mapping.values()) <= set(fields):
        return None
    name = dict(zip(profile.columns, columns, strict=True))
    mapping = {name.get(column, column): path for column, path in profile.mapping.items()}
    return ProfileMatch(
        profile, MappingDraft(mapping, tuple((profile.recipe or {}).get("steps", ())))
    )


def after_answers(
    proposal: Proposal, asked: Iterable[NewQuestion], known: Mapping[str, RecalledAnswer]
) -> Proposal:
    """Return the proposal with what is known about the columns it asks about."""
    samples = proposal.samples
    for question in asked:
        if question.kind in COLUMN_KINDS and question.fingerprint in known:
            found = known[question.fingerprint]
            draft = followed(proposal.draft, question, found.value, samples=samples)
            proposal = proposal.with_draft(draft, by=_answerer(found))
    return proposal


def _answerer(found: RecalledAnswer) -> Decider:
    return Decider("answer" if found.is_learned else "question", found.source)


def still_asked(
    asked: Iterable[NewQuestion], draft: MappingDraft, fields: Mapping[str, Any]
) -> list[NewQuestion]:
    """
    Return the questions that a saved mapping leaves open: those a required field may need.

    fields: the fields in use. A field that became required, or was unmapped, is asked about again.
    """
    needed = {path for path, field in fields.items() if field.is_required} - set(
        draft.mapping.values()
    )
    return [
        question
        for question in asked
        if question.kind not in COLUMN_KINDS
        or needed & {path for c in question.candidates for path in paths_of(c.value)}
    ]


def with_defaults(
    proposal: Proposal, draft: MappingDraft, questions: Iterable[Question]
) -> MappingDraft:
    """Return the draft with the defaults of open questions about columns, used until answered."""
    samples = proposal.samples
    for question in questions:
        if question.kind in COLUMN_KINDS - {REQUIRED}:  # nothing is known about those columns
            draft = followed(draft, question, question.default, samples=samples)
    return draft


def proposed_steps(record: ImportRecord) -> list[dict[str, Any]]:
    """Return the recipe steps in an import's proposal, questions or confirmed mapping."""
    draft, samples = record.proposed, record.proposes.samples
    steps = [*draft.steps, *(record.recipe or {}).get("steps", ())]
    about_columns = questions_about(record.tenant, record.public_id).filter(kind__in=COLUMN_KINDS)
    for question in about_columns:
        for candidate in question.candidates:
            steps += followed(draft, question, candidate["value"], samples=samples).steps
    return steps
