"""The entities a text may mean: those known before, and those of the file itself."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import Catalog
from tabular.resolving.keys import created_ref, key_text
from tabular.resolving.parts import plain_texts
from tabular.resolving.pointers import key_fields, paths_of
from tabular.values.arrays import Rows

Values = Callable[[str], pa.ChunkedArray | pa.Array]  # field path to its n typed values
KNOWN = pa.schema(
    [
        ("entity", pa.string()),
        ("ref", pa.string()),
        ("values", pa.string()),
        ("shared", pa.bool_()),  # known to the whole tenant: what the scope itself knows hides it
        ("delivered", pa.string()),  # the values that were delivered last; null for none
    ]
)
NO_TEXTS: Mapping[str, str] = MappingProxyType({})
LEARNED = pa.schema([("entity", pa.string()), ("text", pa.string()), ("ref", pa.string())])


@dataclass(frozen=True, slots=True)
class Pairs:
    """The texts of one field: m distinct pairs of a text and the number of an entity."""

    texts: pa.Array
    owners: Rows

    def by_text(self) -> pa.Table:
        """Return each text once: ``text``, and ``low`` and ``high``, its first and last entity."""
        table = pa.table({"text": self.texts, "owner": self.owners})
        grouped = table.group_by("text", use_threads=False)
        owners = grouped.aggregate([("owner", "min"), ("owner", "max")])
        return owners.rename_columns(["text", "low", "high"])


class Entities:
    """
    The entities of one name.

    known: JSON texts of values by ref. file: per field key n texts, null if a row is not such an
    entity or was excluded; None without rows. key: the field that identifies entities. hidden: refs
    of entities that others hide; they mean nothing here, and no entity gets one of them. last: JSON
    texts of the values that were delivered last, by ref.
    """

    def __init__(
        self,
        entity: str,
        key: str,
        known: Mapping[str, str],
        file: Mapping[str, pa.Array] | None,
        hidden: Collection[str] = (),
        last: Mapping[str, str] = NO_TEXTS,
    ) -> None:
        self.entity, self.key, self._hidden = entity, key, frozenset(hidden)
        self.refs = list(known)
        self.known_count = len(known)
        self.values: list[dict[str, Any]] = [orjson.loads(text) for text in known.values()]
        self.delivered: list[dict[str, Any]] = [orjson.loads(last.get(ref, "{}")) for ref in known]
        self._file = file or {}
        self._pairs: dict[str, Pairs] = {}
        self.of_rows = self._number_rows()  # n numbers, -1 for a row that is not such an entity

    @cached_property
    def _known_places(self) -> dict[str, int]:
        """The position of each ref among the known ones, computed only to create entities."""
        return {ref: n for n, ref in enumerate(self.refs[: self.known_count])}

    @property
    def fed(self) -> tuple[str, ...]:
        """The keys of the fields that the file feeds."""
        return tuple(self._file)

    def pairs(self, field: str) -> Pairs:
        """Return the texts of a field, known and in the file."""
        if field not in self._pairs:
            known = self._known_pairs(field)
            texts = self._file.get(field)
            if texts is not None and len(self.of_rows):
                at = np.flatnonzero((self.of_rows >= 0) & _valid(texts))
                named = Pairs(texts.take(pa.array(at)), self.of_rows[at])
                known = Pairs(
                    pa.concat_arrays([known.texts, named.texts]),
                    np.concatenate([known.owners, named.owners]),
                )
            self._pairs[field] = _once(known)
        return self._pairs[field]

    def is_known(self, numbers: Rows) -> Any:
        """Return which of some entities were known before, n bool."""
        return numbers < self.known_count

    def numbers_of(self, refs: Iterable[str]) -> dict[str, int]:
        """Return the numbers of the refs that exist."""
        wanted = set(refs)
        return {ref: n for n, ref in enumerate(self.refs) if ref in wanted}

    def ref_of_key(self, key: str) -> str:
        """Return the ref of a key's new entity; a ref whose entity now has another key is taken."""
        return next(
            ref
            for ref in self._refs_for(key)
            if (place := self._known_places.get(ref)) is None
            or key_text(self.values[place].get(self.key)) == key
        )

    def unknown_ref(self, key: str) -> str:
        """Return the ref of a key's new entity, although others are known under the key."""
        return next(ref for ref in self._refs_for(key) if ref not in self._known_places)

    def _refs_for(self, key: str) -> Iterator[str]:
        refs = (created_ref(self.entity, key, taken) for taken in count())
        return (ref for ref in refs if ref not in self._hidden)

    def shared_keys(self, weights: Rows) -> tuple[Rows, pa.Array, Rows]:
        """
        Return the rows whose key several known entities share, their keys, and a sum for each.

        weights: of the known entities; the sum is that of all entities known under the key.
        """
        keys = self._file.get(self.key)
        rows = np.zeros(0, np.int64)
        if keys is not None:
            rows = np.flatnonzero((self.of_rows < 0) & _valid(keys))
        if keys is None or not len(rows):
            return rows, pa.array([], pa.string()), np.zeros(0, np.int64)
        mine = keys.take(pa.array(rows))
        known = self._known_pairs(self.key)
        distinct = known.texts.unique()
        place = pc.index_in(known.texts, value_set=distinct).to_numpy(zero_copy_only=False)
        sums = np.zeros(len(distinct), np.int64)
        np.add.at(sums, place, weights[known.owners])
        at = pc.index_in(mine, value_set=distinct).to_numpy(zero_copy_only=False)
        return rows, mine, sums[at]

    def _known_pairs(self, field: str) -> Pairs:
        pairs = [
            (text, n)
            for n, values in enumerate(self.values)
            if (text := key_text(values.get(field))) is not None
        ]
        texts = pa.array([text for text, _ in pairs], pa.string())
        return Pairs(texts, np.array([n for _, n in pairs], np.int64))

    def _number_rows(self) -> Rows:
        """Return an entity's number per row; a key shared by several known entities names none."""
        keys = self._file.get(self.key)
        if keys is None:
            return np.zeros(0, np.int64)
        words = keys.dictionary_encode()
        distinct = words.dictionary
        known = _once(self._known_pairs(self.key)).by_text()
        at = pc.index_in(distinct, value_set=known["text"].combine_chunks())
        place = pc.fill_null(at, -1).to_numpy(zero_copy_only=False)
        numbers = np.full(len(distinct), -1, np.int64)
        low, high = known["low"].to_numpy(), known["high"].to_numpy()
        there = np.flatnonzero(place >= 0)
        single = low[place[there]] == high[place[there]]
        numbers[there[single]] = low[place[there[single]]]
        fresh = np.flatnonzero(place < 0)
        numbers[fresh] = np.arange(len(fresh)) + len(self.refs)
        made = distinct.take(pa.array(fresh)).to_pylist()
        self.refs += [self.ref_of_key(key) for key in made]
        which = pc.fill_null(words.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
        return np.where(which >= 0, numbers[which] if len(numbers) else -1, -1).astype(np.int64)


def entities_of(
    entity: str,
    *,
    catalog: Catalog,
    known: pa.Table,
    values: Values,
    used: Iterable[str],
    taken: "np.ndarray[Any, np.dtype[np.bool_]] | None" = None,
) -> Entities:
    """
    Gather the entities of one name. known: a table as of ``KNOWN``. used: the field paths that are
    fed. taken: which of the n rows count; None for all.
    """
    key = key_fields(catalog).get(entity, "")
    mine = known.filter(pc.equal(known["entity"], entity))
    by_ref, unseen = _seen(mine, key)
    fed = set(used)
    file: dict[str, pa.Array] = {}
    for field, path in paths_of(catalog, entity).items():
        if path in fed:
            texts = plain_texts(values(path))
            hidden = None if taken is None else pa.array(~taken)
            file[field] = (
                texts if hidden is None else pc.if_else(hidden, pa.scalar(None, pa.string()), texts)
            )
    return Entities(entity, key, by_ref, file if key in file else None, unseen, _last(mine))


def _last(mine: pa.Table) -> dict[str, str]:
    """Return the values delivered last, by ref; those of the scope's own entity count."""
    delivered = mine.filter(pc.is_valid(mine["delivered"])).sort_by([("shared", "descending")])
    return dict(zip(delivered["ref"].to_pylist(), delivered["delivered"].to_pylist(), strict=True))


def _seen(mine: pa.Table, key: str) -> tuple[dict[str, str], set[str]]:
    """
    Return the entities that a scope sees, values by ref, and the refs of those it does not.

    A tenant-wide entity is hidden by one of the scope with its ref or its key.
    """
    own, shared = (
        dict(zip(part["ref"].to_pylist(), part["values"].to_pylist(), strict=True))
        for part in (mine.filter(pc.invert(mine["shared"])), mine.filter(mine["shared"]))
    )
    if not own or not shared:
        return own or shared, set()
    keys = {_key_of(text, key) for text in own.values()} - {None}
    seen = {
        ref: text
        for ref, text in shared.items()
        if ref not in own and _key_of(text, key) not in keys
    }
    return dict(sorted({**own, **seen}.items())), shared.keys() - seen.keys() - own.keys()


def _key_of(values: str, key: str) -> str | None:
    return key_text(orjson.loads(values).get(key))


def _once(pairs: Pairs) -> Pairs:
    table = pa.table({"text": pairs.texts, "owner": pairs.owners})
    unique = table.group_by(["text", "owner"], use_threads=False).aggregate([])
    return Pairs(unique["text"].combine_chunks(), unique["owner"].to_numpy())


def _valid(texts: pa.Array) -> Any:
    return texts.is_valid().to_numpy(zero_copy_only=False)
