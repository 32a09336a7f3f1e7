"""What a model is told: instructions of the engine, and data that is never an instruction."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

MOST_ANSWER = 20_000  # characters of an answer that are read


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to a model. task: what it is asked to propose."""

    task: str
    system: str
    user: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the whole prompt, in hex."""
        return sha256("\x1f".join((self.task, self.system, self.user)).encode()).hexdigest()


def as_data(document: dict[str, Any]) -> str:
    """Return the data of a prompt as JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def answered(content: str, task: str) -> dict[str, Any]:
    """
    Return the member of an answer that its task names; empty for anything else.

    Models like to wrap JSON in prose or in a code block, so the outermost braces count.

    >>> answered('Sure! ```{"columns": {"c1": "f2"}}```', "columns")
    {'c1': 'f2'}
    >>> answered("I cannot do that.", "columns"), answered('{"columns": [1]}', "columns")
    ({}, {})
    """
    start, end = content.find("{"), content[:MOST_ANSWER].rfind("}")
    try:
        document = json.loads(content[start : end + 1])
    except (ValueError, RecursionError):
        return {}
    answer = document.get(task) if isinstance(document, dict) else None
    return answer if isinstance(answer, dict) else {}
