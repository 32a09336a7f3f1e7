"""What one file does to a limited child: its result, time and memory."""

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import psutil

from sandbox.folders import temporary_folder
from sandbox.run import JobFailed, run_job
from tabular.model.problem import Limits, TabularProblem
from tabular.model.table import silent
from tabular.protocol.requests import ReadRequest

MOST_SECONDS = 10.0  # for one file
MOST_MEGABYTES = 1_000  # private memory of its process
LIMITS = Limits(seconds=60)

Kind = Literal["read", "refused", "crashed"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What became of one file.

    code: of the refusal, or the class of the failure. megabytes: the most private memory of the
    job's processes, as seen every tenth of a second. questions: their number by kind.
    """

    kind: Kind
    file_format: str = ""
    code: str = ""
    sentence: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    tables: int = 0
    questions: Counter[str] = field(default_factory=Counter)

    @property
    def is_slow(self) -> bool:
        """Whether the file took more time or memory than any file may."""
        return self.seconds > MOST_SECONDS or self.megabytes > MOST_MEGABYTES


def outcome_of(path: Path) -> Outcome:
    """Read a file in a limited child, as an import does, without a catalog."""
    memory = _Memory()
    request = ReadRequest(input=str(path.resolve()), limits=LIMITS)
    started = time.monotonic()

    def measured(kind: Kind, code: str = "", sentence: str = "") -> Outcome:
        return Outcome(kind, "", code, sentence, time.monotonic() - started, memory.most)

    with temporary_folder() as folder:
        try:
            result = run_job(folder, request, progress=silent, cancelled=memory.look)
        except TabularProblem as problem:
            return measured("refused", problem.code, problem.sentence)
        except JobFailed as failure:
            return measured("crashed", type(failure).__name__, str(failure)[-1_000:])
    return Outcome(
        "read",
        result.format,
        seconds=time.monotonic() - started,
        megabytes=memory.most,
        tables=len(result.tables),
        questions=Counter(question.kind for question in result.questions),
    )


class _Memory:
    """The most private memory of the processes below this one; ``look`` never cancels a job."""

    def __init__(self) -> None:
        self.most = 0.0
        self._own = psutil.Process()

    def look(self) -> bool:
        for process in self._own.children(recursive=True):
            try:
                memory = process.memory_info()
            except psutil.NoSuchProcess:
                continue
            self.most = max(self.most, (memory.rss - memory.shared) / 1e6)
        return False
