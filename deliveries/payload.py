"""
The body of a delivery, written column by column. Spec: Events > Body fields.

A body has one row per line, so that it can be split into parts again without parsing its JSON: the
first line has the members before the rows, the last one those after them.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tabular.model.sentences import counted
from tabular.resolving.known_values import AS_JSON

if TYPE_CHECKING:
    import pyarrow as pa

EVENT = "import.apply"
PADDING_BYTES = 1 << 20
SLICE_ROWS = 4_096  # about 1.5 MB of JSON at a time

NO_FORMATS: Mapping[str, str] = MappingProxyType({})


class RowCountDiffers(ValueError):
    """The batches hold another number of rows than the envelope says."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """Every member of a body except its rows; optional ones that are None or empty are omitted."""

    delivery_id: str
    tenant_id: str
    record_id: str
    action: str
    row_count: int
    mapping: Mapping[str, str]
    occurred_at: str  # ISO 8601, UTC
    catalog_key: str | None = None
    catalog_version: int | None = None
    meta: Mapping[str, Any] | None = None
    entities: Mapping[str, Any] | None = None
    links: Sequence[Any] | None = None
    row_issues: Sequence[Mapping[str, Any]] | None = None
    custom_options: Sequence[Mapping[str, Any]] | None = None
    custom_fields: Sequence[Mapping[str, Any]] | None = None
    reverts: Mapping[str, str] | None = None
    batch: Mapping[str, int] | None = None
    contract_id: str | None = None
    test: bool = False
    parent_count: int | None = None  # of a nested delivery, whose lines are parents
    extra: Mapping[str, Any] = field(default_factory=dict)  # further members, by their JSON names

    def before_rows(self) -> dict[str, Any]:
        """Return the members before the rows, by their JSON names."""
        return {
            "event": EVENT,
            "deliveryId": self.delivery_id,
            "tenantId": self.tenant_id,
            "recordId": self.record_id,
            "action": self.action,
            "rowCount": self.row_count,
            **({} if self.parent_count is None else nested_members(self.parent_count)),
            "mapping": dict(self.mapping),
        }

    def after_rows(self) -> dict[str, Any]:
        """Return the members after the rows, without empty ones."""
        optional = {
            "catalogKey": self.catalog_key,
            "catalogVersion": self.catalog_version,
            "meta": self.meta,
            "entities": self.entities,
            "links": self.links,
            "rowIssues": self.row_issues,
            "customOptions": self.custom_options,
            "customFields": self.custom_fields,
            "reverts": self.reverts,
            "batch": self.batch,
            "contractId": self.contract_id,
            "test": self.test or None,
            **self.extra,
        }
        given = {
            name: value for name, value in optional.items() if value not in (None, {}, [], (), "")
        }
        return {"occurredAt": self.occurred_at, **given}


def nested_members(parent_count: int) -> dict[str, Any]:
    """Return the members of a nested delivery; a splitter reads them back."""
    return {"nested": True, "parentCount": parent_count}


@dataclass(frozen=True, slots=True)
class Unmapped:
    """The contents of unmapped columns: batches of n texts per column, as in the file."""

    columns: Sequence[str]
    batches: Iterable["pa.RecordBatch"]


def dumps(value: Any) -> bytes:
    """Return compact JSON; text stays readable unless it cannot be encoded as UTF-8."""
    try:
        return json.dumps(
            value, ensure_ascii=False, separators=(",", ":"), allow_nan=False
        ).encode()
    except UnicodeEncodeError:  # a lone surrogate in the host's context
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def body(
    envelope: Envelope,
    batches: Iterable["pa.RecordBatch"],
    types: Mapping[str, Any],
    *,
    formats: Mapping[str, str] = NO_FORMATS,
) -> Iterator[bytes]:
    """
    Yield the bytes of a body in pieces of some megabytes.

    batches: record batches with a column per field path. types: the column type of each field path,
    or ``AS_JSON``.
    formats: the output format of those that have one. Raise RowCountDiffers at the end if the
    batches do not have ``envelope.row_count`` rows.
    """
    yield own_head(envelope.delivery_id)
    yield from shared(envelope, batches, types, formats=formats)


def own_head(delivery_id: str) -> bytes:
    """Return the first bytes of a body, the only difference between deliveries of the same rows."""
    return dumps({"event": EVENT, "deliveryId": delivery_id})[:-1]


def shared(
    envelope: Envelope,
    batches: Iterable["pa.RecordBatch"],
    types: Mapping[str, Any],
    *,
    formats: Mapping[str, str] = NO_FORMATS,
    unmapped: Unmapped | None = None,
    members: Iterable[bytes] = (),
    parents: Iterable[bytes] | None = None,
) -> Iterator[bytes]:
    """
    Yield the bytes of a body after its own head; they name no delivery.

    members: pieces of further members that are too large for memory, each member beginning with a
    comma. parents: the lines of a nested delivery, instead of those of ``batches``.
    """
    before = envelope.before_rows()
    del before["event"], before["deliveryId"]
    yield b"," + dumps(before)[1:-1] + b',"rows":['
    if parents is None:
        yield from _lines(batches, lambda rows: rows_as_lines(rows, types, formats), envelope)
    else:
        yield from parents
    end = b"\n],"
    if unmapped is not None and unmapped.columns:
        yield b"\n]," + unmapped_opening(unmapped.columns)
        yield from _lines(unmapped.batches, cells_as_lines, envelope)
        end = b"\n]},"
    yield end + dumps(envelope.after_rows())[1:-1]
    yield from members
    yield b"}"


def unmapped_opening(columns: Sequence[str]) -> bytes:
    """Return what precedes the unmapped cells; each of their lines is the array of one row."""
    return b'"unmapped":' + dumps({"columns": list(columns)})[:-1] + b',"rows":['


def _lines(
    batches: Iterable["pa.RecordBatch"],
    written_as: Callable[["pa.RecordBatch"], bytes],
    envelope: Envelope,
) -> Iterator[bytes]:
    """Yield batches a slice at a time. Raise RowCountDiffers at the end."""
    written = 0
    for batch in batches:
        for start in range(0, batch.num_rows, SLICE_ROWS):
            lines = written_as(batch.slice(start, SLICE_ROWS))
            yield lines if written else lines[1:]  # no comma before the first row
            written += min(SLICE_ROWS, batch.num_rows - start)
    if written != envelope.row_count:
        raise RowCountDiffers(
            f"{counted(written, 'row')} written, {envelope.row_count:,} announced"
        )


def padded_body(envelope: Envelope, *, size: int) -> Iterator[bytes]:
    """Yield a body without rows of exactly ``size`` bytes, or of its minimum size if larger."""
    bare = b"".join(body(envelope, [], {}))
    padded = bare[:-1] + b',"padding":"'
    missing = size - len(padded) - len(b'"}')
    if missing < 0:
        yield bare
        return
    yield padded
    for start in range(0, missing, PADDING_BYTES):
        yield b"x" * min(PADDING_BYTES, missing - start)
    yield b'"}'


def digest(
    batches: Iterable["pa.RecordBatch"],
    types: Mapping[str, Any],
    *,
    formats: Mapping[str, str] = NO_FORMATS,
) -> str:
    """Return the sha256, hex, of rows as in a body; the same for any batching of the rows."""
    sha256 = hashlib.sha256()
    for batch in batches:
        for start in range(0, batch.num_rows, SLICE_ROWS):
            sha256.update(rows_as_lines(batch.slice(start, SLICE_ROWS), types, formats))
    return sha256.hexdigest()


def rows_as_lines(
    batch: "pa.RecordBatch", types: Mapping[str, Any], formats: Mapping[str, str]
) -> bytes:
    """Return each row as ``, {...}``, all in one block; creates no Python object per cell."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from deliveries import fragments
    from tabular.types.value_texts import json_texts

    if not batch.num_columns:
        return b",\n{}" * int(batch.num_rows)
    text = pa.large_string()  # wide rows may exceed 2 GB together
    parts: list[Any] = []
    lead = ",\n{"
    for path, values in zip(batch.schema.names, batch.columns, strict=True):
        lead += dumps(path).decode() + ":"
        if types.get(path) == AS_JSON:
            parts += [pa.scalar(lead, text), values.cast(text)]
            lead = ","
        elif path not in formats and (texts := fragments.bare(values)) is not None:
            parts += [pa.scalar(lead + '"', text), texts.cast(text)]
            lead = '",'
        else:
            texts = json_texts(values, types.get(path), formats.get(path))
            parts += [pa.scalar(lead, text), texts.cast(text)]
            lead = ","
    end = lead.removesuffix(",") + "}"
    parts += [pa.scalar(end, text), pa.scalar("", text)]
    rows = pc.binary_join_element_wise(*parts, null_handling="replace", null_replacement="null")
    whole: bytes = fragments.joined(rows).tobytes()
    return whole


def cells_as_lines(batch: "pa.RecordBatch") -> bytes:
    """Return the texts of each row as ``, [...]``, all in one block."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from deliveries import fragments
    from tabular.types.value_texts import json_texts

    text = pa.large_string()
    parts: list[Any] = []
    lead = ",\n["
    for values in batch.columns:
        parts += [pa.scalar(lead, text), json_texts(values, "string").cast(text)]
        lead = ","
    parts += [pa.scalar("]", text), pa.scalar("", text)]
    rows = pc.binary_join_element_wise(*parts, null_handling="replace", null_replacement="null")
    whole: bytes = fragments.joined(rows).tobytes()
    return whole
