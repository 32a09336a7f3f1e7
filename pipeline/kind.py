"""What a kind of question decides: its identity, its valid answers, and what an answer does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Protocol

from pipeline.draft import AboutColumns, MappingDraft
from pipeline.target import Target
from tabular.model.issue import Candidate, NewQuestion, Question
from tabular.model.places import ReadingChoices
from tabular.model.sentences import Sentence
from tabular.protocol.answers import Answers
from tabular.protocol.results import FileRead

Samples = Mapping[str, Sequence[str]]  # the first values of each column


class Recorded(AboutColumns, Protocol):
    """A question as the ledger keeps it."""

    @property
    def candidates(self) -> Any:
        """What it offers, as JSON."""
        ...


class AboutValues(AboutColumns, Protocol):
    """A question about values, open or just asked."""

    @property
    def evidence(self) -> Any:
        """What it is about in the file: of a question about one text, the text first."""
        ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """A remembered answer in the terms of the current question; ``fits`` says if it applies."""

    fits: bool
    value: Any = None


class Kind:
    """
    One kind of question; a subclass overrides what is particular to it.

    Add a kind by a module of this package, its entry in ``KINDS``, and its words in the widget.
    """

    name: ClassVar[str]
    needs_person: ClassVar[bool] = False  # no agent answers it, and no default applies

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """
        Return what identifies the question; the same question in another import has the same.

        By default its columns and its candidates.
        """
        from tabular.matching import question_fingerprint  # rarely used in a web process

        return digest(question.kind, catalog_key, question_fingerprint(question))

    def fault(self, question: Recorded, value: Any, target: Target) -> str:
        """Return why a value is not a valid answer; empty if it is. By default, a candidate is."""
        offered = [candidate["value"] for candidate in question.candidates]
        return (
            ""
            if value in offered
            else Sentence("Answer with one of {offered}.", offered=", ".join(map(shown, offered)))
        )

    def stored(self, value: Any) -> Any:
        """Return a valid answer as the ledger stores it."""
        return value

    def remembered(self, value: Any, question: NewQuestion, target: Target) -> Remembered:
        """Return a remembered answer if it still fits the question. By default it does."""
        return Remembered(fits=True, value=value)

    def cancels(self, value: Any) -> bool:
        """Return whether an answer cancels the import. By default none does."""
        return False


class FileKind(Kind):
    """A question about the file: an answer reads it again. choice: a member of the choices."""

    choice: ClassVar[str]

    def choose(self, value: Any, choices: ReadingChoices, read: FileRead | None) -> ReadingChoices:
        """Return the choices after an answer; the same object if the file was read that way."""
        raise NotImplementedError


class ColumnKind(Kind):
    """A question about columns: an answer changes the mapping."""

    def follow(
        self,
        draft: MappingDraft,
        question: AboutColumns,
        value: Any,
        samples: Samples,
    ) -> MappingDraft:
        """Return the draft after an answer."""
        raise NotImplementedError


class ValueKind(Kind):
    """A question about values: an answer transforms the rows again."""

    is_about_whole_rows: ClassVar[bool] = False  # about all rows, in any column
    issue_code: ClassVar[str] = ""  # about one text of a field: the issue that such a cell has

    def add(self, answers: Answers, field: str, text: str, value: Any) -> Answers:
        """Return the answers with one. By default it is about a whole field."""
        return answers.with_setting(self.name, field, value)


class TextKind(ValueKind):
    """A question about one text of a field, in any column."""

    def fingerprint(self, question: Question, read: FileRead | None, catalog_key: str) -> str:
        """Return what identifies the question: the field and the text."""
        return text_fingerprint(
            question.field or "", question.evidence[0], catalog_key=catalog_key, kind=self.name
        )

    def add(self, answers: Answers, field: str, text: str, value: Any) -> Answers:
        """Return the answers with what the text means."""
        return answers.with_text(self.name, field, text, value)


def text_fingerprint(
    field: str, text: str, *, catalog_key: str, kind: str = "category_value"
) -> str:
    """Return the fingerprint of the question what a text of a field means, in any column."""
    return digest(kind, catalog_key, field, text)


def offered_by(question: Recorded) -> list[Any]:
    """Return the values of a question's candidates."""
    return [candidate["value"] for candidate in question.candidates]


def labels_of(candidates: Sequence[Candidate]) -> list[str]:
    """Return the labels of candidates."""
    return [candidate.label for candidate in candidates]


def shown(value: Any) -> str:
    """Return a value as its sender would write it."""
    return json.dumps(value, ensure_ascii=False)


def digest(*parts: str) -> str:
    """Return the SHA-256 of some texts in order, in hex."""
    return sha256("\x1f".join(parts).encode()).hexdigest()
