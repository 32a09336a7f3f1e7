"""Tables of a Word document (DOCX, ECMA-376 part 1, 17.4): each is read like a sheet."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from tabular.model.problem import Limits
from tabular.reading.layout import Span
from tabular.reading.limiting import check_cell
from tabular.reading.opc import Package
from tabular.reading.workbook.package import damaged, inflate, refuse_markup, unbroken
from tabular.reading.workbook.sheet import Sheet, SheetBuilder

_MAIN = "word/document.xml"
_TAGS = ("{*}tbl", "{*}tr", "{*}tc")
_WIDEST = 1_000  # columns that one cell may cover


def read_document(path: Path, limits: Limits) -> list[Sheet]:
    """Read every table. Raises UnreadableFile (damaged_file, unsafe_file) and LimitExceeded."""
    tables = _Tables(limits)
    with unbroken(), zipfile.ZipFile(path) as file:
        main = Package(file).main_part or _MAIN

        def look(part: str, chunks: Iterator[bytes]) -> None:
            if part == main:
                tables.read(chunks)

        if main in inflate(file, limits, look):
            raise damaged()
    return [table.sheet() for table in tables.all if table.builder.rows]


@dataclass(slots=True)
class _Table:
    """A table whose rows come one by one. merges: of a column, the span that may go on below."""

    builder: SheetBuilder
    row: int = -1
    column: int = 0
    merges: dict[int, Span] = field(default_factory=dict)

    def begin_row(self) -> None:
        self.row += 1
        self.column = 0

    def add(self, text: str, across: int, merged: str | None) -> None:
        """Add a cell. merged: ``restart`` or ``continue`` where it is merged with those below."""
        row, first, last = self.row, self.column, self.column + across - 1
        self.builder.reach(row, last)
        former = self.merges.pop(first, None)
        if merged == "continue" and former is not None:
            self.merges[first] = Span(former.top, first, row, former.right)
        else:
            self._keep(former)
            self.builder.put(row, first, text)
            self.merges[first] = Span(row, first, row, last)
        self.column = last + 1

    def _keep(self, span: Span | None) -> None:
        if span is not None and (span.bottom > span.top or span.right > span.left):
            self.builder.spans.append(span)

    def sheet(self) -> Sheet:
        for span in self.merges.values():
            self._keep(span)
        return self.builder.sheet()


class _Tables:
    """The tables of a document, the innermost open one last."""

    def __init__(self, limits: Limits) -> None:
        self.all: list[_Table] = []
        self._open: list[_Table] = []
        self._limits = limits

    def read(self, chunks: Iterator[bytes]) -> None:
        """Read the main part."""
        from lxml import etree

        parser = etree.XMLPullParser(
            events=("start", "end"), tag=_TAGS, resolve_entities=False, no_network=True,
            load_dtd=False, remove_comments=True, remove_pis=True, huge_tree=False,
        )  # fmt: skip
        first = next(chunks, b"")
        refuse_markup(first)
        try:
            for chunk in chain((first,), chunks):
                parser.feed(chunk)
                self._follow(parser.read_events())
            parser.close()
        except etree.LxmlError as error:
            raise damaged() from error

    def _follow(self, events: Iterable[tuple[str, Any]]) -> None:
        for event, node in events:
            name = node.tag.rpartition("}")[2]
            if name == "tbl":
                self._follow_table(event, node)
            elif self._open and name == "tr":
                self._open[-1].begin_row() if event == "start" else node.clear(keep_tail=True)
            elif self._open and event == "start":
                self._skip(self._open[-1], node)
            elif self._open:
                self._add(self._open[-1], node)

    def _follow_table(self, event: str, node: Any) -> None:
        if event == "start":
            name = f"Table {len(self.all) + 1}"
            self._open.append(_Table(SheetBuilder(name, self._limits)))
            self.all.append(self._open[-1])
        elif self._open:
            self._open.pop()
            node.clear(keep_tail=True)

    def _skip(self, table: _Table, node: Any) -> None:
        """Leave out the columns that a row begins without."""
        if not table.column and (before := _number(node.getparent(), "{*}trPr/{*}gridBefore")):
            table.column = before

    def _add(self, table: _Table, node: Any) -> None:
        text = " ".join(" ".join(_pieces(node)).split()) if len(node) else ""
        if len(text) * 4 > self._limits.cell_bytes:
            check_cell(text, self._limits)
        merge = node.find("{*}tcPr/{*}vMerge")
        merged = None if merge is None else _value(merge) or "continue"
        table.add(text, max(1, _number(node, "{*}tcPr/{*}gridSpan")), merged)
        node.clear(keep_tail=True)


def _pieces(cell: Any) -> Iterator[str]:
    """Yield the text of each paragraph; deleted text and field codes have other elements."""
    for paragraph in cell.iter("{*}p"):
        yield "".join(
            node.text or "" if node.tag.endswith("}t") else " "
            for node in paragraph.iter("{*}t", "{*}tab", "{*}br", "{*}cr")
        )


def _value(node: Any) -> str:
    return next((str(value) for name, value in node.items() if name.endswith("}val")), "")


def _number(node: Any, path: str) -> int:
    """Return the number that a property holds, 0 without it."""
    property_ = None if node is None else node.find(path)
    digits = "" if property_ is None else _value(property_)
    return min(int(digits), _WIDEST) if digits.isdecimal() and len(digits) < 10 else 0
