"""
Convert a JSON Schema to a catalog: objects become entities, their properties fields.

Parts that the field model cannot express are dropped and reported with their location, never
guessed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from catalogs.json_schema.fields import field_of
from tabular.model.catalog_findings import Finding
from tabular.model.i_json import escaped
from tabular.model.sentences import Sentence

Json = dict[str, Any]
MOST_FIELDS = 2_000
MOST_FINDINGS = 500
DEEPEST = 16  # how many references may follow each other
NESTED = 4  # how many levels of objects become fields of one row
CAME_FROM = "$from"  # our own note on a schema: the reference that led to it
CYCLIC = "The reference is circular or too deep."
Refs = tuple[str | None, ...]


@dataclass(slots=True)
class Read:
    """The entries of the catalog, and the findings about dropped parts."""

    title: str
    entries: list[Json] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def note(self, pointer: str, code: str, sentence: str) -> None:
        """Report a dropped part, up to a readable number of findings."""
        finding = Finding(pointer, code, sentence, "warning")
        if len(self.findings) < MOST_FINDINGS and finding not in self.findings:
            self.findings.append(finding)


@dataclass(frozen=True, slots=True)
class Node:
    """A schema, and its location."""

    schema: Json
    pointer: str

    def at(self, *steps: str) -> "Node | None":
        """Return the schema below some steps, if any."""
        here: Any = self.schema
        for step in steps:
            here = here.get(step) if isinstance(here, dict) else None
        below = "".join(f"/{escaped(step)}" for step in steps)
        return Node(here, f"{self.pointer}{below}") if isinstance(here, dict) else None

    def properties(self) -> "Iterator[tuple[str, Node]]":
        """Yield the properties that are schemas."""
        members = self.schema.get("properties")
        for name in members if isinstance(members, dict) else ():
            if name and (node := self.at("properties", name)) is not None:
                yield name, node


def read_schema(schema: Json) -> Read:
    """Convert a schema; without any property the catalog has no entries, and a finding says so."""
    root = Node(schema, "")
    title = schema.get("title")
    read = Read(title.strip() if isinstance(title, str) else "")
    _Reader(root, read).read()
    if not any(entry["fields"] for entry in read.entries):
        sentence = "The schema has no object with properties, so nothing can be a field."
        read.findings.insert(0, Finding("", "no_fields", sentence))
    return read


@dataclass(slots=True)
class _Reader:
    root: Node
    read_: Read
    count: int = 0

    def read(self) -> None:
        top = self.resolved(self.root)
        rows = self.rows_of(top)
        if rows is not None:
            self.entry(self.read_.title or "row", rows)
            return
        lists = [(name, self.rows_of(self.resolved(node))) for name, node in top.properties()]
        if lists and all(rows is not None for _, rows in lists):
            for name, rows in lists:
                if rows is not None:
                    self.entry(name, rows)
            return
        self.entry(self.read_.title or "row", top)

    def rows_of(self, node: Node) -> Node | None:
        """Return the schema of a list's items if they are objects."""
        items = node.at("items")
        row = None if items is None else self.resolved(items)
        return row if row is not None and "properties" in row.schema else None

    def entry(self, name: str, node: Node) -> None:
        fields: list[Json] = []
        self.fields(node, fields, prefix="", above=(node.schema.get(CAME_FROM),))
        made: Json = {"id": name, "fields": fields}
        if isinstance(label := node.schema.get("title"), str) and label:
            made["label"] = label
        if fields:
            self.read_.entries.append(made)

    def fields(self, node: Node, made: list[Json], *, prefix: str, above: Refs) -> None:
        needed = node.schema.get("required")
        required = (
            {item for item in needed if isinstance(item, str)} if isinstance(needed, list) else ()
        )
        taken = {item["key"] for item in made}
        for name, below in node.properties():
            if self.count >= MOST_FIELDS:
                sentence = Sentence(
                    "A schema may have {n1} properties; the rest are ignored.", n1=MOST_FIELDS
                )
                self.read_.note(node.pointer, "too_many_fields", sentence)
                return
            self.count += 1
            key, member = f"{prefix}{name}", self.resolved(below)
            came_from = member.schema.get(CAME_FROM)
            if came_from is not None and came_from in above:
                self.read_.note(f"{below.pointer}/$ref", "cyclic_reference", CYCLIC)
            elif "properties" in member.schema and len(above) <= NESTED:
                self.fields(member, made, prefix=f"{key}_", above=(*above, came_from))
                taken = {item["key"] for item in made}
            elif key in taken:
                sentence = Sentence("Another property is already the field {key}.", key=repr(key))
                self.read_.note(below.pointer, "duplicate_field", sentence)
            else:
                taken.add(key)
                made.append(
                    field_of(
                        key,
                        member.schema,
                        items=self.items_of(member),
                        required=name in required and not prefix,
                        note=lambda code, sentence, at=below.pointer, of="": self.read_.note(
                            f"{at}/{escaped(of)}" if of else at, code, sentence
                        ),
                    )
                )

    def items_of(self, node: Node) -> Json | None:
        items = node.at("items")
        return None if items is None else self.resolved(items).schema

    def resolved(self, node: Node) -> Node:
        """Follow references and merge ``allOf``; report references that cannot be followed."""
        for _ in range(DEEPEST):
            target = node.schema.get("$ref")
            if not isinstance(target, str):
                return self.together(node)
            below = self.follow(target)
            if below is None:
                sentence = Sentence(
                    "There is no schema at {target} in this document.", target=repr(target[:100])
                )
                self.read_.note(f"{node.pointer}/$ref", "unknown_reference", sentence)
                return Node({k: v for k, v in node.schema.items() if k != "$ref"}, node.pointer)
            beside = {k: v for k, v in node.schema.items() if k != "$ref"}
            node = Node({**below.schema, **beside, CAME_FROM: target}, node.pointer)
        self.read_.note(f"{node.pointer}/$ref", "cyclic_reference", CYCLIC)
        return Node({}, node.pointer)

    def follow(self, target: str) -> Node | None:
        if not target.startswith("#"):
            return None
        steps = target[1:].replace("%25", "%").split("/")[1:]
        plain = [step.replace("~1", "/").replace("~0", "~") for step in steps]
        return self.root.at(*plain)

    def together(self, node: Node) -> Node:
        parts = node.schema.get("allOf")
        if not isinstance(parts, list) or len(parts) > MOST_FIELDS:
            return node
        whole: Json = {k: v for k, v in node.schema.items() if k != "allOf"}
        for part in parts:
            if not isinstance(part, dict):
                continue
            target = part.get("$ref")
            below = self.follow(target) if isinstance(target, str) else None
            members = part if below is None else below.schema
            for name, value in members.items():
                mine = whole.get(name)
                if isinstance(mine, dict) and isinstance(value, dict):
                    whole[name] = {**mine, **value}
                elif isinstance(mine, list) and isinstance(value, list):
                    whole[name] = [*mine, *value]
                elif name == "pattern" and mine is not None:
                    whole["x-patterns"] = [*whole.get("x-patterns", []), value]
                else:
                    whole.setdefault(name, value)
        return Node(whole, node.pointer)
