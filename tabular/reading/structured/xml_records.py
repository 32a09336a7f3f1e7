"""
Read XML: records are the elements that repeat, streamed one at a time.

No document type is read: entities are refused, and nothing outside the file is loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.table import Evidence, Progress, Reading, Table
from tabular.reading.grid_body import PREVIEW_ROWS
from tabular.reading.layout.naming import unique
from tabular.reading.structured.flat_records import RecordBody, Scan, flatten

if TYPE_CHECKING:
    from lxml import etree

Members: TypeAlias = dict[str, Any]

_SLASH = "\N{DIVISION SLASH}"  # for a slash within a namespace
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


def read_xml(path: Path, *, limits: Limits, progress: Progress) -> Reading:
    """
    Read the records of an XML document; each kind of record is a table, the outermost first.

    Raises UnreadableFile (damaged_file, unsafe_file, unsupported_format, no_table_found) and
    LimitExceeded.
    """
    progress("reading", 0, None)
    shape = _shape_of(path)
    bodies = _bodies(path, shape, limits)
    if not bodies:
        raise UnreadableFile("no_table_found", "The XML document holds no records.")
    return Reading("xml", tuple(body.table for body in bodies), tuple(bodies))


@dataclass(slots=True)
class _Shape:
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
            inside[part] = _free(inside.values(), _shown(part, ""))
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
        return sum(other in self.many for other in _ancestors(path))

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
        return {_shown(path, root): text for path, text in list(outside.items())[:_PAIRS]}


def _ancestors(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _shown(path: str, below: str) -> str:
    """
    Return a path as the name of a column: local names, with dots, below another path or the root.

    >>> _shown("/{urn:x}orders/{urn:x}order/no", "/{urn:x}orders/{urn:x}order")
    'no'
    """
    names = [name for name in path.removeprefix(below).split("/") if name]
    return ".".join(name.rpartition("}")[2].removeprefix("@") for name in names)


def _attribute(name: str) -> str:
    """Return an attribute as a part of a path; no element begins so."""
    return f"@{_name(name)}"


def _name(tag: str) -> str:
    """Return a tag as a part of a path; a slash within a namespace separates no parts."""
    return tag.replace("/", _SLASH)


@contextmanager
def _unbroken() -> Iterator[None]:
    from lxml import etree

    try:
        yield
    except etree.XMLSyntaxError as error:
        raise UnreadableFile(
            "damaged_file", f"The file looks like XML but is not valid: {error.msg}."
        ) from error


def _events(path: Path, **wanted: Any) -> Iterator[tuple[str, etree._Element]]:
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


def _shape_of(path: Path) -> _Shape:
    """Look at every element once, and keep none."""
    shape = _Shape()
    paths: list[str] = [""]
    inside: list[set[str]] = [set()]  # the paths seen in each open element
    for event, element in _events(path, events=("start", "end")):
        if event == "start":
            if len(paths) == 1:
                _refuse_documents(element.tag)
            here = f"{paths[-1]}/{_name(element.tag)}"
            if here in inside[-1]:
                shape.many.add(here)
            inside[-1].add(here)
            shape.inner.add(paths[-1])
            shape.name(paths[-1], _name(element.tag))
            for attribute, _ in _attributes(element):
                shape.name(here, _attribute(attribute))
            paths.append(here)
            inside.append(set())
            _check(shape, len(paths))
            shape.counts[here] += 1
        else:
            _note_values(shape, paths.pop(), element)
            inside.pop()
            _let_go(element)
    return shape


def _refuse_documents(tag: str) -> None:
    what = _DOCUMENTS.get(tag[1:].partition("}")[0])
    if what is not None:
        raise UnreadableFile(
            "unsupported_format",
            f"The file is {what}, not a table. Export it as CSV, Excel or PDF.",
        )


def _check(shape: _Shape, depth: int) -> None:
    if depth > _DEPTH:
        raise LimitExceeded(
            "The XML document is nested too deeply.", limit="levels", allowed=_DEPTH
        )
    if shape.named > _PATHS:
        what = "The XML document has too many kinds of elements."
        raise LimitExceeded(what, limit="columns", allowed=_PATHS)


def _note_values(shape: _Shape, path: str, element: etree._Element) -> None:
    values = {f"{path}/{_attribute(name)}": text for name, text in _attributes(element)}
    if (text := _text_of(element)) and len(element) == 0:
        values[path] = text
    if values:
        shape.has_values.add(path)
    for name, value in values.items():
        if shape.counts[path] == 1:
            shape.texts[name] = value[:_PAIR_CHARACTERS]
        else:
            shape.texts.pop(name, None)


def _attributes(element: etree._Element) -> list[tuple[str, str]]:
    """Return the names and values of attributes; those about the schema say nothing."""
    given = [(str(name), str(value).strip()) for name, value in element.attrib.items()]
    return [(name, value) for name, value in given if not name.startswith(_ABOUT_SCHEMA)]


def _text_of(element: etree._Element) -> str:
    """Return the text of an element without that of elements inside, blanks around it removed."""
    text = element.text or ""
    for inner in element:
        if not isinstance(inner.tag, str):
            raise _unsafe()
        text += inner.tail or ""
    return text.strip()


def _let_go(element: etree._Element) -> None:
    """Forget an element that is complete, and those before it."""
    tail = element.tail
    element.clear()
    element.tail = tail
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _bodies(path: Path, shape: _Shape, limits: Limits) -> list[RecordBody]:
    """Return the records of each kind, all of them looked at in one pass."""
    kinds = shape.records()
    scans = {kind: Scan(limits, PREVIEW_ROWS) for kind in kinds}
    for kind, record in _every_record(path, kinds, shape, kinds):
        scans[kind].take(record)
    return [_body(path, kind, kinds, shape, scans[kind]) for kind in kinds]


def _body(path: Path, kind: str, kinds: list[str], shape: _Shape, scan: Scan) -> RecordBody:
    def records() -> Iterator[tuple[int, dict[str, str]]]:
        for row, (_, record) in enumerate(_every_record(path, [kind], shape, kinds)):
            yield row, record

    scan.check()
    keys, name = tuple(scan.keys), _shown(kind, "")
    table = Table(
        columns=unique([key.strip() for key in keys]),
        sheet=name.rpartition(".")[2] or None,
        evidence=(Evidence("table", f"each element {name!r} is a record", 0.99),),
        document=shape.around(kind),
    )
    return RecordBody(records, keys, scan.described(table), (), scan.limits)


def _every_record(
    path: Path, wanted: Collection[str], shape: _Shape, kinds: Collection[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """
    Yield the records of some kinds, each with its kind, as they end.

    A record of any kind is forgotten once it is over, unless it is in one that is still wanted.
    """
    tags = [_tag(kind) for kind in kinds]
    kept = {kind for kind in kinds if any(around in wanted for around in _ancestors(kind))}
    for _, element in _events(path, events=("end",), tag=tags):
        kind = _path_of(element)
        if kind in wanted:
            own = _free(shape.names.get(kind, {}).values(), _shown(_name(element.tag), ""))
            yield kind, _flat(_value_of(element, kind, shape), own)
        if kind in kinds and kind not in kept:
            _let_go(element)


def _tag(path: str) -> str:
    return path.rpartition("/")[2].replace(_SLASH, "/")


def _path_of(element: etree._Element) -> str:
    names = [_name(element.tag), *(_name(outer.tag) for outer in element.iterancestors())]
    return "/" + "/".join(reversed(names))


def _flat(value: str | Members, name: str) -> dict[str, str]:
    """
    Return the cells of a record. name: of the column of the text that it holds itself.

    >>> _flat({"no": "1", "price": {"currency": "EUR", "": "2.50"}}, "order")
    {'no': '1', 'price.currency': 'EUR', 'price': '2.50'}
    """
    if isinstance(value, str):
        return {name: value}
    return {key.removesuffix(".") or name: text for key, text in flatten(value).items()}


def _value_of(element: etree._Element, path: str, shape: _Shape) -> str | Members:
    """Return an element as JSON would have it: members by name, and those that repeat as lists."""
    text, attributes = _text_of(element), _attributes(element)
    if not attributes and path not in shape.inner:
        return text
    members: Members = {}
    names = shape.names.get(path, {})
    for name, value in attributes:
        members[names[_attribute(name)]] = value
    for inner in element:
        part = _name(inner.tag)
        inner_path = f"{path}/{part}"
        content = _value_of(inner, inner_path, shape)
        if inner_path in shape.many:
            members.setdefault(names[part], []).append(_listed(content))
        else:
            members[names[part]] = content
    if text:
        members[""] = text
    return members


def _listed(value: str | Members) -> str | Members:
    """Return an item of a list; the text next to its attributes gets a name."""
    if isinstance(value, dict) and "" in value:
        value[_free(value, "value")] = value.pop("")
    return value


def _free(taken: Collection[str], name: str) -> str:
    """Return a name that is not taken."""
    while name in taken:
        name += " (2)"
    return name
