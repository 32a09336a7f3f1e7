"""Findings at their place in the text a person looks at. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tabular.model import i_json
from tabular.model.catalog_findings import Finding
from tabular.model.i_json import lines_of

AROUND = 1  # lines shown before and after
LINE_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an excerpt."""

    number: int
    text: str
    is_place: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding with the lines it stands in, where the reader can say."""

    finding: Finding
    line: int | None
    excerpt: tuple[Line, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence, without the line that stands before it already."""
        return self.finding.sentence.removeprefix(f"Line {self.line}, ")


def indented(document: str) -> str:
    """Write a stored document as a person edits it."""
    return json.dumps(json.loads(document), indent=2, ensure_ascii=False)


def starter(key: str) -> str:
    """Write a first catalog, to be changed by a person who has not seen one."""
    fields = [
        {"key": "name", "label": "Name", "required": True},
        {"key": "email", "label": "E-mail", "columnType": "email", "alternativeMatches": ["Mail"]},
    ]
    document = {
        "key": key,
        "title": key.capitalize(),
        "keySeparator": ".",
        "entries": [{"id": "customer", "label": "Customer", "fields": fields}],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def placed(findings: Sequence[Finding], text: str) -> list[Placed]:
    """Find the line of each finding; ``text`` is the very text that was checked."""
    try:
        i_json.read(text)
    except i_json.NotIJson as error:
        places = {"": error.line}  # 0 when the reader cannot say
    else:
        places = lines_of(text, {finding.pointer for finding in findings})
    lines = text.split("\n")
    return [
        Placed(finding, line, _excerpt(lines, line))
        if (line := places.get(finding.pointer))
        else Placed(finding, None)
        for finding in findings
    ]


def _excerpt(lines: Sequence[str], line: int) -> tuple[Line, ...]:
    numbers = range(max(1, line - AROUND), min(len(lines), line + AROUND) + 1)
    return tuple(Line(n, lines[n - 1][:LINE_LENGTH], n == line) for n in numbers)
