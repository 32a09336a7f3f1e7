"""Take an announced file in, chunk by chunk, from wherever the last one ended."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Sum

from common import storage
from common.actors import Actor
from common.errors import Conflict
from imports import waking
from imports.models import Chunk, ImportRecord

State = ImportRecord.State
FOLDER = "uploads"  # of the storage


class NotReceiving(Conflict):
    """The upload is already complete or cancelled."""

    code = "not_receiving"


class WrongOffset(Conflict):
    """The chunk does not start where the last one ended. Continue from `offset`."""

    code = "wrong_offset"


class WrongSize(Conflict):
    """The file was announced with another size."""

    code = "wrong_size"


def offset_of(record: ImportRecord) -> int:
    """Give how many bytes of an announced file arrived; NotReceiving when none are awaited."""
    if record.state != State.RECEIVED:
        raise NotReceiving
    arrived: int | None = record.chunks.aggregate(arrived=Sum("size"))["arrived"]
    return arrived or 0


def receive_chunk(
    *, record: ImportRecord, start: int, chunks: Iterable[bytes], actor: Actor, at: datetime
) -> ImportRecord:
    """
    Keep the bytes that begin at ``start``; the last one has the file read.

    A stream that breaks off keeps what arrived. WrongOffset when others came first.
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
        raise WrongOffset(offset=offset)


def _keep(
    record: ImportRecord, start: int, stored: storage.StoredFile, *, actor: Actor, at: datetime
) -> ImportRecord:
    with transaction.atomic():
        locked = ImportRecord.objects.select_for_update().get(pk=record.pk)
        _expect(locked, start)
        locked.chunks.create(start=start, size=stored.size, sha256=stored.sha256, file=stored.name)
        locked.done = start + stored.size
        if locked.done < locked.size:
            locked.as_read().update(done=locked.done)
            return locked
        locked.move_to(State.READING, at=at, actor=actor, due_at=at, **_whole(locked))
        waking.wake_up(locked)
    return locked


def _whole(record: ImportRecord) -> dict[str, Any]:
    """Take a file that came in one chunk as it is; several are joined when it is read."""
    only = list(record.chunks.all()[:2])
    if len(only) > 1:
        return {"done": record.done}
    record.chunks.all().delete()
    return {"done": record.done, "file": only[0].file, "sha256": only[0].sha256}


def join(record: ImportRecord) -> None:
    """Make one file of the chunks of a claimed import; does nothing once it is one."""
    if record.file:
        return
    chunks = list(Chunk.objects.filter(record=record).order_by("start"))
    joined = storage.store("sources", (b for c in chunks for b in storage.stream(c.file)))
    with transaction.atomic():
        record.update_as_claimed(file=joined.name, sha256=joined.sha256)
        Chunk.objects.filter(record=record).delete()
    for chunk in chunks:
        storage.delete(chunk.file)
