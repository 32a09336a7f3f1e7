"""Read every field of every row, batch by batch."""

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as ReadOnly
from dataclasses import replace

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from tabular.transforming.cooking import work
from tabular.transforming.plan import Plan
from tabular.transforming.settling import Settled
from tabular.transforming.texts import field_texts
from tabular.transforming.worked import Worked
from tabular.types.countries import alpha_2
from tabular.types.distinct import Memory
from tabular.types.parsed import replaced, tidy, where
from tabular.types.registry import read_tidy
from tabular.types.rows import Finding, TypedRows

Edits = ReadOnly[str, ReadOnly[int, str | None]]


def transform(
    batches: Iterable[pa.RecordBatch], *, plan: Plan, settled: Settled
) -> Iterator[TypedRows]:
    """
    Stream typed rows.

    batches: record batches of the source, ROW_COLUMN first, then one string column per column of
    the file, null for an empty cell. Yields batches of rows with every live field of the catalog.
    """
    first = 0
    settled = remembering(settled)
    for worked in work(batches, plan):
        rows = read_rows(worked, plan=plan, settled=settled, first=first)
        yield rows
        first += len(rows)


def remembering(settled: Settled) -> Settled:
    """Give each field a memory for one pass."""
    return replace(settled, hows={p: replace(h, memory=Memory()) for p, h in settled.hows.items()})


def read_rows(
    worked: Worked,
    *,
    plan: Plan,
    settled: Settled,
    first: int = 0,
    edits: Edits | None = None,
    paths: Collection[str] | None = None,
) -> TypedRows:
    """
    Read every field of some rows, or the fields named by ``paths``.

    edits: per field path the texts that replace those of some rows, by place in the batch.
    """
    rows = TypedRows(first, worked.sources, worked.ordinals, {}, {})
    for path in plan.reading_order:
        if paths is not None and path not in paths:
            continue
        texts = field_texts(worked, path, plan, settled.documents)
        rows.texts[path] = tidy(_edited(texts, (edits or {}).get(path, {})))
        _read_field(rows, path, plan, settled)
    return rows


def _edited(texts: pa.Array, edits: ReadOnly[int, str | None]) -> pa.Array:
    if not edits:
        return texts
    rows = np.array(sorted(edits), np.int64)
    return replaced(texts, rows, pa.array([edits[row] for row in rows.tolist()], pa.string()))


def _read_field(rows: TypedRows, path: str, plan: Plan, settled: Settled) -> None:
    how = settled.hows[path]
    if (country := plan.country_of.get(path)) is not None:
        how = replace(how, regions=alpha_2(rows.values[country]))
    parsed = read_tidy(rows.texts[path], plan.fields[path].column_type, how)
    rows.values[path] = parsed.values
    rows.findings.extend(_document_findings(rows, path, settled))
    for fault in parsed.faults:
        at = fault.rows
        texts = rows.texts[path].take(pa.array(at))
        numbers = at + np.int64(rows.first)
        rows.findings.append(Finding(path, fault.code, fault.severity, numbers, texts))


def _document_findings(rows: TypedRows, path: str, settled: Settled) -> list[Finding]:
    """One document has one value: say where a row holds another."""
    if (first := settled.documents.get(path)) is None:
        return []
    texts = rows.texts[path]
    at = where(pc.not_equal(texts, first))
    if not len(at):
        return []
    params = orjson.dumps({"first": first}).decode()
    found = texts.take(pa.array(at))
    return [Finding(path, "document_differs", "error", at + rows.first, found, params)]
