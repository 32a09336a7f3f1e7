"""Which country phone numbers without a prefix are from. Answer: an ISO 3166-1 code, or null."""

from typing import Any

from pipeline.kind import Recorded, ValueKind, digest, shown
from pipeline.target import Target
from tabular.model.issue import Question
from tabular.model.sentences import Sentence
from tabular.protocol.answers import Answers
from tabular.protocol.results import FileRead


class Region(ValueKind):
    """The question which country phone numbers are from."""

    name = "region"
    is_about_whole_rows = True

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies it: the columns of phone numbers."""
        return digest(self.name, catalog_key, *sorted(question.columns))

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value is not a country; empty if it is, or is a candidate."""
        if not isinstance(value, str):
            return super().fault(question, value, target)
        from tabular.types.families.phones import is_region  # loads the library of phone numbers

        if is_region(value):
            return ""
        return Sentence(
            "{value} is not a country code: use two letters, such as DE.", value=shown(value)
        )

    def add(self, answers: Answers, field: str, text: str, value: Any) -> Answers:
        """Return the answers with the country."""
        return answers.with_region(value)
