"""The jobs of one piece of work, each in a folder of its own."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from sandbox import folders
from sandbox.run import run_job
from tabular.model.problem import Limits
from tabular.model.table import Progress, silent
from tabular.protocol.jobs import JobRequest, R


@dataclass(frozen=True, slots=True)
class Bench:
    """Where jobs run. folder: its own."""

    folder: Path
    limits: Limits = field(default_factory=Limits)
    progress: Progress = silent
    cancelled: Callable[[], bool] = lambda: False

    def run(self, name: str, request: JobRequest[R], /) -> tuple[R, Path]:
        """Run a job in a subfolder, emptied first; return its result and where its files are."""
        made = self.folder / name
        if made.exists():
            folders.remove(made)
        made.mkdir()
        limited = replace(request, limits=self.limits)
        result = run_job(made, limited, progress=self.progress, cancelled=self.cancelled)
        return result, made / "out"

    def within(self, name: str) -> "Bench":
        """Return a bench of the same limits in a subfolder."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return replace(self, folder=folder)
