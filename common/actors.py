"""Who did something, as stored in every history row."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from common.ids import PREFIXES

UNNAMED = {
    PREFIXES["license"]: "Key",
    PREFIXES["page session"]: "Page",
    PREFIXES["registration"]: "Receiving system",
}


@dataclass(frozen=True, slots=True)
class Actor:
    """A person, an agent or the engine itself; the label is as claimed and never trusted."""

    kind: Literal["person", "agent", "system"]
    id: str
    label: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the actor as a history row stores it."""
        return asdict(self)


def name_of(actor: Mapping[str, str]) -> str:
    """
    Return an actor's display name; a key or page without a label gets its last characters.

    >>> name_of({"kind": "system", "id": "lic_01j8zq7fq2", "label": ""})
    'Key …7fq2'
    >>> name_of({"kind": "person", "id": "user:1", "label": "Ada"})
    'Ada'
    """
    if actor.get("label"):
        return actor["label"]
    named = actor.get("id", "")
    noun = UNNAMED.get(named[:4])
    return f"{noun} …{named[-4:]}" if noun else named


def is_host(actor: Mapping[str, str]) -> bool:
    """
    Return whether a stored actor is a host that set values when it checked rows.

    >>> is_host({"kind": "system", "id": "whk_01j8zq7fq2"})
    True
    >>> is_host({"kind": "person", "id": "whk_01j8zq7fq2"})
    False
    """
    return actor.get("kind") == "system" and actor.get("id", "").startswith(
        PREFIXES["registration"]
    )


ENGINE = Actor(kind="system", id="engine", label="")


def is_engine(actor: Mapping[str, str]) -> bool:
    """
    Return whether a stored actor is the engine, and no person that a host named so.

    >>> is_engine({"kind": "system", "id": "engine", "label": "learned"})
    True
    >>> is_engine({"kind": "person", "id": "engine"})
    False
    """
    return actor.get("kind") == ENGINE.kind and actor.get("id") == ENGINE.id
