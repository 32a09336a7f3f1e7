"""What an apply says of entities: links, their targets, and how rows differ from what is known."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.resolving.deciding import FOUND, Outcome
from tabular.resolving.known_values import FieldPolicy
from tabular.resolving.pointers import key_fields, paths_of
from tabular.resolving.resolution import Resolution
from tabular.values.arrays import Rows

JsonTexts = Callable[[str], pa.Array]  # field path to the n values as they are delivered
LINKS = pa.schema(
    [("row", pa.int64()), ("field", pa.string()), ("entity", pa.string()), ("ref", pa.string())]
)
OWN = pa.schema([("row", pa.int64()), ("entity", pa.string()), ("ref", pa.string())])
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
HELD = pa.schema(  # cells that change nothing, or wait for a decision, and why
    [
        ("row", pa.int64()),
        ("field", pa.string()),
        ("why", pa.string()),
        ("known", pa.string()),
        ("file", pa.string()),
        ("delivered", pa.string()),
    ]
)
LEFT_OUT = pa.schema([("field", pa.string()), ("row", pa.int64()), ("text", pa.string())])
MATCHED_TEXTS = pa.schema([("row", pa.int64()), ("entity", pa.string()), ("text", pa.string())])
TEXTS = pa.schema([("entity", pa.string()), ("text", pa.string()), ("ref", pa.string())])
NOTHING, UNCHANGED, CHANGED, NEW, UNCLEAR = range(5)  # what a row is, the stronger word last
STATUSES = ("new", "unchanged", "changed", "new", "unclear")  # a row without an entity is new


@dataclass(frozen=True, slots=True)
class Compared:
    """
    How n rows differ from what is known. statuses: n.

    differences: the cells that change it. held: those that do not (``HELD``).
    """

    statuses: NDArray[np.int8]
    differences: pa.Table
    held: pa.Table


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


def own_entities(resolution: Resolution) -> pa.Table:
    """Return the entities that rows themselves are, by row (``OWN``)."""
    tables = [OWN.empty_table()]
    for name, entities in resolution.entities.items():
        at = np.flatnonzero(entities.of_rows >= 0)
        refs = pa.array(entities.refs, pa.string()).take(pa.array(entities.of_rows[at]))
        word = pa.repeat(pa.scalar(name), len(at))
        tables.append(pa.table([pa.array(at.astype(np.int64)), word, refs], schema=OWN))
    joined = pa.concat_tables(tables)
    order = np.argsort(joined["row"].to_numpy(), kind="stable")
    return joined.take(pa.array(order))


def with_differences(
    own: pa.Table, entity: str, differences: pa.Table, paths: Collection[str]
) -> set[tuple[str, str]]:
    """Return the entities of a name, with it, some of whose fields differ in a row of theirs."""
    differs = pc.is_in(differences["field"], value_set=pa.array(list(paths), pa.string()))
    rows = differences.filter(differs)["row"].combine_chunks()
    mine = pc.and_(pc.equal(own["entity"], entity), pc.is_in(own["row"], value_set=rows))
    return {(entity, ref) for ref in own.filter(mine)["ref"].unique().to_pylist()}


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


def rows_of_texts(resolution: Resolution) -> pa.Table:
    """Return in which rows these texts are: ``row``, ``entity`` and ``text``, by row."""
    tables = [MATCHED_TEXTS.empty_table()]
    for resolved in resolution.fields:
        decided, parts = resolved.decided, resolved.parts
        at = np.flatnonzero(decided.scores[parts.which] > 0)
        word = pa.repeat(pa.scalar(resolved.pointer.entity), len(at))
        texts = decided.texts.take(pa.array(parts.which[at]))
        columns = [pa.array(parts.rows[at].astype(np.int64)), word, texts.cast(pa.string())]
        tables.append(pa.table(columns, schema=MATCHED_TEXTS))
    joined = pa.concat_tables(tables)
    return joined.take(pa.array(np.argsort(joined["row"].to_numpy(), kind="stable")))


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
    resolution: Resolution,
    entity: str,
    json_texts: JsonTexts,
    *,
    policies: Mapping[str, FieldPolicy],
    held: Mapping[str, Collection[int]],
) -> dict[str, dict[str, Any]]:
    """
    Return what the rows say of entities of a name, by ref; a later row adds to an earlier one.

    json_texts: returns the n values of a field as JSON texts, null for none. policies: by path. An
    empty cell of a field that clears means that there is no value. held: the rows whose cell
    changes nothing, by path.
    """
    entities = resolution.entities[entity]
    at = np.flatnonzero(entities.of_rows >= 0)
    numbers = entities.of_rows[at].tolist()
    by_ref: dict[str, dict[str, Any]] = {}
    for number in numbers:
        by_ref.setdefault(entities.refs[number], {})
    for field, path in paths_of(resolution.catalog, entity).items():
        texts = json_texts(path).take(pa.array(at)).to_pylist()
        clears, left = policies[path].empty_clears, held.get(path, ())
        for row, number, text in zip(at.tolist(), numbers, texts, strict=True):
            if row in left:
                continue
            if text is not None:
                by_ref[entities.refs[number]][field] = orjson.loads(text)
            elif clears:
                by_ref[entities.refs[number]][field] = None
    return by_ref


def entity_table(
    resolution: Resolution,
    links: pa.Table,
    from_rows: Mapping[tuple[str, str], Mapping[str, Any]],
    known: Mapping[tuple[str, str], Mapping[str, Any]],
    changed: Collection[tuple[str, str]] = (),
) -> pa.Table:
    """
    Return a table of every entity that links name, once each (``ENTITIES``).

    from_rows: what the file says of an entity, by name and ref; known: what was known before;
    changed: the known ones of which the file says something else, if that is to be told apart.
    """
    keys = key_fields(resolution.catalog)
    named = links.group_by(["entity", "ref"], use_threads=False).aggregate([])
    pairs = sorted(zip(named["entity"].to_pylist(), named["ref"].to_pylist(), strict=True))
    rows = []
    for pair in pairs:
        entity, ref = pair
        values = {**known.get(pair, {}), **from_rows.get(pair, {})}
        key = {keys[entity]: values.get(keys[entity])}
        status = "created" if pair not in known else "changed" if pair in changed else "matched"
        rows.append((entity, ref, status, _dumps(key), _dumps(values)))
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * len(ENTITIES)
    return pa.table(columns, schema=ENTITIES)


def _dumps(value: Any) -> str:
    return orjson.dumps(value).decode()
