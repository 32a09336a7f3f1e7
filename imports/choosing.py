"""What an answer about the file itself changes in how it is read. Pure."""

from typing import Any

from tabular.protocol.results import FileRead

Json = dict[str, Any]
OF_A_TABLE = frozenset({"tables", "entries", "header_rows", "joined_lines", "take_back"})


def chosen_by(kind: str, value: Any, choices: Json, read: FileRead | None) -> Json:
    """
    Give the choices after an answer; the same ones when the file was read that way already.

    kind: table (value: its number) or header_row (value: the rows of the header, none of them
    for a file that names no columns), encoding (value: its name), joined_lines (join or apart).
    """
    if kind == "table":
        if read and value == read.chosen:
            return choices
        kept = {key: choices[key] for key in choices if key not in OF_A_TABLE}
        return {**kept, "table": value}
    if kind == "encoding":
        return choices if read and read.table.encoding == value else {**choices, "encoding": value}
    if kind == "joined_lines":
        if choices.get("joined_lines", "join") == value:
            return choices
        kept = {key: choices[key] for key in choices if key != "take_back"}  # numbered otherwise
        return {**kept, "joined_lines": value}
    rows = header_rows(value)
    if read and list(read.table.header_rows) == rows:
        return choices
    return {**choices, "header_rows": rows}


def header_rows(value: Any) -> list[int]:
    """
    Give the physical rows, 0-based, of a header.

    >>> header_rows(3), header_rows([3, 4]), header_rows(None)
    ([3], [3, 4], [])
    """
    if value is None:
        return []
    return [value] if isinstance(value, int) else list(value)
