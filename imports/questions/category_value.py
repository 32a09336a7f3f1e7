"""Which option a text of a field means. Answer: an option's value, or null to empty the cell."""

from typing import TYPE_CHECKING, Any

from imports.answers.options import is_option
from imports.questions.model import Remembered, TextKind, shown

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from ledger.models import Question as Recorded
    from ledger.services import NewQuestion


class CategoryValue(TextKind):
    """The question which option a text means."""

    name = "category_value"
    issue_code = "unknown_option"

    def fault(self, question: "Recorded", value: Any, record: "ImportRecord") -> str:
        """Return why a value is not an option of the field; empty if it is."""
        if is_option(record, question.field, value):
            return ""
        return f"{shown(value)} is not an option of {question.field}."

    def remembered(self, value: Any, asked: "NewQuestion", record: "ImportRecord") -> Remembered:
        """Return a remembered option if the field still has it."""
        return Remembered(is_option(record, asked.field or "", value), value)
