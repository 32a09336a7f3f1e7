"""
The parts of an Open Packaging package (ECMA-376 part 2) and their relations.

The writer chooses where a part is: it is found by the relations and content types, with either
slash and in any case.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO
from urllib.parse import unquote

from tabular.reading.broken import BROKEN

_CHUNK = 1 << 18
_SMALL_PART = 32 << 20  # parts that are parsed as a whole
_TYPES = "[content_types].xml"


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation of a part: the other part, and its role."""

    id: str
    role: str  # the last word of the relation's type: officeDocument, worksheet, styles
    part: str


def plain_name(name: str) -> str:
    r"""
    Return the name by which a part is found.

    >>> plain_name("\\XL\\Workbook.xml"), plain_name("/xl/a%20b.xml")
    ('xl/workbook.xml', 'xl/a b.xml')
    """
    return unquote(name.replace("\\", "/")).lstrip("/").lower()


class Package:
    """An open package. Parts go by their plain names."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self.file = file
        self._entries: dict[str, str] = {}
        for name in file.namelist():
            self._entries.setdefault(plain_name(name), name)

    @property
    def has_types(self) -> bool:
        """Whether this is a package at all: each has a list of content types."""
        return _TYPES in self._entries

    def __contains__(self, part: str) -> bool:
        """Return whether the package has a part."""
        return part in self._entries

    def opened(self, part: str) -> IO[bytes]:
        """Open a part that the package has."""
        return self.file.open(self._entries[part])

    def small(self, part: str) -> bytes:
        """Return the bytes of a small part, empty if it is missing."""
        if part not in self:
            return b""
        with self.opened(part) as opened:
            return opened.read(_SMALL_PART)

    def chunks(self, part: str) -> Iterator[bytes]:
        """Yield a part in chunks; a cell cut by a chunk's edge begins the next chunk."""
        rest = b""
        with self.opened(part) as opened:
            while chunk := opened.read(_CHUNK):
                rest += chunk
                cut = rest.rfind(b"<c ") if len(rest) < 4 * _CHUNK else len(rest)
                yield rest[: max(cut, 0)]
                rest = rest[max(cut, 0) :]
        yield rest

    def relations(self, part: str = "") -> list[Relation]:
        """Return the relations of a part, or of the package itself."""
        from defusedxml import ElementTree

        folder, name = posixpath.split(part)
        content = self.small(posixpath.join(folder, "_rels", f"{name}.rels"))
        if not content:
            return []
        return [
            Relation(
                id=node.get("Id", ""),
                role=node.get("Type", "").rsplit("/", 1)[-1],
                part=_resolved(folder, node.get("Target", "")),
            )
            for node in ElementTree.fromstring(content).iter()
            if node.tag.endswith("}Relationship") and node.get("TargetMode") != "External"
        ]

    def related(self, part: str, role: str) -> str | None:
        """Return the name of the part with a role for another part."""
        return next(
            (relation.part for relation in self.relations(part) if relation.role == role), None
        )

    @property
    def main_part(self) -> str | None:
        """The part that the package is about; None if its relations are missing or broken."""
        from defusedxml import DefusedXmlException

        try:
            return self.related("", "officeDocument")
        except DefusedXmlException:
            raise
        except BROKEN:
            return None

    @property
    def main_type(self) -> str:
        """The content type of the main part, in lower case, "" if the list of types is broken."""
        from defusedxml import DefusedXmlException

        main = self.main_part
        try:
            return dict(self._types()).get(main, "") if main else ""
        except DefusedXmlException:
            raise
        except BROKEN:
            return ""

    def _types(self) -> Iterator[tuple[str, str]]:
        from defusedxml import ElementTree

        root = ElementTree.fromstring(self.small(_TYPES))
        by_ending = {
            node.get("Extension", "").lower(): node.get("ContentType", "").lower()
            for node in root
            if node.tag.endswith("}Default")
        }
        for part in self._entries:
            if kind := by_ending.get(part.rsplit(".", 1)[-1]):
                yield part, kind
        for node in root:
            if node.tag.endswith("}Override"):
                yield plain_name(node.get("PartName", "")), node.get("ContentType", "").lower()


def _resolved(folder: str, target: str) -> str:
    r"""
    Resolve a target from the folder of the part that names it.

    >>> _resolved("xl", "worksheets\\sheet1.xml"), _resolved("xl/a", "../b.xml")
    ('xl/worksheets/sheet1.xml', 'xl/b.xml')
    """
    plain = target.replace("\\", "/")
    joined = plain if plain.startswith("/") else posixpath.join(folder, plain)
    return plain_name(posixpath.normpath(joined))
