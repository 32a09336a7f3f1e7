"""What the jobs of an import came to, as its moves store it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from imports.models import ImportRecord
from imports.parts import Decided, Parsed, Progress
from pipeline.proposal import Proposal
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import choices_kept

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What reading a file produced, as an import stores it."""

    reading: Json  # tables, columns, questions
    choices: ReadingChoices
    source: str  # storage folder of source.arrow
    rows: int | None

    def columns(self, proposal: Json | None) -> Json:
        """Return the columns it fills, with the progress of a job that is done."""
        reading = {**self.reading, "rows": self.rows}
        return {
            "parsed": Parsed(reading, choices_kept(self.choices), proposal),
            "source": self.source,
            "counts": {"sourceRows": self.rows},
            "progress": Progress(done=self.rows or 0, total=self.rows),
        }


@dataclass(frozen=True, slots=True)
class Proposed:
    """What is proposed for the columns of a file, and what its saved mapping decides."""

    proposal: Json
    decided: Decided


@dataclass(frozen=True, slots=True)
class Returned:
    """Failed rows that a file brings back, and the import that exported them."""

    of: ImportRecord
    rows: list[list[int]]  # ranges of row numbers of that import
    proposal: Proposal
    decided: Decided


@dataclass(frozen=True, slots=True)
class RowsMade:
    """The revision that a transform staged. checked_revision: 0 if no host checks the rows."""

    revision: int
    checked_revision: int
    counts: Mapping[str, int]
    rows: int

    def columns(self) -> Json:
        """Return the columns it fills, with the progress of a job that is done."""
        return {
            "revision": self.revision,
            "checked_revision": self.checked_revision,
            "counts": self.counts,
            "progress": Progress(done=self.rows, total=self.rows),
        }
