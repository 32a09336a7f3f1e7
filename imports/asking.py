"""What a step asks, as the ledger records it: which questions are the same one."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from ledger.services import Asked

CHOICE_OF = {  # kind to choice about the file
    "table": "table",
    "header_row": "header_rows",
    "encoding": "encoding",
    "joined_lines": "joined_lines",
}
REQUIRED = "required_field"
UNPIVOT = "unpivot"
COLUMN_KINDS = frozenset({"column", "columns", UNPIVOT, REQUIRED})
WHOLE_KINDS = frozenset({"region"})  # about all rows, whichever column they stand in
TEXT_KINDS = frozenset({"category_value", "reference"})  # about one text of a field
VALUE_KINDS = WHOLE_KINDS | {
    "date_order",
    "decimal_separator",
    "percent_scale",
    *TEXT_KINDS,
}
READING_KINDS = frozenset(CHOICE_OF) | COLUMN_KINDS
TRANSFORM_KINDS = VALUE_KINDS | {"duplicate_key"}

Json = dict[str, Any]


def asked_of(questions: Iterable[Json], *, reading: Json, catalog_key: str) -> list[Asked]:
    """Translate the questions of a step's result; a question put twice is one."""
    found: dict[str, Asked] = {}
    for question in questions:
        asked = Asked(
            kind=question["kind"],
            fingerprint=fingerprint_of(question, reading=reading, catalog_key=catalog_key),
            field=question.get("field") or "",
            columns=tuple(question["columns"]),
            candidates=tuple(question["candidates"]),
            evidence=tuple(question["evidence"]),
            default=question["default"],
            blocking=question["blocking"],
        )
        found.setdefault(asked.fingerprint, asked)
    return list(found.values())


def undecided(questions: Iterable[Json], *, choices: Json, chosen: int) -> list[Json]:
    """
    Leave out what a choice about the file decided already.

    Readers ask about their best table, number 0: its header row is nobody's question once another
    table is chosen.
    """
    decided = {kind for kind, choice in CHOICE_OF.items() if choice in choices}
    if "tables" in choices:
        decided |= {"table"}
    if chosen != 0:
        decided |= {"header_row"}
    return [question for question in questions if question["kind"] not in decided]


def fingerprint_of(question: Json, *, reading: Json, catalog_key: str) -> str:
    """
    Name a question: another import that asks the same has the same fingerprint.

    A table is asked about by the sheets and headers to choose from, a header row by the rows to
    choose from, joined lines by their texts, an option by its text, and everything else by its
    columns and its choices.
    """
    kind = question["kind"]
    if kind == "table":
        return _digest(kind, *_headers(reading))
    if kind == "header_row":
        sheet = _chosen(reading).get("sheet") or ""
        labels = (c["label"] for c in question["candidates"])
        return _digest(kind, sheet, *labels)
    if kind == "joined_lines":
        return _digest(kind, *question["evidence"])
    if kind in TEXT_KINDS:
        text = question["evidence"][0]
        return text_fingerprint(question["field"], text, catalog_key=catalog_key, kind=kind)
    if kind in WHOLE_KINDS:
        return _digest(kind, catalog_key, *sorted(question["columns"]))
    return _digest(kind, catalog_key, _as_matching_says(question))


def text_fingerprint(
    field: str, text: str, *, catalog_key: str, kind: str = "category_value"
) -> str:
    """Name the question what a text of a field means, whatever column it stands in."""
    return _digest(kind, catalog_key, field, text)


def required_fingerprint(field: str, reading: Json, *, catalog_key: str) -> str:
    """Name the question which column of a header feeds a required field."""
    return _digest(REQUIRED, catalog_key, field, reading.get("fingerprint", ""))


def _as_matching_says(question: Json) -> str:
    from tabular.matching import question_fingerprint  # a web process rarely asks
    from tabular.model.issue import Candidate, Question

    return question_fingerprint(
        Question(
            kind=question["kind"],
            columns=tuple(question["columns"]),
            candidates=tuple(Candidate(**c) for c in question["candidates"]),
            field=question.get("field"),
        )
    )


def _headers(reading: Json) -> list[str]:
    from tabular.matching import fingerprint

    return [f"{t.get('sheet') or ''}:{fingerprint(tuple(t['columns']))}" for t in reading["tables"]]


def _chosen(reading: Json) -> Json:
    table: Json = reading["tables"][reading["chosen"]] if reading.get("tables") else {}
    return table


def _digest(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()
