"""The result of resolving a whole table's references."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.model.catalog import Catalog
from tabular.model.defect import Defect, contained
from tabular.protocol.answers import Answers
from tabular.resolving.deciding import DECIDED, Decided, decide
from tabular.resolving.entities import Entities, Values, entities_of
from tabular.resolving.parts import Parts, parts_of, plain_texts
from tabular.resolving.pointers import Pointer, key_fields, paths_of, pointers_of

STEP = "reference"  # of a defect
NO_ANSWERS = Answers()


@dataclass(frozen=True, slots=True)
class Known:
    """What is known besides the file: tables as of ``entities.KNOWN`` and ``LEARNED``."""

    entities: pa.Table
    learned: pa.Table
    decided: pa.Table = field(default_factory=DECIDED.empty_table)  # by similarity, before

    def and_also(self, other: "Known") -> "Known":
        """Add what else is known; the newer values of a ref take precedence."""
        newer = _named(other.entities).combine_chunks()
        kept = self.entities.filter(pc.invert(pc.is_in(_named(self.entities), value_set=newer)))
        return Known(
            pa.concat_tables([kept, other.entities]),
            pa.concat_tables([self.learned, other.learned]),
            self.decided,
        )

    def decided_of(self, path: str) -> pa.Table:
        """Return earlier decisions about the texts of a field."""
        return self.decided.filter(pc.equal(self.decided["field"], path))

    def learned_of(self, entity: str) -> dict[str, str]:
        """Return the texts that were matched to entities of a name before."""
        mine = self.learned.filter(pc.equal(self.learned["entity"], entity))
        return dict(zip(mine["text"].to_pylist(), mine["ref"].to_pylist(), strict=True))


def _named(entities: pa.Table) -> pa.ChunkedArray:
    """Return distinct names of entities: two scopes may know one under the same ref."""
    shared = entities["shared"].cast(pa.string())
    return pc.binary_join_element_wise(entities["entity"], entities["ref"], shared, "\x1f")


@dataclass(frozen=True, slots=True)
class Resolved:
    """One referring field: the texts of its rows, and the entities they mean."""

    pointer: Pointer
    parts: Parts
    decided: Decided

    @property
    def outcomes(self) -> NDArray[np.int8]:
        """The result of each of the m texts."""
        return self.decided.outcomes[self.parts.which]


@dataclass(frozen=True, slots=True)
class Resolution:
    """
    Every reference of a table, and the entities of each name it refers to.

    failed: the paths of references that could not be resolved because of our own defect; defects
    say why.
    """

    catalog: Catalog
    fields: tuple[Resolved, ...]
    entities: Mapping[str, Entities]
    values: Values
    failed: tuple[str, ...] = ()
    defects: list[Defect] = field(default_factory=list)

    @property
    def keys(self) -> dict[str, str]:
        """The path of the field that identifies entities of a name, if the file has it."""
        identifying = key_fields(self.catalog)
        return {
            name: path
            for name, entity in self.entities.items()
            if len(entity.of_rows) and (path := paths_of(self.catalog, name).get(identifying[name]))
        }


def resolve(
    catalog: Catalog,
    *,
    used: Collection[str],
    values: Values,
    known: Known,
    answers: Answers,
    taken: NDArray[np.bool_] | None = None,
    names: Collection[str] = (),
) -> Resolution:
    """
    Resolve every reference of a table to its entity.

    used: the field paths that are fed. values: returns the n values of a field. taken: the rows
    that are not excluded. names: further entities to gather, even without references to them. The
    order of rows does not matter, nor do circles: all entities are gathered first.
    """
    pointers = pointers_of(catalog, used)
    entities: dict[str, Entities] = {}
    fields: dict[str, Resolved] = {}
    defects: list[Defect] = []

    def gather(name: str) -> Entities:
        if name not in entities:
            entities[name] = entities_of(
                name, catalog=catalog, known=known.entities, values=values, used=used, taken=taken
            )
        return entities[name]

    for pointer in pointers:
        with contained(pointer.path, STEP, defects):
            parts = parts_of(_taken(values(pointer.path), taken), pointer)
            decided = decide(
                pointer,
                parts.distinct,
                gather(pointer.entity),
                learned=known.learned_of(pointer.entity) if pointer.resolve.learned else {},
                answers=answers.reference.get(pointer.path, {}),
                before=known.decided_of(pointer.path),
            )
            fields[pointer.path] = Resolved(pointer, parts, decided)
    for name in names:
        gather(name)
    failed = tuple(pointer.path for pointer in pointers if pointer.path not in fields)
    return Resolution(catalog, tuple(fields.values()), entities, values, failed, defects)


def _taken(column: pa.Array | pa.ChunkedArray, taken: NDArray[np.bool_] | None) -> Any:
    """Return a column without the values of excluded rows."""
    if taken is None:
        return column
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return pc.if_else(pa.array(taken), column, pa.scalar(None, column.type))


@dataclass(slots=True)
class Wanted:
    """
    Texts to look up among known entities of a name, by field key.

    made: keys for which an entity may be created; others may have their refs by now. refs: those
    named by answers.
    """

    key: str  # the field that identifies an entity
    exact: dict[str, pa.Array] = field(default_factory=dict)
    alike: dict[str, pa.Array] = field(default_factory=dict)
    learned: pa.Array | None = None
    made: pa.Array | None = None
    refs: set[str] = field(default_factory=set)


def wanted_of(
    catalog: Catalog,
    *,
    used: Collection[str],
    values: Values,
    names: Collection[str] = (),
    answers: Answers = NO_ANSWERS,
) -> dict[str, Wanted]:
    """
    Return what must be looked up before ``resolve``, by entity.

    These are all texts that a reference may mean, and the keys of the file's own entities. A
    reference whose texts cannot be read because of our own defect is left to ``resolve``, which
    fails on it too.
    """
    by_entity: dict[str, Wanted] = {}
    for pointer in pointers_of(catalog, used):
        wanted = by_entity.setdefault(pointer.entity, Wanted(pointer.key))
        texts = pa.array([], pa.string())
        with contained(pointer.path, STEP, []):
            texts = parts_of(values(pointer.path), pointer).distinct
        for key in pointer.match_on:
            wanted.exact[key] = _with(wanted.exact.get(key), texts)
            if pointer.resolve.fuzzy:
                wanted.alike[key] = _with(wanted.alike.get(key), texts)
        if pointer.resolve.learned:
            wanted.learned = _with(wanted.learned, texts)
        if pointer.reference.on_missing == "create":
            wanted.made = _with(wanted.made, texts)
        answered = answers.reference.get(pointer.path, {})
        wanted.refs.update(ref for ref in answered.values() if ref is not None)
    gathered = dict.fromkeys([*by_entity, *names])
    for name, own in wanted_keys(catalog, used=used, values=values, names=gathered).items():
        wanted = by_entity.setdefault(name, Wanted(own.key))
        for field_key, texts in own.exact.items():
            wanted.exact[field_key] = _with(wanted.exact.get(field_key), texts)
            wanted.made = _with(wanted.made, texts)
    return by_entity


def wanted_keys(
    catalog: Catalog, *, used: Collection[str], values: Values, names: Iterable[str]
) -> dict[str, Wanted]:
    """Return the keys of the file's own entities of some names, to be looked up, by entity."""
    identifying = key_fields(catalog)
    by_entity: dict[str, Wanted] = {}
    for name in names:
        path = paths_of(catalog, name).get(identifying.get(name, ""))
        if path in used and path is not None:
            keys = plain_texts(values(path)).drop_null().unique()
            by_entity[name] = Wanted(identifying[name], exact={identifying[name]: keys})
    return by_entity


def _with(texts: pa.Array | None, more: pa.Array) -> pa.Array:
    return more if texts is None else pa.concat_arrays([texts, more]).unique()
