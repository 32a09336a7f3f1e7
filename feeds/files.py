"""
Take the new files of a feed, each once.

1. List the place. A file that has no version of its own is left alone until two looks show the
   same size and time.
2. Store the bytes. Until a row names them, a crash only costs the download.
3. Create the import and mark the file as taken, in one transaction under the claim of the feed.
4. Move, rename or delete the file. A file that is marked and still there gets this again.

So a crash between any two steps neither loses a file nor imports it twice. What is wrong with one
file, or with telling the place, holds up no other file: the run goes on, and fails at its end.
"""

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from django.db import transaction

from catalogs import selectors as catalogs
from catalogs.models import CatalogVersion
from common import clock, storage
from common.errors import InsufficientStorage, ServiceError, TooManyRequests, Unavailable
from common.work.claims import ClaimLost
from feeds.applying.senders import tell_refused
from feeds.connection import after_taking, problem_of
from feeds.events import actor_of
from feeds.models import Feed, FeedRun, TakenFile
from feeds.sources.protocol import AfterTaking, Entry, Source, SourceError
from imports import services as imports
from imports.customization import PROFILE
from imports.models import ImportRecord
from imports.services.new_import import StartImport
from licensing.caller import Caller
from mails.models import ADDRESS_LENGTH

Stage, Outcome = TakenFile.Stage, TakenFile.Outcome
MOST_A_RUN = 100  # files; the oldest first, and the rest at the next look
TOGETHER = 500  # entries that are looked up at once
CHUNK = 1 << 20
STABLE_FOR = timedelta(seconds=20)  # between the two looks
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
OVER = (ImportRecord.State.CANCELLED, ImportRecord.State.FAILED)
UNFIT = {"source_too_large", "source_mail_odd"}  # of a file, which stays so until it changes
PASSING = {"source_file_missing", "source_file_changed", "source_access_denied"}  # also of a file


@dataclass(slots=True)
class Taking:
    """What a run did so far. waits: whether another look is needed soon."""

    counts: Counter[str] = field(default_factory=Counter)
    waits: bool = False
    problem: dict[str, Any] | None = None  # of the first file that was refused
    failed: SourceError | None = None  # the first that holds up no other file
    is_place_told: bool = True  # of each file that was taken
    position: str = ""  # of the source, once each file it listed is settled
    left_out: dict[str, int] = field(default_factory=dict)  # by the code of the place


@dataclass(frozen=True, slots=True)
class Look:
    """One look of a worker at the place of a feed."""

    feed: Feed
    run: FeedRun
    source: Source
    version: CatalogVersion
    how: AfterTaking


def take_new(feed: Feed, run: FeedRun, source: Source, taking: Taking) -> None:
    """
    Take what is new, oldest first, and note it in ``taking``.

    Raise UnknownCatalog before anything is taken, SourceError, ClaimLost, Unavailable, or a quota
    that is used up. What was taken before stays taken.
    """
    version = catalogs.published_version(feed.tenant, feed.catalog_key)
    look = Look(feed, run, source, version, after_taking(feed))
    entries = _candidates(look, taking)
    for entry in _stable(look, entries, taking):
        try:
            _take(look, entry, taking)
        except TooManyRequests:  # too many imports run now
            taking.waits = True
            break
        except SourceError as error:
            if error.code not in PASSING:
                raise
            taking.failed = taking.failed or error
    if taking.failed is not None:
        raise taking.failed


def last_of(feed: Feed) -> Entry | None:
    """Return the file that was taken last, as its place showed it."""
    last = TakenFile.objects.filter(feed=feed).exclude(stage=Stage.SEEN).order_by("-pk").first()
    if last is None:
        return None
    return Entry(last.path, last.size, last.modified, last.version)


def mark_of(entry: Entry, digest: str = "") -> str:
    """
    Return what tells a version of a file from another.

    digest: of its bytes, where the place says neither a time nor a version.
    """
    moment = entry.modified.isoformat() if entry.modified else ""
    parts = (entry.path, str(entry.size), moment, entry.version, digest)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def is_dated(entry: Entry) -> bool:
    """Return whether the place says when a file changed, or which version it is."""
    return bool(entry.version or entry.modified)


