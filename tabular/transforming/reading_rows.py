"""
Read every field of every row, batch by batch.

The fields of a batch are read in parallel: array kernels release the interpreter, so a second core
takes half of them. The output and its order do not depend on the number of cores.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from collections.abc import Mapping as ReadOnly
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.defect import Defect, contained
from tabular.model.issue import NAMED
from tabular.model.table import Kind, kind_of
from tabular.protocol.plan import TransformPlan
from tabular.transforming.executing import execute
from tabular.transforming.inferred import Inferred
from tabular.transforming.step_rows import StepRows, split_flaws
from tabular.transforming.texts import field_kinds, field_texts
from tabular.types.distinct import Memory
from tabular.types.families.codes import alpha_2
from tabular.types.kinds import read_cells, typed_again
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import tidy
from tabular.types.registry import arrow_type, read_tidy
from tabular.types.rows import Finding, TypedRows, not_checked
from tabular.values.arrays import replaced, where
from tabular.values.signs import decimals_of

_MOST_THREADS = 4  # more cores than that have other files to read

Edits = ReadOnly[str, ReadOnly[int, str | None]]


def transform(
    batches: Iterable[pa.RecordBatch], *, plan: TransformPlan, inferred: Inferred
) -> Iterator[TypedRows]:
    """
    Yield typed rows.

    batches: record batches of the source, ROW_COLUMN first, then one string column per column of
    the file, null for an empty cell. Yields batches of rows with every live field of the catalog.
    """
    first = 0
    inferred = remembering(inferred)
    with ThreadPoolExecutor(min(_MOST_THREADS, len(os.sched_getaffinity(0)))) as pool:
        ahead: _Started | None = None
        for step_rows in execute(batches, plan):
            started = _start(step_rows, plan, inferred, first=first, submit=pool.submit)
            if ahead is not None:
                yield ahead.rows()
            ahead = started
            first += len(step_rows.sources)
        if ahead is not None:
            yield ahead.rows()


def remembering(inferred: Inferred) -> Inferred:
    """Return the settings with a memory for each field, for one pass."""
    return replace(
        inferred,
        parse_options={p: replace(h, memory=Memory()) for p, h in inferred.parse_options.items()},
    )


def read_rows(
    step_rows: StepRows,
    *,
    plan: TransformPlan,
    inferred: Inferred,
    first: int = 0,
    edits: Edits | None = None,
    paths: Collection[str] | None = None,
) -> TypedRows:
    """
    Read every field of some rows, or the fields in ``paths``.

    edits: per field path, the texts that replace those of some rows, by position in the batch.
    """
    return _start(step_rows, plan, inferred, first=first, edits=edits, paths=paths).rows()


@dataclass(frozen=True, slots=True)
class _Cells:
    """One field of a batch, read."""

    texts: pa.Array
    values: pa.Array
    findings: tuple[Finding, ...]
    kinds: pa.Array | None = None
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True, slots=True)
class _Started:
    """A batch whose fields are being read."""

    first: int
    step_rows: StepRows
    fields: dict[str, Future[_Cells]]

    def rows(self) -> TypedRows:
        """Wait for every field, and return the rows."""
        rows = TypedRows(self.first, self.step_rows.sources, self.step_rows.ordinals, {}, {})
        for path, future in self.fields.items():
            cells = future.result()
            rows.texts[path], rows.values[path] = cells.texts, cells.values
            rows.findings.extend(cells.findings)
            rows.defects.extend(cells.defects)
            if cells.kinds is not None:
                rows.kinds[path] = cells.kinds
        return rows


Submit = Callable[..., "Future[_Cells]"]


def _at_once(read: Callable[..., _Cells], *arguments: object) -> Future[_Cells]:
    done: Future[_Cells] = Future()
    done.set_result(read(*arguments))
    return done


def _start(
    step_rows: StepRows,
    plan: TransformPlan,
    inferred: Inferred,
    *,
    first: int,
    edits: Edits | None = None,
    paths: Collection[str] | None = None,
    submit: Submit = _at_once,
) -> _Started:
    fields: dict[str, Future[_Cells]] = {}
    for path in plan.reading_order:
        if paths is not None and path not in paths:
            continue
        changed = (edits or {}).get(path, {})
        country = plan.country_of.get(path)
        # Its country was submitted before it, so this waits for running work.
        beside = None if country is None else fields[country]
        field = _Field(path, plan, inferred, first)
        fields[path] = submit(field.read, step_rows, changed, beside)
    return _Started(first, step_rows, fields)


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a batch whose first row has the number ``first``."""

    path: str
    plan: TransformPlan
    inferred: Inferred
    first: int

    def read(
        self, step_rows: StepRows, edits: ReadOnly[int, str | None], country: Future[_Cells] | None
    ) -> _Cells:
        """Read the field. If our own code fails, its cells are empty, with an issue."""
        texts = field_texts(step_rows, self.path, self.plan, self.inferred.documents)
        texts = tidy(_edited(texts, edits))
        defects: list[Defect] = []
        with contained(self.path, "read", defects):
            return self._read(step_rows, texts, edits, country)
        type_ = arrow_type(self.plan.fields[self.path], self.inferred.parse_options[self.path])
        finding = not_checked(self.path, texts, first=self.first)
        return _Cells(texts, pa.nulls(len(texts), type_), (finding,), defects=tuple(defects))

    def _read(
        self,
        step_rows: StepRows,
        texts: pa.Array,
        edits: ReadOnly[int, str | None],
        country: Future[_Cells] | None,
    ) -> _Cells:
        path, parse_options = self.path, self.inferred.parse_options[self.path]
        if country is not None:
            parse_options = replace(parse_options, regions=alpha_2(country.result().values))
        type_ = self.plan.fields[path].column_type
        kinds = field_kinds(step_rows, path, self.plan, self.inferred.documents)
        if kinds is None:
            parsed = read_tidy(texts, type_, parse_options)
        else:
            kinds = _edited(kinds, dict.fromkeys(edits, Kind.TEXT))
            parsed = read_cells(texts, kinds, type_, parse_options)
        findings = [
            Finding(
                path,
                f.code,
                f.severity,
                f.rows + np.int64(self.first),
                texts.take(pa.array(f.rows)),
                _named(f.code, parse_options),
            )
            for f in parsed.faults
        ]
        beside = (*self._doubted(step_rows, texts, edits), *self._flawed(step_rows, edits))
        all_findings = (*self._document(texts, kinds), *beside, *findings)
        return _Cells(texts, parsed.values, all_findings, kinds)

    def _doubted(
        self, step_rows: StepRows, texts: pa.Array, edits: ReadOnly[int, str | None]
    ) -> tuple[Finding, ...]:
        """Return findings for cells of a picture that may have been recognised wrongly."""
        if not step_rows.doubts:
            return ()
        origins = self.plan.origins_of(self.path)
        doubted = {row for name in origins for row in step_rows.doubts.get(name, ())}
        mask = np.isin(step_rows.sources.to_numpy(), np.array(sorted(doubted), np.int64))
        mask[list(edits)] = False  # a person has looked at these
        at = np.flatnonzero(mask & texts.is_valid().to_numpy(zero_copy_only=False))
        if not len(at):
            return ()
        doubtful = texts.take(pa.array(at))
        rows = at + np.int64(self.first)
        return (Finding(self.path, "recognised_doubtfully", "warning", rows, doubtful),)

    def _flawed(self, step_rows: StepRows, edits: ReadOnly[int, str | None]) -> tuple[Finding, ...]:
        """Return findings for cells that a step of the recipe could not make."""
        column = self.plan.columns_by_path.get(self.path)
        if column not in step_rows.flaws:
            return ()
        mask = step_rows.flaws[column].is_valid().to_numpy(zero_copy_only=False).copy()
        mask[list(edits)] = False
        rows = np.flatnonzero(mask)
        codes, texts = split_flaws(step_rows.flaws[column].take(pa.array(rows)))
        return tuple(
            Finding(self.path, code, "error", rows[at] + np.int64(self.first), texts.take(at))
            for code in dict.fromkeys(codes)
            if len(at := np.flatnonzero(np.array(codes) == code))
        )

    def _document(self, texts: pa.Array, kinds: pa.Array | None) -> tuple[Finding, ...]:
        """Return findings for rows with another value than the document's."""
        if (first := self.inferred.documents.get(self.path)) is None:
            return ()
        type_, parse_options = (
            self.plan.fields[self.path].column_type,
            self.inferred.parse_options[self.path],
        )
        kind = pa.array([kind_of(first)], pa.int8())
        typed = typed_again(pa.array([str(first)], pa.string()), kind, type_, parse_options)[0]
        at = where(pc.not_equal(typed_again(texts, kinds, type_, parse_options), typed))
        if not len(at):
            return ()
        params = orjson.dumps({"first": typed.as_py()}).decode()
        documents = texts.take(pa.array(at))
        rows = at + np.int64(self.first)
        return (Finding(self.path, "document_differs", "error", rows, documents, params),)


def _named(code: str, parse_options: ParseOptions) -> str | None:
    """Return the params of an issue whose message names the currency of the field."""
    if not parse_options.currency or code not in NAMED:
        return None
    decimals = decimals_of(parse_options.currency)
    return orjson.dumps({"currency": parse_options.currency, "decimals": decimals}).decode()


def _edited(cells: pa.Array, edits: ReadOnly[int, str | int | None]) -> pa.Array:
    if not edits:
        return cells
    rows = np.array(sorted(edits), np.int64)
    return replaced(cells, rows, pa.array([edits[row] for row in rows.tolist()], cells.type))
