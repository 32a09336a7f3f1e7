"""Which column feeds a required field. Answer: a column of the file, or null for none."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from imports.mapping.draft import AboutColumns, MappingDraft, fed
from imports.questions.model import ColumnKind, Remembered, digest
from tabular.protocol.results import FileRead

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from ledger.models import Question as Recorded
    from ledger.services import NewQuestion

NAME: Literal["required_field"] = "required_field"


class RequiredField(ColumnKind):
    """The question which column feeds a required field."""

    name = NAME

    def fault(self, question: "Recorded", value: Any, record: "ImportRecord") -> str:
        """Return why a value is not a column of the file; empty if it is, or is null."""
        read = record.file_read
        fits = value is None or (read is not None and value in read.columns)
        return "" if fits else "Answer with a column of the file, or null for none."

    def remembered(self, value: Any, asked: "NewQuestion", record: "ImportRecord") -> Remembered:
        """Return a remembered column if this file has it."""
        return Remembered(value is None or value in asked.columns, value)

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
