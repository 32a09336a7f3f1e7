"""The hashes of what an apply delivers, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from changesets.bodies import delivered, table_of
from changesets.models import Changeset
from changesets.proof.evidence import Evidence, digest_of
from changesets.selectors import RowsPurged
from deliveries import payload
from imports.inputs import source_mapping
from imports.rows.left_out import SkippedRows
from signatures import merkle
from signatures.canonical_rows import canonical_row
from tabular.resolving.known_values import AS_JSON

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.exports.delivered_rows import Delivered

# A decimal of at least 0.001, or a long one, which is delivered as a text.
SHORTEST = r'^("|(-?([1-9][0-9]*(\.[0-9]*[1-9])?|0\.(0?0?[1-9])([0-9]*[1-9])?)|0)$)'


def evidence_of(changeset: Changeset) -> Evidence:
    """
    Return what the receipt of a changeset commits to, computed at its apply.

    That of an apply by an earlier version is computed now, and kept. Raise RowsPurged if it was
    never computed and the rows are gone.
    """
    if changeset.evidence is None:
        if changeset.record.purged_at is not None:
            raise RowsPurged
        changeset.evidence = gather(changeset)
        changeset.save(update_fields=["evidence"])
    return changeset.evidence


def gather(changeset: Changeset) -> Evidence:
    """Hash the rows of a changeset, some thousand at a time."""
    record, table, rows = changeset.record, table_of(changeset), delivered(changeset)
    size = merkle.block_size(len(rows))
    blocks = list(merkle.blocks(leaves(rows), size))
    recipe = record.decided.recipe
    left_out = SkippedRows(record.source, record.file_read, table if recipe else None)
    return Evidence(
        root=merkle.root(blocks).hex(),
        block_size=size,
        blocks=[block.hex() for block in blocks],
        mapping=digest_of(source_mapping(record)),
        recipe=None if recipe is None else digest_of(recipe),
        skipped=left_out.counts if record.source else {},
        pins=dict(table.files.manifest.pins),
    )


def leaves(rows: Delivered) -> Iterator[bytes]:
    """Yield the hash of each delivered row, over its canonical form."""
    for batch in rows.batches():
        for start in range(0, batch.num_rows, payload.SLICE_ROWS):
            some = batch.slice(start, payload.SLICE_ROWS)
            yield from map(merkle.leaf, canonical_lines(some, rows))


def canonical_lines(batch: pa.RecordBatch, rows: Delivered) -> Iterator[bytes]:
    """Yield each row of a batch in its canonical form."""
    import orjson

    order = sorted(batch.schema.names, key=lambda path: path.encode("utf-16-be"))
    joined = payload.rows_as_lines(batch.select(order), rows.types, rows.formats)
    # A row begins with ",\n{"; text inside a row cannot contain that, because JSON escapes line
    # ends.
    lines = (line.removesuffix(b",") for line in joined.split(b"\n")[1:])
    columns = [batch.column(path) for path in order if path not in rows.formats]
    if AS_JSON not in rows.types.values() and all(map(_is_spelled_alike, columns)):
        yield from lines
    else:
        yield from (canonical_row(orjson.loads(line)) for line in lines)


def _is_spelled_alike(values: pa.Array) -> bool:
    """Return whether a delivery spells the values of a column as their canonical form does."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from tabular.types.value_texts import json_texts

    kind, types = values.type, pa.types
    if types.is_decimal(kind):
        matches = pc.match_substring_regex(json_texts(values), SHORTEST)
        is_shortest: bool | None = pc.all(matches).as_py()
        return is_shortest is not False
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_temporal(kind)
    return bool(is_text or types.is_boolean(kind) or types.is_integer(kind))
