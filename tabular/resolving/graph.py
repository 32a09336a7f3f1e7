"""What an apply says of entities: links, their targets, and how rows differ from what is known."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.resolving.deciding import FOUND, Outcome
from tabular.resolving.entities import Entities
from tabular.resolving.pointers import key_fields, paths_of
from tabular.resolving.resolution import Resolution
from tabular.values.arrays import Rows

JsonTexts = Callable[[str], pa.Array]  # field path to the n values as they are delivered
LINKS = pa.schema(
    [("row", pa.int64()), ("field", pa.string()), ("entity", pa.string()), ("ref", pa.string())]
)
ENTITIES = pa.schema(
    [
        ("entity", pa.string()),
        ("ref", pa.string()),
        ("status", pa.string()),
        ("key", pa.string()),
        ("values", pa.string()),
    ]
)
DIFFERENCES = pa.schema(
    [("row", pa.int64()), ("field", pa.string()), ("before", pa.string()), ("after", pa.string())]
)
LEFT_OUT = pa.schema([("field", pa.string()), ("row", pa.int64()), ("text", pa.string())])
TEXTS = pa.schema([("entity", pa.string()), ("text", pa.string()), ("ref", pa.string())])
NOTHING, UNCHANGED, CHANGED, NEW, UNCLEAR = range(5)  # what a row is, the stronger word last
STATUSES = ("new", "unchanged", "changed", "new", "unclear")  # a row without an entity is new


@dataclass(frozen=True, slots=True)
class Compared:
    """How n rows differ from what is known. statuses: n; differences: a table by row."""

    statuses: NDArray[np.int8]
    differences: pa.Table


def links_of(resolution: Resolution) -> pa.Table:
    """Return the entities that each row refers to, by row and field (``LINKS``)."""
    tables = [LINKS.empty_table()]
    for resolved in resolution.fields:
        at = np.flatnonzero(np.isin(resolved.outcomes, FOUND))
        refs = resolved.decided.refs.take(pa.array(resolved.parts.which[at]))
        path, entity = resolved.pointer.path, resolved.pointer.entity
        words = [pa.repeat(pa.scalar(word), len(at)) for word in (path, entity)]
        tables.append(pa.table([pa.array(resolved.parts.rows[at]), *words, refs], schema=LINKS))
    joined = pa.concat_tables(tables)
    order = np.argsort(joined["row"].to_numpy(), kind="stable")
    return joined.take(pa.array(order))


def rows_left_null(resolution: Resolution) -> dict[str, Rows]:
    """Return the rows whose reference is delivered as null, by field path."""
    by_path: dict[str, Rows] = {}
    for resolved in resolution.fields:
        outcomes, rows = resolved.outcomes, resolved.parts.rows
        left = np.unique(rows[outcomes == Outcome.LEFT_OUT])
        kept = np.unique(rows[outcomes != Outcome.LEFT_OUT])
        if len(rows := left[~np.isin(left, kept)]):
            by_path[resolved.pointer.path] = rows
    return by_path


def omitted_parts(resolution: Resolution) -> pa.Table:
    """Return the texts that are omitted from partly delivered cells (``LEFT_OUT``)."""
    tables = [LEFT_OUT.empty_table()]
    for resolved in resolution.fields:
        parts, is_out = resolved.parts, resolved.outcomes == Outcome.LEFT_OUT
        at = np.flatnonzero(is_out & np.isin(parts.rows, parts.rows[~is_out]))
        path = pa.repeat(pa.scalar(resolved.pointer.path), len(at))
        texts = parts.texts.take(pa.array(at))
        tables.append(pa.table([path, pa.array(parts.rows[at]), texts], schema=LEFT_OUT))
    return pa.concat_tables(tables)


def texts_of(resolution: Resolution) -> pa.Table:
    """Return the texts that similarity or an answer matched to an entity (``TEXTS``)."""
    tables = [TEXTS.empty_table()]
    for resolved in resolution.fields:
        decided = resolved.decided
        at = pa.array(np.flatnonzero(decided.scores > 0))
        word = pa.repeat(pa.scalar(resolved.pointer.entity), len(at))
        tables.append(pa.table([word, decided.texts.take(at), decided.refs.take(at)], schema=TEXTS))
    return pa.concat_tables(tables)


def made_of(resolution: Resolution) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the entities that are created for a text alone: name, ref, values."""
    for resolved in resolution.fields:
        decided, pointer = resolved.decided, resolved.pointer
        at = np.flatnonzero(decided.outcomes == Outcome.CREATED)
        texts = decided.texts.take(pa.array(at)).to_pylist()
        refs = decided.refs.take(pa.array(at)).to_pylist()
        for text, ref in zip(texts, refs, strict=True):
            yield pointer.entity, ref, {pointer.key: text}


