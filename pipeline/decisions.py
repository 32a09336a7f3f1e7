"""What is decided about a file: how it is read, mapped, and how its values are taken."""

from dataclasses import dataclass, field

from pipeline.draft import MappingDraft
from tabular.model.places import ReadingChoices
from tabular.protocol.answers import Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """All that people, memory and defaults decided: the same decisions give the same rows."""

    choices: ReadingChoices = field(default_factory=ReadingChoices)
    draft: MappingDraft = field(default_factory=MappingDraft)
    answers: Answers = field(default_factory=Answers)
