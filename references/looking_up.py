"""Fetch the known entities that the texts of an import may mean, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import Count

from references import indexing
from references.models import KnownEntity, KnownKey, KnownSet, LearnedText

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from tabular.resolving.resolution import Known, Wanted

CHUNK = 5_000  # numbers of one query


def known_for(sets: Mapping[str, KnownSet], wanted: Mapping[str, Wanted]) -> Known:
    """
    Give what is known about some texts.

    sets: by entity, of one tenant and scope. wanted: as ``wanted_of`` lists it.
    """
    import pyarrow as pa

    from tabular.resolving.entities import KNOWN, LEARNED
    from tabular.resolving.resolution import Known

    entities, learned = [KNOWN.empty_table()], [LEARNED.empty_table()]
    for entity, one in wanted.items():
        if entity not in sets:
            continue
        texts = _learned(sets[entity], one.learned) if one.learned is not None else {}
        entities.append(_entities(sets[entity], one, texts.values()))
        rows = [[entity] * len(texts), list(texts), list(texts.values())]
        learned.append(pa.table(rows, schema=LEARNED))
    return Known(pa.concat_tables(entities), pa.concat_tables(learned))


def _entities(known_set: KnownSet, wanted: Wanted, refs: Iterable[str]) -> pa.Table:
    import numpy as np
    import pyarrow as pa

    from tabular.resolving.entities import KNOWN
    from tabular.resolving.keys import exact_digests

    indexing.require(known_set, wanted.exact, blocks=False)
    found = [
        _owners(known_set, exact_digests(field, texts)) for field, texts in wanted.exact.items()
    ]
    for field, texts in wanted.alike.items():
        indexing.require(known_set, [field], blocks=True)
        found.append(_alike(known_set, field, texts))
    found.append(_named(known_set, refs))
    numbers = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))
    pairs = [pair for chunk in _chunks(numbers) for pair in _values(known_set, chunk)]
    pairs.sort()
    columns = [
        [known_set.entity] * len(pairs),
        [ref for ref, _ in pairs],
        [values for _, values in pairs],
    ]
    return pa.table(columns, schema=KNOWN)


def _owners(known_set: KnownSet, digests: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    mine = KnownKey.objects.filter(known_set=known_set)
    found = [
        np.fromiter(
            mine.filter(digest__in=chunk.tolist()).values_list("known_id", flat=True).iterator(),
            np.int64,
        )
        for chunk in _chunks(np.unique(digests))
    ]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _alike(known_set: KnownSet, field: str, texts: pa.Array) -> NDArray[np.int64]:
    """Give who shares a light blocking key with a text; the same keys count as in the scoring."""
    import numpy as np

    from tabular.resolving.keys import block_digests
    from tabular.resolving.likeness import light_blocks

    owners, digests = block_digests(field, texts)
    unique, which = np.unique(digests, return_inverse=True)
    sizes = np.zeros(len(unique), np.int64)
    mine = KnownKey.objects.filter(known_set=known_set)
    for chunk in _chunks(unique):
        counted = mine.filter(digest__in=chunk.tolist()).values_list("digest")
        for digest, count in counted.annotate(count=Count("pk")).order_by():
            sizes[np.searchsorted(unique, digest)] = count
    light = np.unique(digests[light_blocks(owners, sizes[which])])
    return np.unique(_owners(known_set, light))


def _named(known_set: KnownSet, refs: Iterable[str]) -> NDArray[np.int64]:
    import numpy as np

    wanted = sorted(set(refs))
    mine = KnownEntity.objects.filter(known_set=known_set)
    found = [
        list(mine.filter(ref__in=chunk).values_list("pk", flat=True)) for chunk in _parts(wanted)
    ]
    return np.array([pk for some in found for pk in some], np.int64)


def _values(known_set: KnownSet, chunk: NDArray[np.int64]) -> Iterator[tuple[str, str]]:
    found = KnownEntity.objects.filter(pk__in=chunk.tolist()).values_list("ref", "values")
    for ref, values in found.iterator(chunk_size=CHUNK):
        yield ref, json.dumps(values, ensure_ascii=False)


def _learned(known_set: KnownSet, texts: pa.Array) -> dict[str, str]:
    """Give whom texts were taken for before; the newest counts."""
    mine = LearnedText.objects.filter(known_set=known_set)
    found: dict[str, str] = {}
    for chunk in _parts(texts.to_pylist()):
        found.update(mine.filter(text__in=chunk).order_by("pk").values_list("text", "ref"))
    return found


def refs_of(known_set: KnownSet, refs: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Give the values of those of some refs that are known."""
    found: dict[str, dict[str, Any]] = {}
    for chunk in _parts(sorted(set(refs))):
        found.update(known_set.entities.filter(ref__in=chunk).values_list("ref", "values"))
    return found


def _chunks(numbers: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(numbers), CHUNK):
        yield numbers[start : start + CHUNK]


def _parts(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]
