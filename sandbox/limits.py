"""Watch a child process: its time, its memory, and the size of its folder."""

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import folders
from tabular.model.problem import (
    ADJUSTABLE,
    CELLS_A_ROW,
    LimitExceeded,
    Limits,
    UnusableRequest,
    setting_of,
)
from tabular.model.sentences import Sentence, sized

if TYPE_CHECKING:
    import psutil  # slow to import: only who runs jobs watches them

FOLDER_EVERY_S = 1.0
MEMORY = "Reading the file needs more memory than the {SIZE} allowed."
DISK_SPACE = "Reading the file needs more disk space than the {SIZE} allowed."
FAMILY_EVERY_S = 1.0  # finding children means reading every process on the machine


def limits_of(variables: Mapping[str, str] = os.environ) -> Limits:
    """Read a command's limits from ``IMPORT_LIMIT_*``. Raise UnusableRequest for an invalid one."""
    chosen: dict[str, int] = {}
    for limit in ADJUSTABLE:
        name = setting_of(limit)
        if name in variables:
            try:
                chosen[limit] = int(variables[name])
            except ValueError:
                chosen[limit] = 0
            if chosen[limit] < 1:
                raise UnusableRequest(
                    "invalid_setting", f"{name} must be a whole number of at least 1."
                )
    limits = Limits(**chosen)
    return replace(limits, cells=CELLS_A_ROW * limits.rows)


class Watch:
    """Watches a running child and reports when it exceeds its limits."""

    def __init__(self, pid: int, folder: Path, limits: Limits) -> None:
        self._process = _process(pid)
        self._folder = folder
        self._limits = limits
        self._started = time.monotonic()
        self._folder_seen = self._started
        self._family = [] if self._process is None else [self._process]
        self._family_seen = self._started

    def check(self) -> None:
        """Raise LimitExceeded if a limit is exceeded, or StrangeFolder for unexpected files."""
        at = time.monotonic()
        if at - self._started > self._limits.seconds:
            raise LimitExceeded(
                Sentence(
                    "The file took longer than the {n1} s allowed.", n1=str(self._limits.seconds)
                ),
                limit="seconds",
                allowed=self._limits.seconds,
                code="timeout",
            )
        if at - self._family_seen > FAMILY_EVERY_S:
            self._family_seen = at
            self._family = self._look_for_family()
        if sum(map(_private, self._family)) > self._limits.memory_bytes:
            raise self._too_much("memory_bytes", MEMORY)
        if at - self._folder_seen > FOLDER_EVERY_S:
            self._folder_seen = at
            if folders.size(self._folder) > self._limits.folder_bytes:
                raise self._too_much("folder_bytes", DISK_SPACE)

    def _look_for_family(self) -> "list[psutil.Process]":
        import psutil

        if self._process is None:
            return []
        try:
            return [self._process, *self._process.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def _too_much(self, limit: str, template: str) -> LimitExceeded:
        allowed = getattr(self._limits, limit)
        return LimitExceeded(
            Sentence(template, SIZE=sized(allowed)),
            limit=limit,
            allowed=allowed,
        )


def _process(pid: int) -> "psutil.Process | None":
    import psutil

    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:  # it ended before we looked
        return None


def _private(process: "psutil.Process") -> int:
    import psutil

    # Memory-mapped files count as shared: the kernel can drop them, the child does not hold them.
    try:
        memory = process.memory_info()
    except psutil.NoSuchProcess:
        return 0
    return int(memory.rss - getattr(memory, "shared", 0))
