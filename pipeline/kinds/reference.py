"""Which known entity a text of a field means. Answer: its ref, or null for none."""

from typing import Any

from pipeline.kind import Recorded, Remembered, TextKind, offered_by, shown
from pipeline.target import Target
from tabular.model.issue import NewQuestion
from tabular.model.sentences import Sentence


class Reference(TextKind):
    """The question which known entity a text means."""

    name = "reference"
    issue_code = "ambiguous_reference"

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value is not a known ref; empty if it is."""
        if value is None or value in offered_by(question):
            return ""
        field = target.fields.get(question.field or "")
        entity = field.reference.entity if field is not None and field.reference else None
        if entity and isinstance(value, str) and target.knows(entity, value):
            return ""
        return Sentence(
            "{value} is not a known ref. Answer with a known ref, or null for none.",
            value=shown(value),
        )

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered ref if the field follows answers from other imports."""
        field = target.fields.get(question.field or "")
        resolve = field.reference.resolve if field is not None and field.reference else None
        return Remembered(resolve is not None and resolve.learned, value)
