"""How an answer, or a choice about the file itself, changes how it is read. Pure."""

from dataclasses import replace
from typing import Any

from tabular.model.places import ReadingChoices
from tabular.protocol.results import FileRead


def chosen_by(
    kind: str, value: Any, choices: ReadingChoices, read: FileRead | None
) -> ReadingChoices:
    """
    Return the choices after an answer; the same object if the file was already read that way.

    kind: table (value: its number) or header_row (value: the rows of the header, none of them for a
    file that names no columns), encoding (value: its name), joined_lines (join or apart).
    """
    if kind == "table":
        if read and value == read.chosen:
            return choices
        of_the_file = replace(choices, tables=(), entries=(), joined_lines=None, take_back=())
        return replace(of_the_file, table=value, header_rows=None)
    if kind == "encoding":
        if read and read.table.encoding == value:
            return choices
        return replace(choices, encoding=value)
    if kind == "joined_lines":
        if (choices.joined_lines or "join") == value:
            return choices
        return replace(choices, joined_lines=value, take_back=())  # row numbers change
    rows = header_rows(value)
    if read and list(read.table.header_rows) == rows:
        return choices
    return replace(choices, header_rows=tuple(rows))


def with_taken_back(choices: ReadingChoices, before: ReadingChoices) -> ReadingChoices:
    """Return the choices with the rows restored before, if rows keep their numbers."""
    if not _numbers_alike(choices, before):
        return choices
    return replace(choices, take_back=before.take_back)


def left_out_again(choices: ReadingChoices, before: ReadingChoices) -> set[int]:
    """Return the rows that were restored before and that the choices skip."""
    kept = set(choices.take_back) if _numbers_alike(choices, before) else set()
    return set(before.take_back) - kept


def _numbers_alike(choices: ReadingChoices, before: ReadingChoices) -> bool:
    numbered = {
        (one.table or 0, one.tables, one.entries, one.joined_lines or "join")
        for one in (choices, before)
    }
    return len(numbered) == 1


def header_rows(value: Any) -> list[int]:
    """
    Return the physical rows, 0-based, of a header.

    >>> header_rows(3), header_rows([3, 4]), header_rows(None)
    ([3], [3, 4], [])
    """
    if value is None:
        return []
    return [value] if isinstance(value, int) else list(value)
