"""Who an agent is, and how its tools wait for work."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from changesets.following import follow_due
from common.actors import Actor
from deliveries.tasks import dispatch_due
from imports.advancing import finish
from imports.models import ImportRecord
from licensing.caller import Caller
from wire.waiting import wait_for

WAIT_S = 20.0  # below the patience of clients, most of which wait 30 or 60 seconds

Read = Callable[[], ImportRecord]


@dataclass(frozen=True, slots=True)
class Session:
    """One agent: its license, and how an import of it is waited for."""

    caller: Caller
    settle: Callable[[Read], ImportRecord]  # until somebody must act, or the patience is over
    files: Path | None = None  # the folder whose files may be named by path
    begin: Callable[[], None] = lambda: None  # before each call


def of_http(caller: Caller) -> Session:
    """Make the session of one call over HTTP; workers carry its imports on."""
    return Session(caller=as_agent(caller), settle=_wait)


def of_process(caller: Caller, *, files: Path | None) -> Session:
    """Make the session of a process of its own, which carries its imports on itself."""
    return Session(caller=as_agent(caller), settle=_work, files=files)


def as_agent(caller: Caller) -> Caller:
    """Give a license's caller as the agent that every history then names."""
    actor = Actor(kind="agent", id=caller.actor.id, label=caller.actor.label)
    return replace(caller, actor=actor)


def _wait(read: Read) -> ImportRecord:
    return wait_for(read, is_done=lambda record: not record.is_worked_on, seconds=WAIT_S)


def _work(read: Read) -> ImportRecord:
    record = read()
    if record.is_worked_on:
        record = finish(record)
        dispatch_due()  # what the job made for hosts
        follow_due()
        record = read()
    return record
