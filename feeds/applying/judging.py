"""
Apply the imports of feeds that keep their rules; hold the others for a person, with the reasons.

The files of one feed are judged in the order in which they were taken, and none before those
earlier are over: rows of an older file never replace those of a newer one.
"""

import logging
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from changesets import services as changesets
from changesets.lookups.state import LookingUp
from changesets.plans.current import plan_of
from common.errors import Conflict, IllegalMove, InvalidRequest, StaleState
from common.work.claims import ClaimLost
from feeds.applying import senders
from feeds.applying.asking import ask_about, not_accepted
from feeds.applying.pictures import drift_of
from feeds.applying.returning import is_returned, merge_returned
from feeds.applying.rules import (
    BLOCKED,
    Counted,
    Facts,
    Reason,
    Rules,
    is_only_blocked,
    reasons_against,
)
from feeds.applying.senders import unsettled
from feeds.errors import NotJudged
from feeds.events import actor_of
from feeds.models import Feed, TakenFile
from imports.events import is_undecided
from imports.host_checks.state import StillChecking
from imports.models import ImportRecord
from imports.services.held import hold
from ledger.selectors import open_questions
from pipeline.kinds.drift import NAME as DRIFT

logger = logging.getLogger(__name__)
State = ImportRecord.State
OVER = frozenset({State.APPLIED, State.REVERTING, State.REVERTED, State.CHECKED, State.CANCELLED})
CHANGED = "changed"  # the status of rows in a plan


def to_judge() -> "QuerySet[TakenFile]":
    """Return the files whose imports are ready to be judged, are over, or waited for others."""
    is_over = Q(record__state__in=OVER) | Q(record=None)
    is_ready = Q(record__state=State.REVIEW)
    is_open = Q(record__held=None) | Q(record__held__contains=BLOCKED)
    return unsettled().filter(is_over | (is_ready & is_open) | is_returned())


def is_work_due() -> bool:
    """Return whether an import is to be judged, or a sender to be told something."""
    if not unsettled().exists():  # asked every few seconds: most engines have none
        return False
    return to_judge().exists() or senders.to_tell().exists()


def refuse_unjudged(record: ImportRecord) -> None:
    """
    Raise NotJudged if the feed of an import has yet to look at it.

    It may find that the file differs from earlier ones, and then asks before the rows leave.
    """
    if is_undecided(record) and to_judge().filter(record=record).exists():
        raise NotJudged


def judge_all(*, at: datetime) -> None:
    """Judge what is ready, feed by feed; what goes wrong with one feed stops no other."""
    for feed_id in to_judge().order_by("feed_id").values_list("feed_id", flat=True).distinct():
        feed = Feed.objects.select_related("tenant").get(pk=feed_id)
        try:
            judge_feed(feed, at=at)
        except (StaleState, IllegalMove, ClaimLost):
            logger.info("%s: an import was moved meanwhile", feed.public_id)
        except Exception:
            logger.exception("%s: its imports were not judged", feed.public_id)
    senders.tell_all(at=at)


def judge_feed(feed: Feed, *, at: datetime) -> None:
    """Apply or hold the imports of a feed, oldest first, up to one that is still worked on."""
    merge_returned(feed, at=at)
    is_blocked = False
    files = unsettled().filter(feed=feed).select_related("feed__tenant").order_by("pk")
    for file in files:
        record = _record_of(file)
        if record is None or record.state in OVER or record.purged_at is not None:
            _settle(file, record, at=at)
        elif record.state == State.REVIEW:
            if not _judge(feed, file, record, is_blocked=is_blocked, at=at):
                return
            is_blocked = True
        elif record.state in {State.MAPPING, State.FAILED, State.STAGED}:
            is_blocked = True  # a person must act
        else:
            return


def _settle(file: TakenFile, record: ImportRecord | None, *, at: datetime) -> None:
    with transaction.atomic():
        mine = TakenFile.objects.filter(pk=file.pk, settled_at=None)
        if mine.update(settled_at=at) and record is not None:
            senders.tell_done(file, record, at=at)


def _record_of(file: TakenFile) -> ImportRecord | None:
    if file.record_id is None:
        return None
    about = ImportRecord.objects.select_related("catalog_version__catalog", "tenant")
    return about.filter(pk=file.record_id).first()


def _judge(
    feed: Feed, file: TakenFile, record: ImportRecord, *, is_blocked: bool, at: datetime
) -> bool:
    """Apply an import in review or hold it; return whether it is held."""
    if record.held is not None and (is_blocked or not is_only_blocked(record.held)):
        return True
    try:
        facts = _facts(file, record, is_blocked=is_blocked)
    except (LookingUp, StillChecking):  # a host is still asked about the rows
        return False
    except Conflict as refused:
        _hold(record, [_reason(refused)], at=at)
        return True
    rules = Rules.kept(feed.rules)
    if reasons := reasons_against(rules, facts):
        with transaction.atomic():
            ask_about(record, facts.drift, at=at)
            _hold(record, reasons, at=at)
        return True
    try:
        changesets.apply(
            record=record,
            apply_mode="webhook",
            invalid_rows="exclude",
            actor=actor_of(feed),
            at=at,
        )
    except (LookingUp, StillChecking):
        return False
    except (StaleState, IllegalMove, ClaimLost):
        raise
    except (Conflict, InvalidRequest) as refused:
        _hold(record, [_reason(refused)], at=at)
        return True
    return False


def _hold(record: ImportRecord, reasons: list[Reason], *, at: datetime) -> None:
    if record.held != reasons:
        hold(record, reasons, at=at)


def _reason(refused: Conflict | InvalidRequest) -> Reason:
    """Return what refused an apply as a reason: its code alone, since texts may quote cells."""
    return {"code": "apply_refused", "refusal": refused.code}


def _facts(file: TakenFile, record: ImportRecord, *, is_blocked: bool) -> Facts:
    """Return what the rules look at. Raise a Conflict if it cannot be known now."""
    plan = plan_of(record)
    rows, known = record.counts.get("rows", 0), sum(plan.known.values())
    questions = open_questions(record.tenant, record.public_id).exclude(kind=DRIFT).count()
    return Facts(
        is_remembered=_is_remembered(record, file.feed),
        open_questions=questions,
        invalid=Counted(record.counts.get("error", 0), rows),
        changed=Counted(plan.counts.get(CHANGED, 0), known),
        missing=Counted(sum(plan.missing.values()), known),
        is_again=_is_again(file),
        is_blocked=is_blocked,
        drift=not_accepted(record, drift_of(file, record)),
    )


def _is_remembered(record: ImportRecord, feed: Feed) -> bool:
    """Return whether the mapping is the feed's, or any saved one, unchanged for this file."""
    decided = record.decided
    if not decided.profile or decided.by is not None:
        return False
    return feed.profile_id in ("", decided.profile["id"])


def _is_again(file: TakenFile) -> bool:
    """Return whether an earlier file of the feed had the same bytes and was applied."""
    earlier: Any = TakenFile.objects.filter(feed=file.feed_id, digest=file.digest, pk__lt=file.pk)
    return bool(earlier.filter(record__applied_at__isnull=False).exists())
