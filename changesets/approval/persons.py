"""
Who prepared what is applied or reverted, and who counts as another person.

An actor is known by its id, never by its label, which is as claimed: a staff account, a license
key, or the person that a host named for a page or a link. An agent has the id of the key or
account that it acts for, so they are the same person, and it never approves. A page or link whose
host names no person has an id of its own, which says nothing about who uses it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from changesets.models import Changeset
from common.actors import ENGINE, Actor
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
NO_VISITOR = (PREFIXES["license"], "user:", "operator")  # accounts, keys and the command line


def preparers_of(record: ImportRecord, actor: Actor) -> list[Json]:
    """
    Return who prepared the rows of an import, each once, first the one who applies it.

    These are the people who uploaded the file, chose how it is read, mapped its columns, answered
    its questions or edited its rows. Who approved, refused or retried an earlier apply is not among
    them.
    """
    subject = record.public_id
    moves = Move.objects.filter(subject=subject, from_state__in=PREPARING)
    edits = Revision.objects.filter(subject=subject)
    answers = Question.objects.filter(subject=subject, answered_by__isnull=False)
    stored: Iterable[Any] = (
        *moves.order_by().values_list("actor", flat=True).distinct(),
        *edits.order_by().values_list("actor", flat=True).distinct(),
        *answers.order_by().values_list("answered_by", flat=True).distinct(),
    )
    by_id: dict[str, Json] = {}
    for item in (actor.as_dict(), record.started_by, *stored):
        if item and item.get("id") and item["id"] != ENGINE.id:
            by_id.setdefault(item["id"], dict(item))
    return list(by_id.values())


def who_prepared(changeset: Changeset) -> list[Json]:
    """Return who prepared what waits: the apply, or the revert that was asked for."""
    if changeset.revert_requested_by:
        return [changeset.revert_requested_by]
    return changeset.prepared_by or []


def refuse_same(changeset: Changeset, actor: Actor) -> None:
    """Raise SecondPersonNeeded unless an actor is surely another person than the preparers."""
    prepared_by = who_prepared(changeset)
    if any(item["id"] == actor.id for item in prepared_by):
        raise SecondPersonNeeded
    if actor.kind == "agent":
        raise SecondPersonNeeded("second_person_needed.agent")
    if actor.id.startswith(UNNAMED):
        raise SecondPersonNeeded("second_person_needed.unnamed")
    if _is_of_host(actor) and _has_unnamed(prepared_by, changeset.record):
        raise SecondPersonNeeded("second_person_needed.visitor")


def is_another(changeset: Changeset, actor: Actor) -> bool:
    """Return whether an actor may approve what waits, as far as persons are concerned."""
    try:
        refuse_same(changeset, actor)
    except SecondPersonNeeded:
        return False
    return True


def _is_of_host(actor: Actor) -> bool:
    """Return whether a host named an actor, who may have used a page that names no person."""
    return not actor.id.startswith(NO_VISITOR)


def _has_unnamed(prepared_by: Iterable[Mapping[str, str]], record: ImportRecord) -> bool:
    """Return whether an unknown person was among the preparers; a page key is any visitor."""
    vague = (*UNNAMED, PREFIXES["license"]) if record.from_page else UNNAMED
    return any(item["id"].startswith(vague) for item in prepared_by)
