"""Which rows are the header. Answer: a row number, several, or null for a file without names."""

from dataclasses import replace
from typing import Any

from pipeline.kind import FileKind, Recorded, digest, labels_of
from pipeline.target import Target
from tabular.model.issue import Question
from tabular.model.places import ReadingChoices
from tabular.protocol.results import FileRead

MOST_HEADER_ROWS = 20


class HeaderRow(FileKind):
    """The question which rows are the header."""

    name = "header_row"
    choice = "header_rows"

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies it: the sheet, and the rows to choose from."""
        sheet = (read.table.sheet if read else None) or ""
        return digest(self.name, sheet, *labels_of(question.candidates))

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value names no rows; empty if it does."""
        sentence = "Answer with a row number, a list of row numbers, or null for no header."
        listed = [value] if type(value) is int else value or []
        if not isinstance(listed, list) or len(listed) > MOST_HEADER_ROWS:
            return sentence
        return "" if all(type(row) is int and row >= 0 for row in listed) else sentence

    def stored(self, value: Any) -> list[int]:
        """Return the rows as a list."""
        return header_rows(value)

    def choose(self, value: Any, choices: ReadingChoices, read: FileRead | None) -> ReadingChoices:
        """Choose the rows of the header."""
        rows = header_rows(value)
        if read and list(read.table.header_rows) == rows:
            return choices
        return replace(choices, header_rows=tuple(rows))


def header_rows(value: Any) -> list[int]:
    """
    Return the physical rows, 0-based, of a header.

    >>> header_rows(3), header_rows([3, 4]), header_rows(None)
    ([3], [3, 4], [])
    """
    if value is None:
        return []
    return [value] if isinstance(value, int) else list(value)
