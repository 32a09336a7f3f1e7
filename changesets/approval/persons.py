"""
Who prepared what is applied or reverted, and who counts as another person.

An actor is known by its id, never by its label, which is as claimed: a staff account, a license
key, or the person that a host named for a page or a link. An agent has the id of the key or
account that it acts for, so they are the same person, and it never approves. A page or link whose
host names no person has an id of its own, which says nothing about who uses it. Whether a caller is
a page is never read from its id: a host may name people as it likes.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from changesets.approval.limits import most_alone, stricter
from changesets.models import Changeset
from common.actors import ENGINE, Actor, is_engine
from common.ids import PREFIXES
from common.models import Move
from imports.models import ImportRecord
from ledger.models import Question
from licensing.refusals import SecondPersonNeeded
from staging.models import Revision

Json = dict[str, Any]
State = ImportRecord.State
PREPARING = (State.RECEIVED, State.READING, State.MAPPING, State.TRANSFORMING, State.REVIEW)
UNNAMED = (PREFIXES["page session"], PREFIXES["link"])
KEY = PREFIXES["license"]
NOT_PREPARING = (State.APPLYING, State.CANCELLED)
VAGUE = "unnamed"  # of a preparer: a page key, which any visitor may have used


def preparers_of(record: ImportRecord, actor: Actor) -> list[Json]:
    """
    Return who prepared the rows of an import, each once, first the one who applies it.

    These are the people who uploaded the file, chose how it is read, mapped its columns, answered
    its questions or edited its rows, those who did so with the import whose file it takes again,
    and those who sent corrected files. Who approved, refused or retried an earlier apply is not
    among them.
    """
    others = [*_formers(record), *_corrections(record)]
    is_vague = any(item.from_page for item in (record, *others))
    by_id: dict[str, Json] = {}
    for item in (actor.as_dict(), record.started_by, *_stored(record, others)):
        if item and item.get("id") and not is_engine(item):
            marks = {VAGUE: True} if is_vague and item["id"].startswith(KEY) else {}
            by_id.setdefault(item["id"], {**item, **marks})
    return list(by_id.values())


def _stored(record: ImportRecord, others: list[ImportRecord]) -> Iterator[Any]:
    subject, ids = record.public_id, [item.public_id for item in others]
    moves = Move.objects.filter(from_state__in=PREPARING).order_by()
    made = moves.filter(subject__in=ids).exclude(to_state__in=NOT_PREPARING)
    edits = Revision.objects.filter(subject=subject).order_by()
    answers = Question.objects.filter(subject__in=[subject, *ids], answered_by__isnull=False)
    yield from moves.filter(subject=subject).values_list("actor", flat=True).distinct()
    yield from edits.values_list("actor", flat=True).distinct()
    yield from (item.started_by for item in others)
    yield from made.values_list("actor", flat=True).distinct()
    yield from answers.order_by().values_list("answered_by", flat=True).distinct()


def _formers(record: ImportRecord) -> Iterator[ImportRecord]:
    """Yield the import whose file this one takes again, the one before that, and so on."""
    seen, wanted = {record.public_id}, record.started_from
    while wanted and wanted not in seen:
        seen.add(wanted)
        former = _brief().filter(tenant=record.tenant_id, public_id=wanted).first()
        if former is None:
            return
        yield former
        wanted = former.started_from


def _corrections(record: ImportRecord) -> QuerySet[ImportRecord]:
    return _brief().filter(corrects=record, purpose=ImportRecord.Purpose.CORRECTION)


def _brief() -> QuerySet[ImportRecord]:
    return ImportRecord.objects.only("public_id", "started_from", "started_by", "from_page")


def tighten(changeset: Changeset) -> bool:
    """
    Have a stricter rule count that was published since the apply; return whether there is one.

    Nothing is stored.
    """
    record = changeset.record
    now = most_alone(record.catalog_version, "apply", record.overlay)
    limit = stricter(changeset.most_alone, now)
    if limit == changeset.most_alone:
        return False
    changeset.most_alone = limit
    if changeset.prepared_by is None:
        by = changeset.applied_by
        changeset.prepared_by = preparers_of(record, Actor(**by) if by else ENGINE)
    return True


def who_prepared(changeset: Changeset) -> list[Json]:
    """Return who prepared what waits: the apply, or the revert that was asked for."""
    if changeset.revert_requested_by:
        return [changeset.revert_requested_by]
    return (changeset.prepared_by or []) if changeset.needs_second_person else []


def refuse_same(changeset: Changeset, actor: Actor, *, is_page: bool) -> None:
    """
    Raise SecondPersonNeeded unless an actor is surely another person than the preparers.

    is_page: whether the actor calls from a page, with a session or a key of its own.
    """
    prepared_by = who_prepared(changeset)
    if any(item["id"] == actor.id for item in prepared_by):
        raise SecondPersonNeeded
    if actor.kind == "agent":
        raise SecondPersonNeeded("second_person_needed.agent")
    if actor.id.startswith(UNNAMED) or (is_page and actor.id.startswith(KEY)):
        raise SecondPersonNeeded("second_person_needed.unnamed")
    if is_page and _has_unnamed(prepared_by, changeset.record):
        raise SecondPersonNeeded("second_person_needed.visitor")


def is_another(changeset: Changeset, actor: Actor, *, is_page: bool) -> bool:
    """Return whether an actor may approve what waits, as far as persons are concerned."""
    try:
        refuse_same(changeset, actor, is_page=is_page)
    except SecondPersonNeeded:
        return False
    return True


def _has_unnamed(prepared_by: Iterable[Mapping[str, Any]], record: ImportRecord) -> bool:
    """Return whether an unknown person was among the preparers; a page key is any visitor."""
    vague = (*UNNAMED, KEY) if record.from_page else UNNAMED
    return any(item.get(VAGUE) or item["id"].startswith(vague) for item in prepared_by)
