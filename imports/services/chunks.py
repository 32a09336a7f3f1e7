"""Receive an announced file chunk by chunk, continuing where the last one ended."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import Sum

from common import storage
from common.actors import Actor
from common.errors import Conflict
from imports import transitions
from imports.models import Chunk, ImportRecord

State = ImportRecord.State
FOLDER = "uploads"  # in the storage


class NotReceiving(Conflict):
    """The upload is already complete or cancelled."""

    code = "not_receiving"


class WrongOffset(Conflict):
    """The chunk does not start where the last one ended. Continue from `offset`."""

    code = "wrong_offset"


class WrongSize(Conflict):
    """The file does not have the size that was announced."""

    code = "wrong_size"


def offset_of(record: ImportRecord) -> int:
    """Return how many bytes of an announced file arrived. Raise NotReceiving if it expects none."""
    if record.state != State.RECEIVED:
        raise NotReceiving
    arrived: int | None = record.chunks.aggregate(arrived=Sum("size"))["arrived"]
    return arrived or 0


def receive_chunk(
    *, record: ImportRecord, start: int, chunks: Iterable[bytes], actor: Actor, at: datetime
) -> ImportRecord:
    """
    Store the bytes that begin at ``start``; after the last ones, start reading the file.

    If a stream breaks off, what arrived is kept. Raise WrongOffset if others came first.
    """
    _expect(record, start)
    stored = storage.store(FOLDER, chunks, max_bytes=record.size - start)
    try:
        if stored.size:
            return _keep(record, start, stored, actor=actor, at=at)
    except Exception:
        storage.delete(stored.name)
        raise
    storage.delete(stored.name)
    return record


def _expect(record: ImportRecord, start: int) -> None:
    offset = offset_of(record)
    if start != offset:
        raise WrongOffset(members={"offset": offset})


def _keep(
    record: ImportRecord, start: int, stored: storage.StoredFile, *, actor: Actor, at: datetime
) -> ImportRecord:
    with transaction.atomic():
        locked = ImportRecord.objects.select_for_update().get(pk=record.pk)
        _expect(locked, start)
        locked.chunks.create(start=start, size=stored.size, sha256=stored.sha256, file=stored.name)
        locked.write(progress=replace(locked.progress, done=start + stored.size))
        if locked.progress.done < locked.size:
            return locked
        _take_whole(locked)
        return transitions.receive(locked, actor=actor, at=at)


def _take_whole(record: ImportRecord) -> None:
    """Take a file that came in one chunk; several chunks are joined when it is read."""
    first, *others = record.chunks.all()[:2]
    if not others:
        record.write(file=first.file, sha256=first.sha256)
        first.delete()


def join(record: ImportRecord) -> None:
    """Join the chunks of a claimed import, which are not joined yet, into one file."""
    chunks = list(Chunk.objects.filter(record=record).order_by("start"))
    joined = storage.store("sources", (b for c in chunks for b in storage.stream(c.file)))
    with transaction.atomic():
        record.update_as_claimed(file=joined.name, sha256=joined.sha256)
        Chunk.objects.filter(record=record).delete()
    for chunk in chunks:
        storage.delete(chunk.file)
