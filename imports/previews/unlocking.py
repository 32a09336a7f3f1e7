"""A file with a password: it is stored again without it, and the password is stored nowhere."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings
from django.db import transaction

from common import storage
from common.actors import Actor
from common.errors import Conflict, Unavailable, Unprocessable
from common.wording.messages import english_message
from imports import transitions
from imports.models import ImportRecord
from imports.parts import Failure
from imports.previews.dry_run import JobsBusy
from sandbox import JobCancelled, JobFailed, run_job
from tabular.model.problem import Limits, TabularProblem, UnreadableFile
from tabular.model.table import silent
from tabular.protocol.files import UNLOCKED, UnlockRequest

MOST_TRIES = 5
MOST_SECONDS = 20.0
LOCKED = frozenset({"password_protected", "wrong_password", "extraction_forbidden"})

State = ImportRecord.State
logger = logging.getLogger(__name__)


class NotLocked(Conflict):
    """This import does not wait for a password."""

    code = "not_locked"


class UnlockBroken(Unavailable):
    """The file could not be opened. Retry later."""

    code = "unlock_broken"


def unlock(record: ImportRecord, password: str, *, actor: Actor, at: datetime) -> ImportRecord:
    """
    Store the file of a failed import without its password, and read it.

    The password goes to the job through a pipe. Raise NotLocked, Unprocessable for a wrong one or a
    damaged file, JobsBusy or UnlockBroken. The fifth wrong one ends the import.
    """
    record = _tried(record)
    try:
        stored = _stored_without(record, password)
    except TabularProblem as problem:
        raise _refusal(record, problem) from problem
    except BaseException:
        _untried(record)
        raise
    former = record.file
    try:
        with transaction.atomic():
            unlocked = transitions.read_unlocked(record, stored, actor=actor, at=at)
            transaction.on_commit(lambda: storage.delete(former))
    except BaseException:
        storage.delete(stored.name)
        raise
    return unlocked


@contextmanager
def _locked_row(record: ImportRecord) -> Iterator[ImportRecord]:
    with transaction.atomic():
        yield ImportRecord.objects.select_for_update().get(pk=record.pk)


def _tried(record: ImportRecord) -> ImportRecord:
    """Count a try before it is made, so that calls at the same moment get no more of them."""
    with _locked_row(record) as current:
        problem = current.problem or {}
        is_locked = current.state == State.FAILED and problem.get("code") in LOCKED
        if not is_locked or not current.file:
            raise NotLocked
        if current.passwords_tried >= MOST_TRIES:  # the last try is under way
            raise NotLocked
        current.passwords_tried += 1
        current.save(update_fields=["passwords_tried"])
    return current


def _untried(record: ImportRecord) -> None:
    with _locked_row(record) as current:
        current.passwords_tried = max(0, current.passwords_tried - 1)
        current.save(update_fields=["passwords_tried"])


def _stored_without(record: ImportRecord, password: str) -> storage.StoredFile:
    request = UnlockRequest(
        input=str(storage.local_path(record.file)), limits=Limits(**settings.LIMITS)
    )
    end = time.monotonic() + MOST_SECONDS
    try:
        with storage.working_folder("unlock") as folder:
            run_job(
                folder,
                request,
                progress=silent,
                cancelled=lambda: time.monotonic() > end,
                secret=password,
            )
            chunks = storage.chunks_of(folder / "out" / UNLOCKED)
            return storage.store("sources", chunks, max_bytes=settings.MAX_FILE_BYTES)
    except JobCancelled as error:
        raise JobsBusy(members={"retryAfter": 10}) from error
    except JobFailed as error:
        logger.warning("%s: a file was not unlocked: %s", record.public_id, error)
        raise UnlockBroken(members={"retryAfter": 10}) from error


def _refusal(record: ImportRecord, problem: TabularProblem) -> Unprocessable:
    """Return the error for a password that opens nothing, and keep it; the last ends the import."""
    if problem.code != "wrong_password":
        _untried(record)
        return Unprocessable(english_message(problem.sentence), code=problem.code)
    if record.passwords_tried >= MOST_TRIES:
        problem = UnreadableFile(
            "too_many_passwords",
            "Five wrong passwords. Upload the file again, or send one without a password.",
        )
    record.write(failure=Failure(problem.as_dict(), State.READING))
    return Unprocessable(english_message(problem.sentence), code=problem.code)
