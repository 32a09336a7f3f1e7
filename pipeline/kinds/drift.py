"""
Whether what differs from a feed's earlier files is right. Answer: right, or wrong, which cancels.

No answer is remembered: once its file is applied, later ones are compared with it, too.
"""

from typing import Any, Literal

from pipeline.kind import Kind, Remembered, digest
from pipeline.target import Target
from tabular.model.issue import Candidate, NewQuestion, Question
from tabular.protocol.results import FileRead

NAME: Literal["drift"] = "drift"
RIGHT, WRONG = "right", "wrong"
CANDIDATES = (
    Candidate(RIGHT, "This is right", effect="The import can be applied"),
    Candidate(WRONG, "The file is wrong", effect="The import is cancelled"),
)


class Drift(Kind):
    """The question whether what differs is right."""

    name = NAME
    needs_person = True

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies it: what is said of the file."""
        return digest(self.name, *question.columns, *question.evidence)

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return that no remembered answer fits."""
        return Remembered(fits=False)

    def cancels(self, value: Any) -> bool:
        """Return whether the file is wrong."""
        return bool(value == WRONG)