def entity_values(
    resolution: Resolution, entity: str, json_texts: JsonTexts, *, with_nulls: bool
) -> dict[str, dict[str, Any]]:
    """
    Return what the rows say of entities of a name, by ref; a later row adds to an earlier one.

    json_texts: returns the n values of a field as JSON texts, null for none. with_nulls: whether an
    empty cell means that there is no value.
    """
    entities = resolution.entities[entity]
    at = np.flatnonzero(entities.of_rows >= 0)
    numbers = entities.of_rows[at].tolist()
    by_ref: dict[str, dict[str, Any]] = {}
    columns = {
        field: json_texts(path).take(pa.array(at)).to_pylist()
        for field, path in paths_of(resolution.catalog, entity).items()
    }
    for place, number in enumerate(numbers):
        values = by_ref.setdefault(entities.refs[number], {})
        for field, texts in columns.items():
            if texts[place] is not None:
                values[field] = orjson.loads(texts[place])
            elif with_nulls:
                values[field] = None
    return by_ref


def compare(
    resolution: Resolution,
    entity: str,
    json_texts: JsonTexts,
    *,
    fed: Mapping[str, str],
    empty_clears: bool,
) -> Compared:
    """
    Return for each row whether its entity of a name is new, changed or unchanged.

    fed: the fields that the file feeds, key to path. empty_clears: whether an empty cell removes a
    known value; otherwise it changes nothing.
    """
    entities = resolution.entities[entity]
    numbers = entities.of_rows
    statuses = np.zeros(len(numbers), np.int8)
    statuses[numbers >= entities.known_count] = NEW
    statuses[_unclear(resolution, entities, fed, json_texts)] = UNCLEAR
    rows = np.flatnonzero((numbers >= 0) & (numbers < entities.known_count))
    statuses[rows] = UNCHANGED
    tables = [DIFFERENCES.empty_table()]
    for field, path in fed.items():
        before = _known_texts(entities, field).take(pa.array(numbers[rows]))
        after = _canonical(json_texts(path).take(pa.array(rows)))
        same = pc.fill_null(pc.equal(before, after), False)
        same = pc.or_(same, pc.and_(pc.is_null(before), pc.is_null(after)))
        if not empty_clears:
            same = pc.or_(same, pc.is_null(after))
        at = np.flatnonzero(pc.invert(same).to_numpy(zero_copy_only=False))
        statuses[rows[at]] = CHANGED
        place, word = pa.array(at), pa.repeat(pa.scalar(path), len(at))
        columns = [pa.array(rows[at]), word, before.take(place), after.take(place)]
        tables.append(pa.table(columns, schema=DIFFERENCES))
    return Compared(statuses, pa.concat_tables(tables))


def _unclear(
    resolution: Resolution, entities: Entities, fed: Mapping[str, str], json_texts: JsonTexts
) -> Any:
    """Return the rows with a key that several known entities have."""
    path = fed.get(entities.key)
    if path is None or not len(entities.of_rows):
        return np.zeros(0, np.int64)
    keyed = json_texts(path).is_valid().to_numpy(zero_copy_only=False)
    return np.flatnonzero(keyed & (entities.of_rows < 0))


def _known_texts(entities: Entities, field: str) -> pa.Array:
    known = [values.get(field) for values in entities.values]
    texts = [None if value is None else orjson.dumps(value).decode() for value in known]
    return pa.array(texts, pa.string())


def _canonical(texts: pa.Array) -> pa.Array:
    """Return JSON texts in a form in which equal values are equal texts."""
    words = texts.cast(pa.string()).dictionary_encode()
    same = [orjson.dumps(orjson.loads(text)).decode() for text in words.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(words.indices, pa.array(same, pa.string())).cast(
        pa.string()
    )


def entity_table(
    resolution: Resolution,
    links: pa.Table,
    from_rows: Mapping[tuple[str, str], Mapping[str, Any]],
    known: Mapping[tuple[str, str], Mapping[str, Any]],
) -> pa.Table:
    """
    Return a table of every entity that links name, once each (``ENTITIES``).

    from_rows: what the file says of an entity, by name and ref; known: what was known before.
    """
    keys = key_fields(resolution.catalog)
    named = links.group_by(["entity", "ref"], use_threads=False).aggregate([])
    pairs = sorted(zip(named["entity"].to_pylist(), named["ref"].to_pylist(), strict=True))
    rows = []
    for pair in pairs:
        entity, ref = pair
        values = {**known.get(pair, {}), **from_rows.get(pair, {})}
        key = {keys[entity]: values.get(keys[entity])}
        status = "matched" if pair in known else "created"
        rows.append((entity, ref, status, _dumps(key), _dumps(values)))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * len(ENTITIES)
    return pa.table(columns, schema=ENTITIES)


def _dumps(value: Any) -> str:
    return orjson.dumps(value).decode()
