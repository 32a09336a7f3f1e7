"""
Whether a person compared what was recognised in pictures. Answer: a candidate; no row changes.

No answer is remembered: the next picture is another one.
"""

from typing import Any, Literal

from pipeline.kind import Kind, Remembered, digest
from pipeline.target import Target
from tabular.model.issue import NewQuestion, Question
from tabular.protocol.results import FileRead

NAME: Literal["recognised_text"] = "recognised_text"


class RecognisedText(Kind):
    """The question whether a person compared what was recognised."""

    name = NAME
    needs_person = True

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies it: the evidence, the header and the number of rows."""
        rows = (read.fingerprint, str(read.rows)) if read else ()
        return digest(self.name, *question.evidence, *rows)

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return that no remembered answer fits."""
        return Remembered(fits=False)
