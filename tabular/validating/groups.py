"""
What all rows of one parent say together: orders whose rows repeat the order's own fields.

A row belongs to the group of its parent's key; a row without a key is a group of its own. A field
of the parent has one value in a group: the first one that is filled.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.catalog import Catalog, Field
from tabular.model.issue import Severity
from tabular.model.nesting import Nesting, nestings
from tabular.types.hashing import as_texts, shown_in_issues
from tabular.types.rows import Finding
from tabular.validating.rule import params_json, path_of, severity_of
from tabular.validating.rule_findings import is_without_effect
from tabular.values.arrays import Rows

MOST_CHILDREN = 10_000  # of one entry in one parent
CODES = frozenset(
    {
        "differing_parent_value",
        "child_without_parent",
        "parent_without_children",
        "too_many_children",
        "circular_reference",
    }
)
Values = Callable[[str], pa.ChunkedArray]  # the column of a field, all rows of the table
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Required:
    """A field that needs a value in each parent."""

    severity: Severity
    params: str | None


@dataclass(frozen=True, slots=True)
class Unique:
    """Fields whose values together may occur in one parent only."""

    fields: tuple[str, ...]
    severity: Severity
    message: str | None = None


@dataclass(frozen=True)
class GroupRules:
    """The rules about the groups of one parent."""

    nesting: Nesting
    name: str  # of the parent
    child_names: str
    fields: tuple[str, ...]  # of the parent, those that take part, without its keys
    children: dict[str, tuple[str, ...]]  # by entry, those that take part
    required: dict[str, Required]
    unique: tuple[Unique, ...]
    selves: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a reference to its matchOn

    @cached_property
    def reads(self) -> frozenset[str]:
        """Return the fields whose change can change a finding."""
        return frozenset({*self.nesting.fields, *(p for c in self.children.values() for p in c)})

    def reports(self, path: str, code: str) -> bool:
        """Return whether all issues of a code at a field are these rules' own."""
        if code in CODES:
            return path in self.nesting.fields
        if code == "unique":
            return any(rule.fields[0] == path for rule in self.unique)
        return code == "required" and path in self.required


def group_rules(catalog: Catalog, *, paths: Collection[str]) -> tuple[GroupRules, ...]:
    """Compile the rules of each parent whose keys take part. paths: the fields that take part."""
    return tuple(
        _rules(nesting, catalog, paths)
        for nesting in nestings(catalog)
        if all(key in paths for key in nesting.keys)
    )


def _rules(nesting: Nesting, catalog: Catalog, paths: Collection[str]) -> GroupRules:
    live = catalog.live_fields
    names = {entry.id: entry.label or entry.id for entry in catalog.entries}
    own = [path for path in nesting.fields if path in paths and path not in nesting.keys]
    return GroupRules(
        nesting=nesting,
        name=names[nesting.parent],
        child_names=", ".join(names[child] for child in nesting.children),
        fields=tuple(own),
        children={
            child: used
            for child, fields in nesting.children.items()
            if (used := tuple(path for path in fields if path in paths))
        },
        required={path: rule for path in own if (rule := _required(live[path]))},
        unique=tuple(
            rule for path in own for rule in _unique(path, catalog) if parents_own(rule, nesting)
        ),
        selves={
            path: matched
            for path in own
            if (reference := live[path].reference) and reference.entity == nesting.parent
            if (matched := _matched(path, reference.match_on, catalog, paths))
        },
    )


def _matched(
    path: str, names: tuple[str, ...], catalog: Catalog, paths: Collection[str]
) -> tuple[str, ...]:
    named = (path_of(name, beside=path, catalog=catalog) for name in names)
    return tuple(other for other in named if other in paths and other and other != path)


def _required(spec: Field) -> Required | None:
    rule = next((v for v in spec.validations or () if v.validate_ == "required"), None)
    if rule is not None:
        return Required(severity_of(rule), params_json(rule))
    return Required("error", None) if spec.required else None


def _unique(path: str, catalog: Catalog) -> Iterator[Unique]:
    for rule in catalog.live_fields[path].validations or ():
        if rule.validate_ == "unique" and not is_without_effect(path, rule, catalog):
            others = (path_of(name, beside=path, catalog=catalog) for name in rule.columns or ())
            live = [other for other in others if other in catalog.live_fields and other]
            fields = tuple(dict.fromkeys([path, *live]))
            yield Unique(fields, severity_of(rule), rule.error_message)


