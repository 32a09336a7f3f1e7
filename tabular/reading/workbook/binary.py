"""
The parts of an xlsb package ([MS-XLSB]) that calamine does not return.

A part is a sequence of records: a number and a length, seven bits per byte, then the content. One
pass over the records of each sheet finds its extent, merged ranges, hidden rows and error values.
"""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tabular.model.problem import Limits
from tabular.reading.layout import Span
from tabular.reading.opc import Package
from tabular.reading.workbook.formats import Marks, Shown, telling
from tabular.reading.workbook.package import (
    Inspected,
    SheetParts,
    check_extent,
    damaged,
    inflate,
    refuse_markup,
    unbroken,
)

_ROW, _BLANK, _ERROR, _FORMULA_ERROR, _LAST_CELL = 0, 1, 3, 11, 11
_SHEET, _MERGED = 156, 176
_FORMAT, _XF, _CELL_STYLES, _END_CELL_STYLES = 44, 47, 617, 618
_SPAN = struct.Struct("<4I")  # of a merged range: first and last row, first and last column
_HIDDEN = 0x10  # of a row's flags: no height
_LONGEST_CELL = 1 << 20  # a cell holds at most 32,767 characters


def inspect_binary(path: Path, limits: Limits) -> Inspected:
    """
    Inspect every part of an xlsb package.

    Raises UnreadableFile (damaged_file, unsafe_file) and LimitExceeded (expanded_bytes, cells).
    """
    with unbroken(), zipfile.ZipFile(path) as file:
        return _inspect(Package(file), limits)


def _inspect(package: Package, limits: Limits) -> Inspected:
    main = package.main_part or "xl/workbook.bin"
    relations = package.relations(main)
    parts = {relation.id: relation.part for relation in relations if relation.role == "worksheet"}
    wanted = set(parts.values())
    styles = _styles(package.small(package.related(main, "styles") or "xl/styles.bin"))
    sheets: dict[str, SheetParts] = {}

    def look(part: str, chunks: Iterator[bytes]) -> None:
        if part in wanted:
            sheets[part] = _sheet(chunks, Marks(styles))
            check_extent(sheets[part], limits)
            return
        for chunk in chunks:
            if part.endswith((".xml", ".rels")):
                refuse_markup(chunk)

    broken = inflate(package.file, limits, look)
    by_part = {parts.get(relation, ""): name for relation, name in _names(package.small(main))}
    if {package.related(main, "sharedStrings"), "xl/sharedstrings.bin"} & set(broken):
        raise damaged()
    return Inspected(
        {name: sheets[part] for part, name in by_part.items() if part in sheets},
        lost=frozenset(by_part[part] for part in broken if part in by_part),
        damaged=tuple(part for part in broken if part not in by_part),
    )


def _styles(part: bytes) -> dict[int, Shown]:
    """Return the cell styles whose format says more than "number"."""
    codes: dict[int, str] = {}
    numbers: list[int] = []
    is_cells = False
    for kind, content in Records().take(part, {_FORMAT, _XF, _CELL_STYLES, _END_CELL_STYLES}):
        if kind == _FORMAT:
            codes[int.from_bytes(content[:2], "little")] = _text(content[2:])[0]
        elif kind == _XF and is_cells:
            numbers.append(int.from_bytes(content[2:4], "little"))
        elif kind != _XF:
            is_cells = kind == _CELL_STYLES
    return telling(codes, numbers)


def _names(workbook: bytes) -> Iterator[tuple[str, str]]:
    """Yield the relation and the name of each sheet."""
    walk = Records()
    for kind, content in walk.take(workbook, {_SHEET}):
        if kind == _SHEET:
            relation, rest = _text(content[8:])
            yield relation, _text(rest)[0]


def _text(content: bytes) -> tuple[str, bytes]:
    end = 4 + 2 * int.from_bytes(content[:4], "little")
    return content[4:end].decode("utf-16-le", "replace"), content[end:]


def _sheet(chunks: Iterator[bytes], marks: Marks) -> SheetParts:
    sheet = SheetParts(marks=marks)
    walk, row = Records(), 0
    wanted = set(range(_LAST_CELL + 1)) - {_BLANK} | {_MERGED}
    for chunk in chunks:
        for kind, content in walk.take(chunk, wanted):
            if kind == _ROW:
                row = int.from_bytes(content[:4], "little")
                sheet.hidden_rows += content[11] & _HIDDEN > 0
                continue
            if kind == _MERGED:
                if len(content) < _SPAN.size:
                    raise damaged()
                top, bottom, left, right = _SPAN.unpack_from(content)
                sheet.add_span(Span(top, left, bottom, right))
                continue
            column = int.from_bytes(content[:4], "little")
            sheet.last_row = max(sheet.last_row, row)
            sheet.last_column = max(sheet.last_column, column)
            style = int.from_bytes(content[4:7], "little")
            if style in marks.styles:
                marks.add_style(row, column, style)
            if kind in {_ERROR, _FORMULA_ERROR}:
                sheet.add_error(row, column, content[8])
    return sheet


class Records:
    """Splits chunks into records; a record cut by a chunk's edge waits for the next chunk."""

    def __init__(self) -> None:
        self._rest = b""
        self._skipped = 0

    def take(self, chunk: bytes, wanted: set[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the wanted records that are complete, as number and content."""
        if self._skipped >= len(chunk):
            self._skipped -= len(chunk)
            return
        held = self._rest + chunk[self._skipped :]
        self._skipped, at = 0, 0
        while (head := _head(held, at)) is not None:
            kind, start, size = head
            if start + size > len(held):
                break
            if kind in wanted:
                yield kind, held[start : start + size]
            at = start + size
        self._rest = held[at:]
        if head is not None and head[2] > _LONGEST_CELL:
            if head[0] in wanted:
                raise damaged()
            self._rest, self._skipped = b"", head[1] + head[2] - len(held)


def _head(held: bytes, at: int) -> tuple[int, int, int] | None:
    """Return number, start and length of the record at a position, None if its head is cut off."""
    try:
        kind = held[at]
        at += 1
        if kind & 0x80:
            kind = kind & 0x7F | held[at] << 7
            at += 1
        size = held[at] & 0x7F
        for place in (7, 14, 21):
            if not held[at] & 0x80:
                break
            at += 1
            size |= (held[at] & 0x7F) << place
    except IndexError:
        return None
    return kind, at + 1, size
