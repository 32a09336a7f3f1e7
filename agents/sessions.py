"""The identity of an agent, and how its tools wait for work."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from changesets.follow_up import follow_due
from changesets.lookups import state as lookups
from changesets.lookups.worker import work_off
from common import clock
from common.actors import Actor
from deliveries.tasks import dispatch_due
from imports.models import ImportRecord
from licensing.caller import Caller
from schemas.wait import wait_for
from workflow.worker import finish

WAIT_S = 20.0  # less than the timeout of clients, mostly 30 or 60 seconds

Read = Callable[[], ImportRecord]


@dataclass(frozen=True, slots=True)
class Session:
    """One agent: its license, and how to wait for an import."""

    caller: Caller
    wait_for: Callable[[Read], ImportRecord]  # until a person must act, or the time is up
    files: Path | None = None  # the folder whose files may be named by path
    begin: Callable[[], None] = lambda: None  # before each call


def of_http(caller: Caller) -> Session:
    """Return the session of one call over HTTP; workers advance its imports."""
    return Session(caller=as_agent(caller), wait_for=_wait)


def of_process(caller: Caller, *, files: Path | None) -> Session:
    """Return the session of a separate process, which advances its imports itself."""
    return Session(caller=as_agent(caller), wait_for=_work, files=files)


def as_agent(caller: Caller) -> Caller:
    """Return a license's caller as the agent named in every history."""
    actor = Actor(kind="agent", id=caller.actor.id, label=caller.actor.label)
    return replace(caller, actor=actor)


def _wait(read: Read) -> ImportRecord:
    return wait_for(read, is_done=_is_done, seconds=WAIT_S)


def _is_done(record: ImportRecord) -> bool:
    return not record.is_worked_on and not lookups.is_looking(record)


def _work(read: Read) -> ImportRecord:
    record = read()
    if record.state == ImportRecord.State.REVIEW:  # with the answers of its host
        lookups.begin(record, at=clock.now(), again=False)
        work_off(record)
    if record.is_worked_on:
        record = finish(record)
        dispatch_due()  # the deliveries of the job
        follow_due()
        record = read()
    return record
