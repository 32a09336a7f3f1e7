"""Which known entity a text of a field means. Answer: its ref, or null for none."""

from typing import TYPE_CHECKING, Any

from imports.questions.model import Remembered, TextKind, offered_by, shown
from references.selectors import seen_by

if TYPE_CHECKING:
    from imports.models import ImportRecord
    from ledger.models import Question as Recorded
    from ledger.services import NewQuestion


class Reference(TextKind):
    """The question which known entity a text means."""

    name = "reference"
    issue_code = "ambiguous_reference"

    def fault(self, question: "Recorded", value: Any, record: "ImportRecord") -> str:
        """Return why a value is not a known ref; empty if it is."""
        if value is None or value in offered_by(question):
            return ""
        field = record.target.live_fields.get(question.field)
        if isinstance(value, str) and field is not None and field.reference is not None:
            known = seen_by(record.tenant, record.scope, field.reference.entity)
            if not record.from_page and known.filter(ref=value).exists():
                return ""
        return f"{shown(value)} is not a known ref. Answer with a known ref, or null for none."

    def remembered(self, value: Any, asked: "NewQuestion", record: "ImportRecord") -> Remembered:
        """Return a remembered ref if the field follows answers from other imports."""
        field = record.target.live_fields.get(asked.field or "")
        resolve = field.reference.resolve if field is not None and field.reference else None
        return Remembered(resolve is not None and resolve.learned, value)
