"""
Write an xlsx again with only the parts that its rows need, where calamine looks for them.

calamine refuses a whole workbook for a relation of an unknown kind, a missing sheet or broken
styles, and looks for styles and shared strings under fixed names. openpyxl would be a second reader
in which values mean something else, and it refuses more cells.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tabular.reading.opc import Package
from tabular.reading.workbook.package import Inspected, damaged, unbroken

_ROOT = re.compile(rb"<(?:\w+:)?(worksheet|macrosheet|chartsheet|dialogsheet)\b")
_HEAD = 4096
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


@dataclass(frozen=True, slots=True)
class Repaired:
    """The copy, and the sheets that are not in it."""

    path: Path
    damaged: tuple[str, ...]
    macros: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    state: str
    part: str
    kind: str  # the root of its part, "" if the part is missing or another document


@dataclass(frozen=True, slots=True)
class _Part:
    role: str
    target: str  # its name in the copy
    source: str  # and in the package


@contextmanager
def repaired(path: Path, seen: Inspected) -> Iterator[Repaired]:
    """
    Write the copy, which lasts as long as the context.

    Raises UnreadableFile (damaged_file) if the parts that every sheet needs are broken.
    """
    with tempfile.TemporaryDirectory(prefix="repaired-") as folder, unbroken():
        copy = Path(folder) / "content"
        with zipfile.ZipFile(path) as file:
            result = _repair(Package(file), copy, seen)
        yield result


def _repair(package: Package, copy: Path, seen: Inspected) -> Repaired:
    main = package.main_part or "xl/workbook.xml"
    sheets, is_1904 = _sheets(package, main)
    kept = [s for s in sheets if s.kind == "worksheet" and s.name not in seen.lost]
    if not kept:
        raise damaged()
    parts = [
        _Part("worksheet", f"worksheets/sheet{n}.xml", sheet.part) for n, sheet in enumerate(kept)
    ]
    for role in ("sharedStrings", *(["styles"] if seen.has_formats else [])):
        source = package.related(main, role) or f"xl/{role.lower()}.xml"
        parts += [_Part(role, f"{role}.xml", source)] if source in package else []
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        root = _Part("officeDocument", "xl/workbook.xml", main)
        target.writestr("_rels/.rels", _relations([root]))
        target.writestr("xl/workbook.xml", _workbook(kept, is_1904=is_1904))
        target.writestr("xl/_rels/workbook.xml.rels", _relations(parts))
        for part in parts:
            _copy(package, part, target)
    return Repaired(
        copy,
        damaged=tuple(s.name for s in sheets if not s.kind or s.name in seen.lost),
        macros=tuple(s.name for s in sheets if s.kind == "macrosheet"),
    )


def _copy(package: Package, part: _Part, target: zipfile.ZipFile) -> None:
    with (
        package.opened(part.source) as source,
        target.open(f"xl/{part.target}", "w", force_zip64=True) as sink,
    ):
        shutil.copyfileobj(source, sink)


def _sheets(package: Package, main: str) -> tuple[list[_Sheet], bool]:
    """Return the sheets that the workbook lists, and whether its days count from 1904."""
    from defusedxml import ElementTree

    parts = {relation.id: relation.part for relation in package.relations(main)}
    sheets, is_1904 = [], False
    for node in ElementTree.fromstring(package.small(main)).iter():
        if node.tag.endswith("}workbookPr"):
            is_1904 = node.get("date1904") in {"1", "true"}
        if node.tag.endswith("}sheet"):
            related = next((v for name, v in node.attrib.items() if name.endswith("}id")), "")
            part = parts.get(related, "")
            kind = _kind(package, part)
            sheets.append(_Sheet(node.get("name", ""), node.get("state", "visible"), part, kind))
    return sheets, is_1904


def _kind(package: Package, part: str) -> str:
    if part not in package:
        return ""
    with package.opened(part) as opened:
        root = _ROOT.search(opened.read(_HEAD))
    return root[1].decode() if root else ""


def _relations(parts: Sequence[_Part]) -> str:
    inner = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{part.role}" Target="{part.target}"/>'
        for n, part in enumerate(parts, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}">{inner}</Relationships>'


def _workbook(sheets: Sequence[_Sheet], *, is_1904: bool) -> str:
    inner = "".join(
        f"<sheet name={quoteattr(sheet.name)} state={quoteattr(sheet.state)} "
        f'sheetId="{n}" r:id="rId{n}"/>'
        for n, sheet in enumerate(sheets, 1)
    )
    return (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><workbookPr date1904="{is_1904:d}"/>'
        f"<sheets>{inner}</sheets></workbook>"
    )
