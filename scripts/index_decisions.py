"""
Write the index of decisions, ``docs/adr/README.md``, by topic.

    python scripts/index_decisions.py         write it
    python scripts/index_decisions.py check   report whether it matches the records

A record is accepted unless one of its lines gives another status: ``**Status:** superseded by
0094``. A new record belongs under one topic below.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "adr"
INDEX = "README.md"
TITLE = re.compile(r"# 0*(?P<number>\d+)[:.]? (?P<title>.+)")
STATUS = re.compile(r"^\*\*Status:\*\* (?P<status>.+)$", re.MULTILINE)
HEAD = """# Decisions

Each record says what was decided, why, and what follows from it. Records keep their number. When a
later record replaces one, the older one names it in its status. Missing numbers were folded into
another record, or into the page that explains the subject.

<!-- Written by scripts/index_decisions.py. -->
"""
TOPICS: dict[str, tuple[int, ...]] = {
    "Work, processes and storage": (1, 4, 86, 90, 91, 94, 96, 175, 202, 218, 221, 222, 223),
    "Callers and rights": (10, 12, 150, 180, 208),
    "HTTP API and agents": (60, 131, 219, 220),
    "Catalogs and column types": (30, 31, 54, 83, 192),
    "Reading files": (75, 77, 216, 217),
    "Matching, questions and references": (40, 80, 110, 142),
    "Review and edits": (50, 151),
    "Apply, revert and deliveries": (20, 22, 23, 113),
    "Contracts": (120,),
    "Feeds": (215,),
    "Documentation": (200,),
}


class UnusableRecord(ValueError):
    """A decision cannot be listed."""


@dataclass(frozen=True, slots=True)
class Record:
    """One decision, as the index lists it."""

    number: int
    title: str
    status: str
    file: str

    def row(self) -> str:
        """Return its row of the table."""
        return f"| [{self.number:04}]({self.file}) | {self.title} | {self.status} |"


def record_in(file: str, text: str) -> Record:
    """
    Read one record; UnusableRecord.

    >>> record_in("0002-granian.md", "# 0002: granian over WSGI").row()
    '| [0002](0002-granian.md) | granian over WSGI | accepted |'
    """
    title = TITLE.match(text)
    if title is None or not file.startswith(f"{int(title['number']):04}-"):
        raise UnusableRecord(f"{file}: start with its number and title, as in its file name")
    status = STATUS.search(text)
    status_text = status["status"] if status else "accepted"
    return Record(int(title["number"]), title["title"], status_text, file)


def index_of(records: list[Record], topics: dict[str, tuple[int, ...]]) -> str:
    """Return the index; UnusableRecord for a record without a topic."""
    by_number = {record.number: record for record in records}
    listed = [number for numbers in topics.values() for number in numbers]
    wrong = by_number.keys() ^ set(listed)
    if wrong or len(listed) != len(set(listed)):
        named = ", ".join(f"{number:04}" for number in sorted(wrong))
        raise UnusableRecord(f"{named or 'A record'}: list each record under one topic of TOPICS")
    parts = [HEAD]
    for topic, numbers in topics.items():
        rows = [by_number[number].row() for number in sorted(numbers)]
        parts.append(
            "\n".join([f"## {topic}\n", "| | Decision | Status |", "|---|---|---|", *rows])
        )
    return "\n".join([parts[0], *(f"{part}\n" for part in parts[1:])])


def index(folder: Path = FOLDER) -> str:
    """Return the index of a folder of records; UnusableRecord."""
    files = sorted(folder.glob("[0-9]*.md"))
    return index_of([record_in(file.name, file.read_text("utf-8")) for file in files], TOPICS)


def main(arguments: list[str]) -> int:
    """Write the index, or check it."""
    try:
        text = index()
    except UnusableRecord as error:
        print(f"decisions: {error}", file=sys.stderr)
        return 1
    file = FOLDER / INDEX
    if arguments == ["check"]:
        is_current = file.is_file() and file.read_text("utf-8") == text
        print("decisions: " + ("up to date" if is_current else f"run {Path(__file__).name}"))
        return 0 if is_current else 1
    file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
