"""
What one pass over an XML document finds: which elements repeat, and what they hold.

No document type is read: entities are refused, and nothing outside the file is loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.model.problem import LimitExceeded, UnreadableFile
from tabular.model.sentences import Sentence

if TYPE_CHECKING:
    from lxml import etree

SLASH = "\N{DIVISION SLASH}"  # for a slash within a namespace
_DEPTH = 64  # of elements within each other
_PATHS = 20_000  # distinct paths of elements and attributes
_PAIRS = 50  # values around the records that are kept
_PAIR_CHARACTERS = 200
_ABOUT_SCHEMA = "{http://www.w3.org/2001/XMLSchema-instance}"
_DOCUMENTS = {  # namespaces of documents that hold no records
    "http://www.w3.org/2000/svg": "a picture",
    "http://schemas.microsoft.com/office/word/2003/wordml": "a text document or a presentation",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "an XML document",
}


@dataclass(slots=True)
class Shape:
    """
    What one pass over a document finds, by the path of elements from the root.

    counts: how many elements. many: paths that occur more than once in one parent. has_values:
    those with attributes or text of their own. inner: those with elements inside. texts: those that
    occur once. names: by path, the name of each attribute and element inside; it is the same in
    every record, also where an attribute and an element, or two namespaces, share it.
    """

    counts: Counter[str] = field(default_factory=Counter)
    many: set[str] = field(default_factory=set)
    has_values: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    named: int = 0

    def name(self, path: str, part: str) -> None:
        """Name the column of an attribute or element at a path, unless it has a name."""
        inside = self.names.setdefault(path, {})
        if part not in inside:
            inside[part] = free_name(inside.values(), shown_path(part, ""))
            self.named += 1

    def records(self) -> list[str]:
        """Return the paths of records, the outermost and most numerous first."""
        repeated = list(self._several())
        if not repeated:
            repeated = [path for path in self.many if path in self.has_values]
        if not repeated:
            return self._only_record()
        return sorted(repeated, key=lambda path: (self._depth(path), -self.counts[path], path))

    def _several(self) -> set[str]:
        """Return the repeated elements that hold others and have values, not only lists."""
        several = set()
        for path in self.has_values:
            around = path
            while around and around not in self.many:
                around = around.rpartition("/")[0]
            if around in self.inner and around in self.many:
                several.add(around)
        return several

    def _is_in_list(self, inner: str, path: str) -> bool:
        """Return whether an element, or one around it, repeats inside of ``path``."""
        while inner != path:
            if inner in self.many:
                return True
            inner = inner.rpartition("/")[0]
        return False

    def _depth(self, path: str) -> int:
        return sum(other in self.many for other in ancestors(path))

    def _only_record(self) -> list[str]:
        """Return the path of the only record: below elements that hold nothing but one element."""
        root = next(iter(self.counts), "")
        while root:
            inner = [path for path in self.counts if path.rpartition("/")[0] == root]
            if len(inner) != 1 or inner[0] not in self.inner:
                break
            root = inner[0]
        return [root] if root in self.inner else []

    def around(self, record: str) -> dict[str, str]:
        """Return the texts that are in no record, by dotted path below the root."""
        outside = {
            path: text
            for path, text in self.texts.items()
            if not f"{path}/".startswith(f"{record}/") and not self._is_in_list(path, "")
        }
        root = f"/{record[1:].partition('/')[0]}"
        return {shown_path(path, root): text for path, text in list(outside.items())[:_PAIRS]}


def ancestors(path: str) -> Iterator[str]:
    """Yield the paths of the elements around one, from the inside."""
    while path := path.rpartition("/")[0]:
        yield path


def shown_path(path: str, below: str) -> str:
    """
    Return a path as the name of a column: local names, with dots, below another path or the root.

    >>> shown_path("/{urn:x}orders/{urn:x}order/no", "/{urn:x}orders/{urn:x}order")
    'no'
    """
    names = [name for name in path.removeprefix(below).split("/") if name]
    return ".".join(name.rpartition("}")[2].removeprefix("@") for name in names)


def attribute_part(name: str) -> str:
    """Return an attribute as a part of a path; no element begins so."""
    return f"@{part_of(name)}"


def part_of(tag: str) -> str:
    """Return a tag as a part of a path; a slash within a namespace separates no parts."""
    return tag.replace("/", SLASH)


@contextmanager
def _unbroken() -> Iterator[None]:
    from lxml import etree

    try:
        yield
    except etree.XMLSyntaxError as error:
        raise UnreadableFile(
            "damaged_file",
            Sentence("The file looks like XML but is not valid: {error}.", error=error.msg),
        ) from error


def events_of(path: Path, **wanted: Any) -> Iterator[tuple[str, etree._Element]]:
    """Yield the events of a document. Raises UnreadableFile: damaged_file, unsafe_file."""
    from lxml import etree

    with _unbroken(), path.open("rb") as file:
        events = etree.iterparse(
            file,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
            remove_pis=True,
            huge_tree=False,
            **wanted,
        )
        is_safe = False
        for event, element in events:
            if not is_safe:
                _refuse_entities(element)
                is_safe = True
            yield event, element


def _refuse_entities(element: etree._Element) -> None:
    declared = element.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise _unsafe()


def _unsafe() -> UnreadableFile:
    return UnreadableFile(
        "unsafe_file", "The XML document declares entities. Export it without them."
    )


def shape_of(path: Path) -> Shape:
    """Look at every element once, and keep none."""
    shape = Shape()
    paths: list[str] = [""]
    inside: list[set[str]] = [set()]  # the paths seen in each open element
    for event, element in events_of(path, events=("start", "end")):
        if event == "start":
            if len(paths) == 1:
                _refuse_documents(element.tag)
            here = f"{paths[-1]}/{part_of(element.tag)}"
            if here in inside[-1]:
                shape.many.add(here)
            inside[-1].add(here)
            shape.inner.add(paths[-1])
            shape.name(paths[-1], part_of(element.tag))
            for attribute, _ in attributes_of(element):
                shape.name(here, attribute_part(attribute))
            paths.append(here)
            inside.append(set())
            _check(shape, len(paths))
            shape.counts[here] += 1
        else:
            _note_values(shape, paths.pop(), element)
            inside.pop()
            let_go(element)
    return shape


def _refuse_documents(tag: str) -> None:
    what = _DOCUMENTS.get(tag[1:].partition("}")[0])
    if what is not None:
        raise UnreadableFile(
            "unsupported_format",
            Sentence("The file is {WHAT}, not a table. Export it as CSV, Excel or PDF.", WHAT=what),
        )


def _check(shape: Shape, depth: int) -> None:
    if depth > _DEPTH:
        raise LimitExceeded(
            "The XML document is nested too deeply.", limit="levels", allowed=_DEPTH
        )
    if shape.named > _PATHS:
        what = "The XML document has too many kinds of elements."
        raise LimitExceeded(what, limit="columns", allowed=_PATHS)


def _note_values(shape: Shape, path: str, element: etree._Element) -> None:
    values = {f"{path}/{attribute_part(name)}": text for name, text in attributes_of(element)}
    if (text := text_within(element)) and len(element) == 0:
        values[path] = text
    if values:
        shape.has_values.add(path)
    for name, value in values.items():
        if shape.counts[path] == 1:
            shape.texts[name] = value[:_PAIR_CHARACTERS]
        else:
            shape.texts.pop(name, None)


def attributes_of(element: etree._Element) -> list[tuple[str, str]]:
    """Return the names and values of attributes; those about the schema say nothing."""
    given = [(str(name), str(value).strip()) for name, value in element.attrib.items()]
    return [(name, value) for name, value in given if not name.startswith(_ABOUT_SCHEMA)]


def text_within(element: etree._Element) -> str:
    """Return the text of an element without that of elements inside, blanks around it removed."""
    text = element.text or ""
    for inner in element:
        if not isinstance(inner.tag, str):
            raise _unsafe()
        text += inner.tail or ""
    return text.strip()


def let_go(element: etree._Element) -> None:
    """Forget an element that is complete, and those before it."""
    tail = element.tail
    element.clear()
    element.tail = tail
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def free_name(taken: Collection[str], name: str) -> str:
    """Return a name that is not taken."""
    while name in taken:
        name += " (2)"
    return name
