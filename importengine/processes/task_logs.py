"""Name each task in the log, and the call that caused it."""

from contextlib import AbstractContextManager
from threading import local
from typing import Any

from common.logs import context

HEADER = "log_context"
PASSED_ON = ("request", "trace")
_running = local()


def pass_on(headers: dict[str, Any] | None = None, **_: Any) -> None:
    """Put the ids of the call into the message of a task."""
    ids = {name: value for name, value in context.current().items() if name in PASSED_ON}
    if ids and headers is not None:
        headers[HEADER] = ids


def begin(task: Any = None, task_id: str = "", **_: Any) -> None:
    """Name the task, and the call that caused it, in every line until it ends."""
    caused = getattr(task.request, HEADER, None)
    ids = {
        name: str(caused[name]) for name in PASSED_ON if isinstance(caused, dict) and name in caused
    }
    block: AbstractContextManager[None] = context.about({"task": task_id, **ids})
    block.__enter__()
    _running.__dict__.setdefault("blocks", []).append(block)


def end(**_: Any) -> None:
    """Forget what the task was about."""
    if blocks := getattr(_running, "blocks", None):
        blocks.pop().__exit__(None, None, None)
