"""The links of references that are delivered as they are known, not as the file has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from references.lookup import known_for

if TYPE_CHECKING:
    import pyarrow as pa

    from references.selectors import Sets
    from tabular.resolving.pointers import Pointer


def with_kept(
    links: pa.Table, kept: pa.Table, pointers: Iterable[Pointer], sets: Mapping[str, Sets]
) -> pa.Table:
    """
    Return links (``graph.LINKS``) in which kept cells lead to what the known value names.

    kept: ``field``, ``row`` and ``known`` of such cells. A known value that names no entity, or
    several, has no link.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for pointer in pointers:
        cells = kept.filter(pc.equal(kept["field"], pointer.path))
        if not cells.num_rows:
            continue
        here = pc.and_(
            pc.equal(links["field"], pointer.path),
            pc.is_in(links["row"], value_set=cells["row"].combine_chunks()),
        )
        named = list(_named(cells, pointer, sets))
        columns = [list(column) for column in zip(*named, strict=True)] or [[]] * 4
        more = pa.table(columns, schema=links.schema)
        links = pa.concat_tables([links.filter(pc.invert(here)), more])
    return links.sort_by([("row", "ascending")])


def _named(
    cells: pa.Table, pointer: Pointer, sets: Mapping[str, Sets]
) -> Iterator[tuple[int, str, str, str]]:
    """Yield row, field, entity and ref of each entity that a cell names."""
    texts = [_texts(known) for known in cells["known"].to_pylist()]
    refs = _refs({text for some in texts for text in some}, pointer, sets)
    for row, some in zip(cells["row"].to_pylist(), texts, strict=True):
        for text in some:
            if ref := refs.get(text):
                yield row, pointer.path, pointer.entity, ref


def _refs(texts: set[str], pointer: Pointer, sets: Mapping[str, Sets]) -> dict[str, str]:
    """Return the entity that each text names by a field that references match on, if it is one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.resolving.keys import key_text
    from tabular.resolving.resolution import Wanted

    wanted = Wanted(pointer.key, dict.fromkeys(pointer.match_on, pa.array(sorted(texts))))
    known = known_for(sets, {pointer.entity: wanted}).entities
    own, shared = (
        [(item["ref"], orjson.loads(item["values"])) for item in known.filter(mask).to_pylist()]
        for mask in (pc.invert(known["shared"]), known["shared"])
    )
    hidden = {ref for ref, _ in own}
    keys = {key_text(values.get(pointer.key)) for _, values in own} - {None}
    seen = [
        (ref, values)
        for ref, values in shared
        if ref not in hidden and key_text(values.get(pointer.key)) not in keys
    ]
    refs: dict[str, str] = {}
    for key in pointer.match_on:
        owners: dict[str, set[str]] = {}
        for ref, values in (*own, *seen):
            if (text := key_text(values.get(key))) in texts:
                owners.setdefault(text, set()).add(ref)
        refs = {text: min(mine) for text, mine in owners.items() if len(mine) == 1} | refs
    return refs


def _texts(known: str | None) -> list[str]:
    """Return the texts by which a known value names entities: one, or those of a list."""
    from tabular.resolving.keys import key_text

    value: Any = None if known is None else orjson.loads(known)
    values = value if isinstance(value, list) else [value]
    return [text for item in values if (text := key_text(item)) is not None]
