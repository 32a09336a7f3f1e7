"""Which option a text of a field means. Answer: an option's value, or null to empty the cell."""

from typing import Any

from pipeline.kind import Recorded, Remembered, TextKind, shown
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.model.sentences import Sentence


class CategoryValue(TextKind):
    """The question which option a text means."""

    name = "category_value"
    issue_code = "unknown_option"

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value is not an option of the field; empty if it is."""
        if target.is_option(question.field or "", value):
            return ""
        return Sentence(
            "{value} is not an option of {field}.", value=shown(value), field=question.field
        )

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered option if the field still has it."""
        return Remembered(target.is_option(question.field or "", value), value)