def parents_own(rule: Unique, nesting: Nesting) -> bool:
    """Return whether fields are unique among parents, and not so by being the key."""
    return set(rule.fields) <= set(nesting.fields) and not is_key(rule.fields, nesting)


def is_key(fields: Collection[str], nesting: Nesting) -> bool:
    """Return whether no two groups can have the same values: the key is among the fields."""
    return set(nesting.keys) <= set(fields) <= set(nesting.fields)


def group_findings(rules: Collection[GroupRules], values: Values, rows: Rows) -> Iterator[Finding]:
    """Yield what is wrong in whole groups. rows: those to group, ascending, without excluded."""
    for one_parent in rules if len(rows) else ():
        yield from _Groups(one_parent, values, rows).findings()


def codes_of(column: pa.ChunkedArray | pa.Array) -> Rows:
    """Return a number for each value, from 1 in the order of first rows; empty ones are 0."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if pa.types.is_list(column.type):
        chunks = [as_texts(chunk) for chunk in chunks]
    if not chunks:
        return np.zeros(0, np.int64)
    encoded = pa.chunked_array(chunks).dictionary_encode().unify_dictionaries()
    numbers = [pc.fill_null(c.indices.cast(pa.int64()), -1).to_numpy() for c in encoded.chunks]
    codes: Rows = np.concatenate(numbers) + 1
    return codes


def numbered(codes: Collection[Rows]) -> tuple[Rows, Rows]:
    """
    Return the number of each row's group, and each group's first row.

    codes: of each part of the key, n each. A row without any part of the key is a group of its own.
    Groups are numbered in the order of their first rows.
    """
    parts = list(codes)
    size = len(parts[0])
    has_key = reduce(np.logical_or, (part > 0 for part in parts))
    numbers = reduce(_paired, parts[1:], parts[0])
    alone = np.flatnonzero(~has_key)
    numbers = numbers.copy()
    numbers[alone] = -1 - alone
    encoded = pa.array(numbers).dictionary_encode()
    groups: Rows = encoded.indices.to_numpy().astype(np.int64)
    return groups, first_of(groups, np.arange(size), len(encoded.dictionary))


def _paired(numbers: Rows, codes: Rows) -> Rows:
    pairs = pa.array(numbers * (int(codes.max(initial=0)) + 1) + codes)
    return np.asarray(pairs.dictionary_encode().indices.to_numpy(), np.int64)


def first_of(groups: Rows, rows: Rows, count: int) -> Rows:
    """Return the first of some ascending rows in each of ``count`` groups, -1 where none is."""
    firsts = np.full(count, -1, np.int64)
    firsts[groups[rows[::-1]]] = rows[::-1]  # of several, the last that is written stays
    return firsts


@dataclass(frozen=True)
class _Groups:
    rules: GroupRules
    all_values: Values
    rows: Rows

    def values(self, path: str) -> pa.ChunkedArray:
        column = self.all_values(path)
        return column if len(column) == len(self.rows) else column.take(pa.array(self.rows))

    @cached_property
    def _numbered(self) -> tuple[Rows, Rows]:
        return numbered([codes_of(self.values(key)) for key in self.rules.nesting.keys])

    @property
    def groups(self) -> Rows:
        return self._numbered[0]

    @property
    def firsts(self) -> Rows:
        return self._numbered[1]

    @cached_property
    def has_key(self) -> Mask:
        """Whether each row names its parent."""
        return self._any(self.rules.nesting.keys)

    def _any(self, paths: Collection[str]) -> Mask:
        filled = (self.values(path).is_valid().to_numpy() for path in paths)
        return reduce(np.logical_or, filled, np.zeros(len(self.rows), dtype=bool))

    def findings(self) -> Iterator[Finding]:
        yield from self._children()
        for path in self.rules.fields:
            column = self.values(path)
            filled = np.flatnonzero(column.is_valid().to_numpy())
            heads = first_of(self.groups, filled, len(self.firsts))
            yield from self._differing(path, column, filled, heads)
            if path in self.rules.required:
                yield from self._missing(path, heads)
            for other in self.rules.selves.get(path, ()):
                yield from self._to_itself(path, column, other)
        for rule in self.rules.unique:
            yield from self._repeated(rule)

    def _children(self) -> Iterator[Finding]:
        key, rules = self.rules.nesting.keys[0], self.rules
        has_any = np.zeros(len(self.rows), dtype=bool)
        for paths in rules.children.values():
            is_child = self._any(paths)
            has_any |= is_child
            at = _beyond(self.groups, np.flatnonzero(is_child), MOST_CHILDREN)
            params = {"children": rules.child_names, "max": MOST_CHILDREN}
            yield from self._found(key, "too_many_children", "error", at, params)
        if not rules.children:
            return
        at = np.flatnonzero(has_any & ~self.has_key)
        yield from self._found(key, "child_without_parent", "error", at, {"entity": rules.name})
        count = np.bincount(self.groups, weights=has_any, minlength=len(self.firsts))
        at = self.firsts[(count == 0) & self.has_key[self.firsts]]
        params = {"children": rules.child_names}
        yield from self._found(key, "parent_without_children", "warning", at, params)

    def _differing(
        self, path: str, column: pa.ChunkedArray, filled: Rows, heads: Rows
    ) -> Iterator[Finding]:
        codes = codes_of(column)
        head = heads[self.groups[filled]]
        differs = codes[filled] != codes[head]
        at, head = filled[differs], head[differs]
        if not len(at):
            return
        firsts = shown_in_issues(_taken(column, head)).to_pylist()
        params = [
            orjson.dumps({"first": text, "firstRow": row, "entity": self.rules.name}).decode()
            for text, row in zip(firsts, self.rows[head].tolist(), strict=True)
        ]
        yield self._finding(path, "differing_parent_value", "error", at, pa.array(params))

    def _missing(self, path: str, heads: Rows) -> Iterator[Finding]:
        """Find parents without a required value; a row of children alone is about none."""
        rule = self.rules.required[path]
        is_there = self.has_key | self._any(self.rules.fields)
        at = self.firsts[(heads < 0) & is_there[self.firsts]]
        if len(at):
            yield self._finding(path, "required", rule.severity, at, rule.params)

    def _to_itself(self, path: str, column: pa.ChunkedArray, other: str) -> Iterator[Finding]:
        matched = self.values(other)
        heads = first_of(
            self.groups, np.flatnonzero(matched.is_valid().to_numpy()), len(self.firsts)
        )[self.groups]
        at = np.flatnonzero((heads >= 0) & column.is_valid().to_numpy())
        own = as_texts(_taken(matched, heads[at]))
        same = pc.equal(as_texts(_taken(column, at)), own)
        at = at[same.to_numpy(zero_copy_only=False).astype(bool)]
        params = {"entity": self.rules.name}
        yield from self._found(path, "circular_reference", "error", at, params)

    def _repeated(self, rule: Unique) -> Iterator[Finding]:
        parts = []
        for path in rule.fields:
            codes = codes_of(self.values(path))
            heads = first_of(self.groups, np.flatnonzero(codes), len(self.firsts))
            parts.append(np.where(heads >= 0, codes[heads], 0))
        same, first = numbered(parts)  # groups with the same values, by number of the group
        again = np.flatnonzero(first[same] != np.arange(len(same)))
        if not len(again):
            return
        message = {"message": rule.message} if rule.message else {}
        params = [
            orjson.dumps({"firstRow": row, **message}).decode()
            for row in self.rows[self.firsts[first[same[again]]]].tolist()
        ]
        at = self.firsts[again]
        order = np.argsort(at)
        texts = pa.array(params).take(pa.array(order))
        yield self._finding(rule.fields[0], "unique", rule.severity, at[order], texts)

    def _found(
        self, path: str, code: str, severity: Severity, at: Rows, params: Mapping[str, object]
    ) -> Iterator[Finding]:
        if len(at):
            yield self._finding(path, code, severity, np.sort(at), orjson.dumps(params).decode())

    def _finding(
        self, path: str, code: str, severity: Severity, at: Rows, params: pa.Array | str | None
    ) -> Finding:
        shown = shown_in_issues(_taken(self.values(path), at))
        return Finding(path, code, severity, self.rows[at], shown, params)


def _taken(column: pa.ChunkedArray, at: Rows) -> pa.Array:
    taken = column.take(pa.array(at)).combine_chunks()
    return pa.concat_arrays(taken.chunks) if isinstance(taken, pa.ChunkedArray) else taken


def _beyond(groups: Rows, rows: Rows, most: int) -> Rows:
    """Return those of some ascending rows that come after the first ``most`` of their group."""
    mine = groups[rows]
    order = np.argsort(mine, kind="stable")
    ordered = mine[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(np.append(starts, len(ordered)))
    place = np.arange(len(ordered)) - np.repeat(starts, sizes)
    return np.sort(rows[order[place >= most]])
