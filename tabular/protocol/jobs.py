"""What every job is asked, and the problem that stops it."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Self, TypeVar, get_args

from pydantic import StringConstraints

from tabular.model.problem import Limits, TabularProblem
from tabular.model.recognition import Recognition
from tabular.model.sentences import Text

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRequest(Generic[R]):
    """
    What every job is given; R is the type of its result.

    input: the path of the input. strict: do not run the job if it cannot be confined. recognition:
    how text in pictures is recognised; None refuses pictures.
    """

    job: str
    input: str
    limits: Limits = field(default_factory=Limits)
    strict: bool = False
    recognition: Recognition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What stopped a job. details: further members for the problem's code."""

    code: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    sentence: Text
    details: dict[str, Any]

    @classmethod
    def of(cls, problem: TabularProblem) -> Self:
        """Return a problem as its JSON type."""
        return cls(code=problem.code, sentence=problem.sentence, details=problem.details)

    def as_error(self) -> TabularProblem:
        """Return the problem as an exception to raise again."""
        problem = TabularProblem(self.code, self.sentence)
        problem.details = self.details
        return problem


def result_type(request: JobRequest[R]) -> type[R]:
    """Return the type that a request names as that of its result."""
    (named,) = type(request).__orig_bases__  # type: ignore[attr-defined]  # each is generic
    result: type[R] = get_args(named)[0]
    return result