def _candidates(look: Look, taking: Taking) -> list[Entry]:
    """Return the oldest entries that were not taken; the listing itself is never held whole."""
    oldest: list[tuple[float, str, Entry]] = []  # a heap whose first item is the newest
    left: set[int] = set(_waiting_for_place(look).values_list("pk", flat=True))
    for entries in _batches(_listed(look, taking)):
        marks = {mark_of(entry): entry for entry in entries}
        rows = TakenFile.objects.filter(feed=look.feed, mark__in=marks).exclude(stage=Stage.SEEN)
        for row in rows:
            entry = marks.pop(row.mark)
            left.discard(row.pk)
            if row.outcome != Outcome.REFUSED:
                _tell_place(look, row, entry, taking)
        for entry in marks.values():
            moment = (entry.modified or LONG_AGO).timestamp()
            heapq.heappush(oldest, (-moment, entry.path, entry))
            if len(oldest) > MOST_A_RUN:
                heapq.heappop(oldest)
                taking.waits = True
    taking.left_out = {note.code: dict(note.params)["count"] for note in look.source.notes()}
    # Taken and not there any more: the place was told before the crash, or a person moved it.
    TakenFile.objects.filter(pk__in=left).update(stage=Stage.DONE)
    return [entry for *_, entry in sorted(oldest, key=lambda item: (-item[0], item[1]))]


def _listed(look: Look, taking: Taking) -> Iterator[Entry]:
    for entry in look.source.entries():
        taking.counts["listed"] += 1
        yield entry


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    iterator = iter(entries)
    while batch := list(islice(iterator, TOGETHER)):
        yield batch


def _waiting_for_place(look: Look) -> Any:
    return TakenFile.objects.filter(feed=look.feed, stage=Stage.TAKEN)


def _stable(look: Look, entries: list[Entry], taking: Taking) -> list[Entry]:
    """Return the entries that are complete; note the others, and forget those that changed."""
    waiting = {mark_of(entry): entry for entry in entries if not entry.version and is_dated(entry)}
    seen = TakenFile.objects.filter(feed=look.feed, stage=Stage.SEEN)
    at = clock.now()
    # A later clock than now was wrong: such a look counts as the first one, which is repeated.
    before = dict(seen.filter(mark__in=waiting).values_list("mark", "seen_at"))
    seen.exclude(mark__in=waiting).delete()
    seen.filter(seen_at__gt=at).update(seen_at=at)
    first = [entry for mark, entry in waiting.items() if mark not in before]
    TakenFile.objects.bulk_create(
        [_row(look, entry, seen_at=at) for entry in first], ignore_conflicts=True
    )
    growing = {mark for mark in waiting if before.get(mark, at) > at - STABLE_FOR}
    if growing:
        taking.waits = True
        taking.counts["waiting"] = len(growing)
    return [entry for entry in entries if mark_of(entry) not in growing]


def _row(look: Look, entry: Entry, **columns: Any) -> TakenFile:
    about: dict[str, Any] = {
        "mark": mark_of(entry),
        "path": entry.path,
        "size": entry.size,
        "modified": entry.modified,
        "version": entry.version[:200],
        "sender": entry.sender if len(entry.sender) <= ADDRESS_LENGTH else "",
    }
    return TakenFile(feed=look.feed, **(about | columns))


def _take(look: Look, entry: Entry, taking: Taking) -> None:
    mark = mark_of(entry)
    try:
        stored = _receive(look, entry)
    except Unavailable:  # the engine has no space, or its store does not answer
        raise
    except ServiceError as error:  # an empty file, or one that is too large
        _refuse(look, entry, mark if is_dated(entry) else "", error, taking)
        return
    except SourceError as error:
        if error.code not in UNFIT:
            raise
        _refuse(look, entry, mark if is_dated(entry) else "", error, taking)
        return
    if entry.size is not None and stored.size != entry.size:  # it grew while it was read
        storage.delete(stored.name)
        _see_again(look, mark)
        taking.waits = True
        return
    mark = mark if is_dated(entry) else mark_of(entry, stored.sha256)
    try:
        outcome = _keep(look, entry, mark, stored)
    except (TooManyRequests, InsufficientStorage, Unavailable, ClaimLost):
        storage.delete(stored.name)
        raise
    except ServiceError as error:
        storage.delete(stored.name)
        _refuse(look, entry, mark, error, taking)
        return
    if outcome != Outcome.IMPORTED:
        storage.delete(stored.name)
    if outcome:
        taking.counts[outcome] += 1
        row = TakenFile.objects.get(feed=look.feed, mark=mark)
        _tell_place(look, row, entry, taking)


