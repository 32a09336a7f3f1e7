"""Findings with their location in the text that a person sees. Pure."""

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
    """A finding with its lines, if known."""

    finding: Finding
    line: int | None
    excerpt: tuple[Line, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence, without the line number that precedes it already."""
        return self.finding.sentence.removeprefix(f"Line {self.line}, ")


def indented(document: str) -> str:
    """Return a stored document formatted for editing."""
    return json.dumps(json.loads(document), indent=2, ensure_ascii=False)


def starter(key: str) -> str:
    """Return a first catalog as an example to edit."""
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
    """Return each finding with its lines; ``text`` is exactly the text that was checked."""
    try:
        i_json.read(text)
    except i_json.NotIJson as error:
        places = {"": error.line}  # 0 if the parser does not know it
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
