"""
Tables of web pages, which many programs save as ``.xls``.

Cells are what the page shows, as text. The page is parsed as a stream and no link is followed.
Spans are limited to the bounds of the HTML standard (4.9.11), and to ours.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabular.model.problem import Limits
from tabular.reading.layout import Span
from tabular.reading.limiting import check_cell
from tabular.reading.workbook.package import damaged
from tabular.reading.workbook.sheet import Sheet, SheetBuilder

_WIDEST, _TALLEST = 1_000, 65_534
_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]{2,40})""", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_UNSEEN = {"script", "style", "template"}
_HEAD = 4_096
_CHUNK = 1 << 18


def read_html(path: Path, limits: Limits) -> list[Sheet]:
    """Read every table of a page. Raises UnreadableFile (damaged_file) and LimitExceeded."""
    from lxml import etree

    parser = etree.HTMLPullParser(
        events=("start", "end"),
        tag=("table", "tr", "td", "th", "caption"),
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
        encoding="utf-8",
    )
    page = _Page(limits)
    try:
        for chunk in _chunks(path):
            parser.feed(chunk)
            page.follow(parser.read_events())
        parser.close()
        page.follow(parser.read_events())
    except etree.LxmlError as error:
        raise damaged() from error
    return [table.builder.sheet() for table in page.tables if table.builder.rows]


def _chunks(path: Path) -> Iterator[bytes]:
    """Yield the page as UTF-8, whatever its encoding."""
    decoder = codecs.getincrementaldecoder(_encoding_of(path))("replace")
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield decoder.decode(chunk).encode("utf-8", "replace")


def _encoding_of(path: Path) -> str:
    """Return the encoding: by its mark, by the page's declaration, or by its bytes."""
    from tabular.reading.text.encoding import detect

    with path.open("rb") as file:
        head = file.read(_HEAD)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    declared = _DECLARED.search(head)
    if declared is not None:
        try:
            return codecs.lookup(declared[1].decode("ascii")).name
        except LookupError:
            pass
    return detect(path, chosen=None).name


@dataclass(slots=True)
class _Table:
    """A table whose rows come one by one."""

    builder: SheetBuilder
    row: int = -1
    column: int = 0
    covered: dict[int, int] = field(default_factory=dict)  # column to the rows still covered

    def begin_row(self) -> None:
        self.row += 1
        self.column = 0
        self.covered = {place: left - 1 for place, left in self.covered.items() if left > 1}

    def add(self, text: str, across: int, down: int) -> None:
        if self.row < 0:
            self.begin_row()
        while self.column in self.covered:
            self.column += 1
        row, first, last = self.row, self.column, self.column + across - 1
        self.builder.reach(row, last)
        self.builder.put(row, first, text)
        if across > 1 or down > 1:
            self.builder.spans.append(Span(row, first, row + down - 1, last))
        if down > 1:
            self.covered.update(dict.fromkeys(range(first, last + 1), down))
        self.column = last + 1


class _Page:
    """The tables of a page, the innermost open one last."""

    def __init__(self, limits: Limits) -> None:
        self.tables: list[_Table] = []
        self._open: list[_Table] = []
        self._limits = limits

    def follow(self, events: Iterable[tuple[str, Any]]) -> None:
        for event, node in events:
            if node.tag == "table":
                self._follow_table(event, node)
            elif self._open and node.tag == "tr":
                self._open[-1].begin_row() if event == "start" else _forget(node)
            elif self._open and event == "end":
                self._add(self._open[-1], node)

    def _follow_table(self, event: str, node: Any) -> None:
        if event == "start":
            name = f"Table {len(self.tables) + 1}"
            self._open.append(_Table(SheetBuilder(name, self._limits)))
            self.tables.append(self._open[-1])
        elif self._open:
            self._open.pop()
            node.clear(keep_tail=True)

    def _add(self, table: _Table, node: Any) -> None:
        text = _text(node, self._limits)
        if node.tag == "caption":
            table.builder.name = text[:80] or table.builder.name
            return
        table.add(text, _span(node, "colspan", _WIDEST), _span(node, "rowspan", _TALLEST))
        node.clear(keep_tail=True)


def _forget(node: Any) -> None:
    """Release a row that has been read, and those before it."""
    node.clear(keep_tail=True)
    while node.getprevious() is not None:
        del node.getparent()[0]


def _span(node: Any, name: str, most: int) -> int:
    digits = re.match(r"\s*(\d{1,9})", node.get(name) or "")
    return min(max(int(digits[1]), 1), most) if digits else 1


def _text(node: Any, limits: Limits) -> str:
    text = _SPACES.sub(" ", "".join(_pieces(node))).strip()
    if len(text) * 4 > limits.cell_bytes:
        check_cell(text, limits)
    return text


def _pieces(node: Any) -> Iterator[str]:
    """Yield the texts inside a node; a line break counts as a blank."""
    for inner in node.iter():
        if inner.tag in {"br", "p", "div", "li"}:
            yield " "
        if inner.text and inner.tag not in _UNSEEN:
            yield inner.text
        if inner is not node and inner.tail:
            yield inner.tail
