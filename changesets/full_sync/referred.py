"""The missing entities that something still refers to: a full sync keeps them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import orjson

from references.models import KnownEntity, KnownSet, LearnedText

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from imports.models import ImportRecord
    from staging.columns import StagedTable
    from tabular.model.catalog import Catalog
    from tabular.resolving.pointers import Pointer

Stored = tuple[int, str, dict[str, Any]]  # a known entity: primary key, ref and values
AT_ONCE = 10_000  # known entities read at a time
TEXTS = 5_000  # per query
REF = ""  # in place of a field: hosts may store a reference as the ref


def without_referred(missing: pa.Table, record: ImportRecord, table: StagedTable) -> pa.Table:
    """
    Return the missing entities (``outcome.DELETED``) to which nothing refers that stays.

    What stays: the other known entities that see them, and the excluded rows of the file. A text
    refers to an entity if it spells its ref or a field that the reference matches on, whatever the
    case and the punctuation, or if it was resolved to it before. What a kept entity refers to is
    kept, too.
    """
    import pyarrow as pa

    catalog = record.target
    pointers = _pointers(catalog, frozenset(missing["entity"].unique().to_pylist()))
    if not pointers:
        return missing
    work = _Referred(missing, pointers, record)
    work.add_excluded(table)
    work.add_known()
    work.follow()
    return missing.filter(pa.array(~work.is_kept))


def _pointers(catalog: Catalog, entities: frozenset[str]) -> dict[str, list[tuple[str, Pointer]]]:
    """Return the references to some entities by the entry that has them: field key and pointer."""
    from tabular.resolving.pointers import paths_of, pointers_of

    by_path = {pointer.path: pointer for pointer in pointers_of(catalog, catalog.live_fields)}
    by_entry: dict[str, list[tuple[str, Pointer]]] = defaultdict(list)
    for entry in catalog.entries:
        for key, path in paths_of(catalog, entry.id).items():
            if (pointer := by_path.get(path)) and pointer.entity in entities:
                by_entry[entry.id].append((key, pointer))
    return dict(by_entry)


class _Referred:
    """Which of n missing entities are kept: a mask that grows."""

    def __init__(
        self,
        missing: pa.Table,
        pointers: dict[str, list[tuple[str, Pointer]]],
        record: ImportRecord,
    ) -> None:
        import numpy as np

        self.missing, self.pointers, self.record = missing, pointers, record
        self.is_kept: NDArray[np.bool_] = np.zeros(missing.num_rows, dtype=bool)
        self.columns = self._columns()

    def add_excluded(self, table: StagedTable) -> None:
        """Keep what cells of excluded rows refer to; those of other rows are resolved."""
        import pyarrow as pa

        for _, pointer in (pair for pairs in self.pointers.values() for pair in pairs):
            if pointer.path in table.files.by_field and table.is_excluded.any():
                cells = table.values(pointer.path).filter(pa.array(table.is_excluded))
                self._add(pointer, cells)

    def add_known(self) -> None:
        """Keep what known entities refer to that are not missing themselves."""
        record = self.record
        sets = KnownSet.objects.filter(tenant=record.tenant, entity__in=self.pointers)
        if record.scope:  # every scope sees the entities of the whole tenant
            sets = sets.filter(scope__in={record.scope, ""})
        for known_set in sets.order_by("pk"):
            gone = self._refs_of(known_set.entity) if known_set.scope == record.scope else None
            for some in _batches(known_set):
                self._add_values(known_set.entity, _without(some, gone))

    def follow(self) -> None:
        """Keep what kept entities refer to, until there is nothing more to keep."""
        import numpy as np

        done = np.zeros(len(self.is_kept), dtype=bool)
        while (fresh := np.flatnonzero(self.is_kept & ~done)).size:
            done = self.is_kept.copy()
            for start in range(0, len(fresh), AT_ONCE):
                some = self.missing.take(fresh[start : start + AT_ONCE])
                values = defaultdict(list)
                for item in some.select(["entity", "values"]).to_pylist():
                    values[item["entity"]].append(orjson.loads(item["values"]))
                for entity, mine in values.items():
                    self._add_values(entity, mine)

    def _add_values(self, entity: str, values: list[dict[str, Any]]) -> None:
        import pyarrow as pa

        for key, pointer in self.pointers.get(entity, ()):
            texts = [text for item in values for text in _texts(item.get(key))]
            self._add(pointer, pa.array(texts, pa.string()))

    def _add(self, pointer: Pointer, cells: pa.Array | pa.ChunkedArray) -> None:
        """Keep the entities that some cells name."""
        import numpy as np
        import pyarrow.compute as pc

        from tabular.resolving.keys import folded
        from tabular.resolving.parts import parts_of

        texts = parts_of(cells, pointer).distinct
        for field in (REF, *pointer.match_on):
            column = self.columns[pointer.entity, field]
            self.is_kept |= np.asarray(pc.is_in(column, value_set=folded(texts)))
        refs = folded(self._learned(pointer.entity, texts))
        column = self.columns[pointer.entity, REF]
        self.is_kept |= np.asarray(pc.is_in(column, value_set=refs))

    def _learned(self, entity: str, texts: pa.Array) -> pa.Array:
        """Return the refs to which texts were resolved in earlier imports."""
        import pyarrow as pa

        about = {"known_set__tenant": self.record.tenant, "known_set__entity": entity}
        learned = LearnedText.objects.filter(**about)
        refs: list[str] = []
        for start in range(0, len(texts), TEXTS):
            some = texts[start : start + TEXTS].to_pylist()
            refs += learned.filter(text__in=some).values_list("ref", flat=True).distinct()
        return pa.array(refs, pa.string())

    def _refs_of(self, entity: str) -> pa.Array:
        import pyarrow.compute as pc

        mine = pc.equal(self.missing["entity"], entity)
        return self.missing.filter(mine)["ref"].combine_chunks()

    def _columns(self) -> dict[tuple[str, str], pa.Array]:
        """Return the texts that name the missing entities, by entity and field; null for others."""
        import pyarrow as pa

        from tabular.resolving.keys import folded, key_text

        named = {(p.entity, f) for ps in self.pointers.values() for _, p in ps for f in p.match_on}
        named |= {(entity, REF) for entity, _ in named}
        texts: dict[tuple[str, str], list[str | None]] = {pair: [] for pair in sorted(named)}
        for batch in self.missing.to_batches(max_chunksize=AT_ONCE):
            for item in batch.to_pylist():
                values = {**orjson.loads(item["values"]), REF: item["ref"]}
                for (entity, field), column in texts.items():
                    is_mine = entity == item["entity"]
                    column.append(key_text(values.get(field)) if is_mine else None)
        return {pair: folded(pa.array(column, pa.string())) for pair, column in texts.items()}


def _without(some: list[Stored], gone: pa.Array | None) -> list[dict[str, Any]]:
    """Return the values of those known entities that are not among some refs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if gone is None:
        return [values for _, _, values in some]
    refs = pa.array([ref for _, ref, _ in some], pa.string())
    is_gone = pc.is_in(refs, value_set=gone).to_pylist()
    return [values for (_, _, values), is_out in zip(some, is_gone, strict=True) if not is_out]


def _batches(known_set: KnownSet) -> Iterator[list[Stored]]:
    last = 0
    known = KnownEntity.objects.filter(known_set=known_set).order_by("pk")
    while some := list(known.filter(pk__gt=last).values_list("pk", "ref", "values")[:AT_ONCE]):
        last = some[-1][0]
        yield some


def _texts(value: Any) -> Iterable[str]:
    """Return the texts of a known value, before they are split."""
    from tabular.resolving.keys import key_text

    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, str):
        return [value]
    return [] if (text := key_text(value)) is None else [text]
