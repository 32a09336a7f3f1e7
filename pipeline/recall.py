"""What is known when a job asks: the port to the keeper of answers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tabular.model.issue import NewQuestion


@dataclass(frozen=True, slots=True)
class RecalledAnswer:
    """What decides a question without asking a person now."""

    value: Any
    source: str = ""  # public id of the question, or of the remembered answer, that decided
    recalled: Any = None  # given for another file: what its keeper says about that

    @property
    def is_learned(self) -> bool:
        """Whether it comes from another file."""
        return self.recalled is not None


RecalledAnswers = dict[str, RecalledAnswer]  # by fingerprint


class Memory(Protocol):
    """A keeper of answers."""

    def answers(self, questions: Sequence[NewQuestion]) -> RecalledAnswers:
        """Return what decides some of the questions."""
        ...

    def remembers(self, fingerprints: Collection[str]) -> list[str]:
        """Return those fingerprints whose question was answered for another file."""
        ...


class NoMemory:
    """A memory of nothing: for a file that is only tried."""

    def answers(self, questions: Sequence[NewQuestion]) -> RecalledAnswers:
        """Return no answer."""
        return {}

    def remembers(self, fingerprints: Collection[str]) -> list[str]:
        """Return no fingerprint."""
        return []
