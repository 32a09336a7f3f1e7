"""Required fields without a column: an import that waits for one asks for it, with candidates."""

from collections.abc import Iterable
from datetime import datetime

from common.errors import Conflict
from imports.answers.recall import recalled_answers
from imports.answers.record import record_questions
from imports.mapping.draft import MappingDraft
from imports.mapping.precedence import after_answers
from imports.mapping.proposal import ProposedColumn
from imports.models import ImportRecord
from imports.questions import followed
from imports.questions.required_field import NAME as REQUIRED
from imports.questions.required_field import required_fingerprint
from ledger import selectors as ledger
from ledger.models import Question
from ledger.services import NewQuestion
from tabular.model.catalog import Field
from tabular.model.issue import Candidate
from tabular.model.sentences import counted
from tabular.protocol.results import FileRead

OFFERED = 5
LIKELY = 50  # the score from which a column is the default
CLOSED = frozenset({Question.State.ANSWERED, Question.State.DISMISSED})


class RequiredUnmapped(Conflict):
    """Some required fields have no column. Map them, or send `allowMissing: true`."""

    code = "required_unmapped"


def ask_required(record: ImportRecord, draft: MappingDraft, *, at: datetime) -> MappingDraft:
    """
    Ask for the column of each required field that a draft leaves empty, and for no other.

    Return the draft with remembered answers applied; the proposal of the record is updated too.
    """
    asked = list(_asked(record, draft))
    known = recalled_answers(record, asked)
    record_questions(record, asked, kinds={REQUIRED}, known=known, at=at)
    learned = {key: answer for key, answer in known.items() if answer.is_learned}
    record.proposal = after_answers(record.proposes, asked, learned).as_json()
    for item in asked:
        if item.fingerprint in learned:
            draft = followed(draft, item, learned[item.fingerprint].value, samples={})
    return draft


def is_complete(record: ImportRecord, draft: MappingDraft) -> bool:
    """Return whether each required field has a column, or is known to have none."""
    missing = set(_missing(record, draft))
    return not missing or missing <= _left_empty(record)


def check_required(record: ImportRecord, draft: MappingDraft) -> None:
    """
    Raise RequiredUnmapped, naming every required field that a mapping leaves empty.

    A field that a person confirmed to have no column is skipped, unless it has one by now. Entries
    without any mapped column are not validated.
    """
    fed = set(draft.mapping.values())
    known = _left_empty(record) - set((record.mapping or {}).values())
    by_entity = {entity: paths for entity, paths in _by_entity(record).items() if fed & set(paths)}
    entities = {path: entity for entity, paths in by_entity.items() for path in paths}
    missing = {
        path: item
        for path, item in _missing(record, draft).items()
        if path in entities and path not in known  # an entry without columns is not validated
    }
    if not missing:
        return
    labels = ", ".join(field.label or field.key for field in missing.values())
    raise RequiredUnmapped(
        f"Required fields have no column: {labels}. Map them, or send `allowMissing: true` to "
        "accept the errors.",
        missing=[
            {"entity": entities[path], "field": path, "label": field.label or field.key}
            for path, field in missing.items()
        ],
    )


def _by_entity(record: ImportRecord) -> dict[str, list[str]]:
    separator = record.target.key_separator
    entries = record.target.entries
    return {
        entry.id: [f"{entry.id}{separator}{field.key}" for field in entry.fields]
        for entry in entries
    }


def _left_empty(record: ImportRecord) -> set[str]:
    """Return the required fields that are confirmed to have no column."""
    closed = ledger.questions_about(record.tenant, record.public_id).filter(
        kind=REQUIRED, state__in=CLOSED
    )
    return {question.field for question in closed if _is_left_empty(question)}


def _is_left_empty(question: Question) -> bool:
    is_answered = question.state == Question.State.ANSWERED
    return (question.answer if is_answered else question.default) is None


def _missing(record: ImportRecord, draft: MappingDraft) -> dict[str, Field]:
    filled = {*draft.mapping.values(), *(record.context.get("defaults") or {})}
    return {
        path: field
        for path, field in record.target.live_fields.items()
        if field.is_required and path not in filled and not _is_above(record, field)
    }


def _is_above(record: ImportRecord, field: Field) -> bool:
    """Return whether a pair above the table feeds a document-scoped field."""
    if field.scope != "document":
        return False
    from tabular.transforming import document_text  # loads pyarrow; few fields are of a document

    read = record.file_read
    return document_text(field, read.table.document if read else {}) is not None


def _asked(record: ImportRecord, draft: MappingDraft) -> Iterable[NewQuestion]:
    read = record.file_read
    for path, field in _missing(record, draft).items():
        candidates = _candidates(record, draft, path)
        best = candidates[0] if candidates else None
        is_likely = best is not None and (best.score or 0) >= LIKELY
        yield NewQuestion(
            kind=REQUIRED,
            fingerprint=required_fingerprint(path, read, catalog_key=record.catalog_key),
            field=path,
            columns=tuple(candidate.value for candidate in candidates),
            candidates=(*candidates, _none(read, field)),
            evidence=(f"The required field {field.label or field.key} has no column",),
            default=best.value if best is not None and is_likely else None,
            blocking=True,
        )


def _candidates(record: ImportRecord, draft: MappingDraft, path: str) -> list[Candidate]:
    """Return the columns that fit best; then those that are unused."""
    scored = [(_score(column, path), column) for column in record.proposes.columns]
    scored.sort(key=lambda one: (-one[0], one[1].column in draft.mapping))
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
    return f"It is no longer mapped to {fed}" if fed else "It is not mapped yet"


def _none(read: FileRead | None, field: Field) -> Candidate:
    rows = (read.rows if read else None) or 0
    effect = counted(rows, "row has an error", "rows have an error")
    label = f"No column: leave {field.label or field.key} empty"
    return Candidate(value=None, label=label, effect=effect)