def _receive(look: Look, entry: Entry) -> storage.StoredFile:
    with look.source.open(entry) as stream:
        return imports.receive_file(iter(lambda: stream.read(CHUNK), b""))


def _see_again(look: Look, mark: str) -> None:
    mine = TakenFile.objects.filter(feed=look.feed, mark=mark, stage=Stage.SEEN)
    mine.update(seen_at=clock.now())


def _keep(look: Look, entry: Entry, mark: str, stored: storage.StoredFile) -> str:
    """Create the import of stored bytes, unless they are those of the file before; say which."""
    at = clock.now()
    with transaction.atomic():
        _require_claim(look.feed)
        mine = TakenFile.objects.filter(feed=look.feed)
        if mine.filter(mark=mark).exclude(stage=Stage.SEEN).exists():
            return Outcome.NONE  # undated, and not changed since
        if _is_latest(look.feed, stored.sha256):
            _save(look, entry, mark, at, outcome=Outcome.SAME, digest=stored.sha256)
            return Outcome.SAME
        row = _save(look, entry, mark, at, outcome=Outcome.IMPORTED, digest=stored.sha256)
        wanted = StartImport(
            caller=Caller(look.feed.tenant, "", actor_of(look.feed)),
            source=stored,
            filename=entry.name,
            catalog_version=look.version,
            meta=look.feed.meta,
            scope=look.feed.scope,
            overlay={PROFILE: look.feed.profile_id} if look.feed.profile_id else None,
            origin=row.named | {"runId": look.run.public_id},
        )
        row.record = imports.start_import(wanted, at=at).record
        row.save(update_fields=["record"])
    return Outcome.IMPORTED


def _require_claim(feed: Feed) -> None:
    """Lock the feed for a transaction. Raise ClaimLost if another worker has it by now."""
    held = Feed.objects.select_for_update().filter(pk=feed.pk, claim_no=feed.claim_no)
    if not held.exists():
        raise ClaimLost("claim_lost.named", id=feed.public_id)


def _is_latest(feed: Feed, digest: str) -> bool:
    """Return whether the last file that became an import had the same bytes, and still counts."""
    imported = TakenFile.objects.filter(feed=feed, outcome=Outcome.IMPORTED).order_by("-pk")
    last = imported.exclude(record__state__in=OVER).first()
    return last is not None and last.digest == digest


def _save(look: Look, entry: Entry, mark: str, at: datetime, **columns: Any) -> TakenFile:
    """Mark a file as taken; one that was only seen before has a row already, which is replaced."""
    TakenFile.objects.filter(feed=look.feed, mark=mark, stage=Stage.SEEN).delete()
    row = _row(look, entry, mark=mark, run=look.run, seen_at=at, taken_at=at, **columns)
    row.stage = Stage.DONE if look.how.action == "keep" else Stage.TAKEN
    row.save(force_insert=True)
    return row


def _refuse(look: Look, entry: Entry, mark: str, error: Exception, taking: Taking) -> None:
    """
    Leave a file that cannot be imported where it is, and do not try it again.

    mark: empty for one that nothing tells from the file that replaces it, so it is tried again.
    """
    problem = problem_of(error)
    if mark:
        with transaction.atomic():
            _require_claim(look.feed)
            row = _save(look, entry, mark, clock.now(), outcome=Outcome.REFUSED, problem=problem)
            TakenFile.objects.filter(pk=row.pk).update(stage=Stage.DONE)
            tell_refused(row, at=clock.now())
    taking.counts[Outcome.REFUSED] += 1
    taking.problem = taking.problem or problem


def _tell_place(look: Look, row: TakenFile, entry: Entry, taking: Taking) -> None:
    """Move, rename or delete a file; after a failure, the others wait for the next run."""
    if look.how.action == "keep" or not taking.is_place_told:
        return
    try:
        look.source.done(entry, look.how)
    except SourceError as error:
        taking.failed = taking.failed or error
        taking.is_place_told = False
        return
    TakenFile.objects.filter(pk=row.pk).update(stage=Stage.DONE)
