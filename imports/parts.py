"""
What an import holds besides its identity, its state and its policy: one frozen value for each.

Each is a column of its own, written by the commands named here and by no other.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Parsed:
    """What reading the file found. The moves of the job that reads it write it."""

    VERSION: ClassVar[int] = 1

    reading: Json | None = None  # tables, columns, questions: a FileRead; None once purged
    choices: Json = field(default_factory=dict)  # how people want it read: ReadingChoices
    proposal: Json | None = None  # for its columns: a Proposal; answers about columns change it


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided about the mapping. Confirming it writes it, and each transform."""

    VERSION: ClassVar[int] = 1

    mapping: dict[str, str] | None = None  # column to field path
    recipe: Json | None = None
    custom_fields: list[Json] | None = None  # fields that a person added; imports.mapping
    profile: Json | None = None  # {id, version} of the saved mapping that was used
    by: Json | None = None  # an Actor; None: no person to remember


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the running job is, or the upload. Written under the claim, twice a second."""

    VERSION: ClassVar[int] = 1

    stage: str = ""
    done: int = 0  # rows; bytes of an upload
    total: int | None = None
    since: str | None = None  # when the stage began, ISO 8601
    tries: int = 0  # how often the job failed by the machine's fault
    sign: str = ""  # what tells the last such failure from another


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an import failed, and in which state. Its failing writes it, a retry removes it."""

    VERSION: ClassVar[int] = 1

    problem: Json
    state: str
