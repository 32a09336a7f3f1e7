"""A failure of the engine itself, reported without any data, and limited to one field."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from tabular.model.problem import TabularProblem

NOT_CHECKED = "not_checked"  # the code of the issue at the cells
MOST_FRAMES = 12
NO_DEFECTS = (TabularProblem, MemoryError)  # these stop the whole job


@dataclass(frozen=True, slots=True, order=True)
class Defect:
    """
    An unexpected exception.

    field: the path of the field, or empty. step: ``read``, or the code of the rule. error: the
    class of the exception. stack: file, line and function of its last frames. The message is
    omitted, because it may quote cells.
    """

    field: str
    step: str
    error: str
    stack: tuple[str, ...]

    def __str__(self) -> str:
        where = " < ".join(reversed(self.stack))
        return f"{self.error} in {self.step} of {self.field or 'the rows'}: {where}"


def defect_of(error: Exception, *, field: str, step: str) -> Defect:
    """Return the defect of a caught exception."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    stack = tuple(f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames)
    return Defect(field, step, type(error).__name__, stack)


def _short(path: str) -> str:
    return "/".join(path.rsplit("/", 3)[-3:])


@dataclass(frozen=True, slots=True)
class Contained:
    """Records what fails in a block and continues after it; what stops the whole job still does."""

    field: str
    step: str
    note: Callable[[Defect], object]

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, NO_DEFECTS):
            return False
        self.note(defect_of(error, field=self.field, step=self.step))
        return True


def contained(field: str, step: str, defects: list[Defect]) -> Contained:
    """Return a context that runs a block and adds what fails in it to the defects."""
    return Contained(field, step, defects.append)
