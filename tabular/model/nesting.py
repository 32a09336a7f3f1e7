"""
Entries whose rows belong to a record of another entry: orders and their lines.

An entry names its parent by ``childOf``. Rows with the same values in the parent's ``groupBy``
fields are about one parent. There is one level: a parent has no parent of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tabular.model.catalog import Catalog, Entry, Field
from tabular.model.catalog_findings import Finding
from tabular.model.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Nesting:
    """One parent with its children: ids of entries, and paths of live fields."""

    parent: str
    keys: tuple[str, ...]  # paths of the fields that identify a parent
    fields: tuple[str, ...]  # of the parent, its keys included
    children: dict[str, tuple[str, ...]]  # by entry


def nestings(catalog: Catalog) -> tuple[Nesting, ...]:
    """Return the parents of a catalog in its order, without those that have errors."""
    wrong = {finding.pointer.split("/")[2] for finding in nesting_errors(catalog)}
    live = {
        entry.id: tuple(
            f"{entry.id}{catalog.key_separator}{field.key}"
            for field in entry.fields
            if not field.disabled
        )
        for entry in catalog.entries
    }
    right = [entry for e, entry in enumerate(catalog.entries) if str(e) not in wrong]
    return tuple(
        Nesting(
            parent=entry.id,
            keys=tuple(f"{entry.id}{catalog.key_separator}{key}" for key in group_keys(entry)),
            fields=live[entry.id],
            children={child.id: live[child.id] for child in right if child.child_of == entry.id},
        )
        for entry in right
        if any(child.child_of == entry.id for child in right)
    )


def children_of(parent: str, catalog: Catalog) -> list[Entry]:
    """Return the entries that name a parent."""
    return [entry for entry in catalog.entries if entry.child_of == parent]


def group_keys(entry: Entry) -> tuple[str, ...]:
    """
    Return the keys of the fields that identify one record of an entry.

    Without ``groupBy`` it is the only field that is required and unique; nothing if there is none
    or there are several.
    """
    if entry.group_by is not None:
        return tuple(dict.fromkeys(entry.group_by))
    identifying = [field.key for field in entry.fields if _identifies(field)]
    return tuple(identifying) if len(identifying) == 1 else ()


def _identifies(field: Field) -> bool:
    is_unique = any(v.validate_ == "unique" and not v.columns for v in field.validations or ())
    return is_unique and field.is_required and not field.disabled


def nesting_errors(catalog: Catalog) -> Iterator[Finding]:
    """Yield what is wrong with the parents that entries name, and with how parents are grouped."""
    by_id = {entry.id: entry for entry in catalog.entries}
    for e, entry in enumerate(catalog.entries):
        if entry.child_of is not None:
            yield from _child_errors(entry, by_id, f"/entries/{e}/childOf")
        if entry.group_by is not None or children_of(entry.id, catalog):
            yield from _group_errors(entry, f"/entries/{e}/groupBy")


def _child_errors(entry: Entry, by_id: dict[str, Entry], at: str) -> Iterator[Finding]:
    parent = by_id.get(entry.child_of or "")
    if parent is None:
        sentence = Sentence("The catalog has no entry {name}.", name=f"“{entry.child_of}”")
        yield Finding(at, "unknown_entity", sentence)
    elif parent is entry:
        yield Finding(at, "names_itself", "An entry cannot be a child of itself.")
    elif parent.child_of == entry.id:
        sentence = Sentence(
            "“{entry}” and “{parent}” name each other as parents.", entry=entry.id, parent=parent.id
        )
        yield Finding(at, "circular_entries", sentence)
    elif parent.child_of is not None:
        sentence = Sentence(
            "“{entry}” is itself a child; only one level of nesting is possible.", entry=parent.id
        )
        yield Finding(at, "nested_too_deep", sentence)


def _group_errors(entry: Entry, at: str) -> Iterator[Finding]:
    if entry.group_by is None and not group_keys(entry):
        sentence = Sentence(
            "Set groupBy: which fields identify one record of “{entry}”?", entry=entry.id
        )
        yield Finding(at, "missing_member", sentence)
    fields = {field.key: field for field in entry.fields}
    for k, key in enumerate(entry.group_by or ()):
        if key not in fields:
            sentence = Sentence("The entry “{name}” has no field “{key}”.", name=entry.id, key=key)
            yield Finding(f"{at}/{k}", "unknown_column", sentence)
        elif fields[key].disabled:
            yield Finding(
                f"{at}/{k}", "disabled_column", Sentence("The field “{key}” is disabled.", key=key)
            )
