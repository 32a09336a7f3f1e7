"""Which column feeds a required field. Answer: a column of the file, or null for none."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pipeline.draft import AboutColumns, MappingDraft, fed
from pipeline.kind import ColumnKind, Recorded, Remembered, digest
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.protocol.results import FileRead

NAME: Literal["required_field"] = "required_field"


class RequiredField(ColumnKind):
    """The question which column feeds a required field."""

    name = NAME

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value is not a column of the file; empty if it is, or is null."""
        read = target.read
        fits = value is None or (read is not None and value in read.columns)
        return "" if fits else "Answer with a column of the file, or null for none."

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered column if this file has it."""
        return Remembered(value is None or value in question.columns, value)

    def follow(
        self,
        draft: MappingDraft,
        question: AboutColumns,
        value: Any,
        samples: Mapping[str, Sequence[str]],
    ) -> MappingDraft:
        """Return the draft after an answer."""
        return draft if value is None else fed(draft, {value: question.field or ""})


def required_fingerprint(field: str, read: FileRead | None, *, catalog_key: str) -> str:
    """Return the fingerprint of the question which column feeds a required field."""
    return digest(NAME, catalog_key, field, read.fingerprint if read else "")
