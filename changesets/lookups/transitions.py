"""
Every move of a lookup from one state to another: looking, done, failed.

No other module moves a lookup. See docs/states.md.
"""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from changesets.lookups.model import Lookup
from common.ids import PREFIXES, new_id
from common.work.wakeups import wake_on_commit
from imports.models import ImportRecord

State = Lookup.State
LOOK_UP = "workflow.tasks.look_up"  # by name, because the task is in a higher layer


def begin(record: ImportRecord, *, webhook_id: str, at: datetime) -> None:
    """Have the keys of an import fetched for the first time."""
    try:
        with transaction.atomic():
            lookup = Lookup.objects.create(
                public_id=new_id(PREFIXES["lookup"]),
                state=State.LOOKING,
                record=record,
                webhook_id=webhook_id,
                due_at=at,
            )
            wake_on_commit(LOOK_UP, lookup.public_id)
    except IntegrityError:  # another call began it at this moment
        return


def begin_again(lookup: Lookup, *, webhook_id: str, forgets: bool, at: datetime) -> None:
    """Have the keys fetched that are new. forgets: fetch those of before again, too."""
    with transaction.atomic():
        lookup.write(webhook_id=webhook_id, problem=None, failed_at=None, tries=0)
        lookup.move_to(State.LOOKING, at=at)
        if forgets:
            forget_answers(lookup)
        wake_on_commit(LOOK_UP, lookup.public_id)


def forget_answers(lookup: Lookup) -> None:
    """Forget which keys were answered, in the caller's transaction."""
    lookup.pages.all().delete()
    Lookup.objects.filter(pk=lookup.pk).update(since=None)


def finish(lookup: Lookup, *, revision: int, base: int, at: datetime) -> None:
    """End with every key of a revision fetched."""
    with transaction.atomic():
        lookup.write(revision=revision, base=base)
        lookup.move_to(State.DONE, at=at)


def fail(
    lookup: Lookup, *, revision: int, problem: dict[str, Any], forgets: bool, at: datetime
) -> None:
    """End without an answer. problem: code, text and members. forgets: trust none of before."""
    with transaction.atomic():
        lookup.write(revision=revision, problem=problem, failed_at=at)
        lookup.move_to(State.FAILED, str(problem["code"]), at=at)
        if forgets:
            forget_answers(lookup)
