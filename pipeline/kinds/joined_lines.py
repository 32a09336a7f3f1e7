"""Whether lines of a PDF end the row above. Answer: join, or apart for rows of their own."""

from dataclasses import replace
from typing import Any

from pipeline.kind import FileKind, digest
from tabular.model.issue import Question
from tabular.model.places import ReadingChoices
from tabular.protocol.results import FileRead


class JoinedLines(FileKind):
    """The question whether lines end the row above."""

    name = "joined_lines"
    choice = "joined_lines"

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies it: the texts of the lines."""
        return digest(self.name, *question.evidence)

    def choose(self, value: Any, choices: ReadingChoices, read: FileRead | None) -> ReadingChoices:
        """Join the lines or not; the numbers of rows change, so none is restored."""
        if (choices.joined_lines or "join") == value:
            return choices
        return replace(choices, joined_lines=value, restored=())
