"""Who did something: a value kept in every history row."""

from dataclasses import asdict, dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Actor:
    """A person, an agent or the engine itself; the label is as claimed, never trusted."""

    kind: Literal["person", "agent", "system"]
    id: str
    label: str = ""

    def as_dict(self) -> dict[str, str]:
        """Give the actor as a history row stores it."""
        return asdict(self)


ENGINE = Actor(kind="system", id="engine", label="")
