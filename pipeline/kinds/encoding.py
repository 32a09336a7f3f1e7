"""Which encoding the bytes of a text file are in. Answer: its name."""

from dataclasses import replace
from typing import Any

from pipeline.kind import FileKind
from tabular.model.places import ReadingChoices
from tabular.protocol.results import FileRead


class Encoding(FileKind):
    """The question which encoding a file is in."""

    name = "encoding"
    choice = "encoding"

    def choose(self, value: Any, choices: ReadingChoices, read: FileRead | None) -> ReadingChoices:
        """Choose an encoding."""
        if read and read.table.encoding == value:
            return choices
        return replace(choices, encoding=value)
