"""
Which table of the file is imported. Answer: its number, from 0.

Where the rows of a table hardly hold together, the question is also whether they are those of the
page. No answer to that is remembered: the next page is another one.
"""

from dataclasses import replace
from typing import Any

from pipeline.kind import FileKind, Recorded, Remembered, digest
from pipeline.target import Target
from tabular.model.issue import NewQuestion, Question
from tabular.model.places import ReadingChoices
from tabular.model.sentences import Sentence
from tabular.protocol.results import FileRead


class Table(FileKind):
    """The question which table is imported."""

    name = "table"
    choice = "table"

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies it: the sheets and headers to choose from."""
        from tabular.matching import fingerprint  # rarely used in a web process

        tables = read.tables if read else ()
        headers = [f"{table.sheet or ''}:{fingerprint(table.columns)}" for table in tables]
        doubts = (*question.evidence, str(read.rows)) if read and _are_doubtful(read) else ()
        return digest(self.name, *headers, *doubts)

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value is not the number of a table; empty if it is."""
        tables = len(target.read.tables) if target.read else 0
        if type(value) is int and 0 <= value < tables:
            return ""
        return Sentence("Answer with the number of a table, from 0 to {n1}.", n1=str(tables - 1))

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return that an answer fits, unless a person has to compare rows with the page."""
        is_known = target.read is None or not _are_doubtful(target.read)
        return Remembered(fits=is_known, value=value)

    def choose(self, value: Any, choices: ReadingChoices, read: FileRead | None) -> ReadingChoices:
        """Choose a table; choices about the rows of another one are dropped."""
        if read and value == read.chosen:
            return choices
        whole = replace(choices, tables=(), entries=(), joined_on=None)
        return replace(whole, table=value, header_rows=None, joined_lines=None, restored=())


def _are_doubtful(read: FileRead) -> bool:
    return any(table.doubts for table in read.tables)
