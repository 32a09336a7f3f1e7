"""``python -m tabular transform FILE --catalog C.json``: typed rows and what is wrong with them."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from tabular.job.read import read
from tabular.job.transform import transform
from tabular.model.catalog import Catalog, Context
from tabular.model.catalog_findings import check_catalog
from tabular.model.issue import render
from tabular.model.mapping import Mapping
from tabular.model.problem import TabularProblem, UnusableRequest
from tabular.model.recipe import Recipe
from tabular.model.sentences import counted
from tabular.model.table import Progress, silent
from tabular.protocol import forms
from tabular.protocol.requests import ReadRequest, TransformRequest, WrittenPlan
from tabular.protocol.results import ColumnFile, TransformResult
from tabular.protocol.tables import batches, column
from tabular.types.value_texts import json_texts

EXIT_PROBLEM = 3
SHOWN_ISSUES = 20


def run(arguments: list[str]) -> int:
    """Transform the file; 0 when it was, whatever its rows are like, 3 when it has a problem."""
    options = _parser().parse_args(arguments)
    progress = _print_progress if sys.stderr.isatty() else silent
    with tempfile.TemporaryDirectory() as folder:
        try:
            mapping, result = _transformed(Path(folder), options, progress)
        except TabularProblem as problem:
            print(json.dumps({"problem": problem.as_dict()}, ensure_ascii=False))
            return EXIT_PROBLEM
        _show(Path(folder) / "out", mapping, result, options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tabular transform", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--catalog", type=Path, required=True, help="the catalog, a JSON file")
    parser.add_argument("--mapping", type=Path, help="column to field path, a JSON file")
    parser.add_argument("--recipe", type=Path, help="cleaning steps, a JSON file")
    parser.add_argument("--answers", type=Path, help="answers to questions, a JSON file")
    parser.add_argument("--region", help="country of phone numbers without one, for example DE")
    parser.add_argument("--today", help="the day that two-digit years are read from")
    parser.add_argument("--language", default="en", help="language of the messages")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print rows, issues and counts as JSON")
    shape.add_argument("--out", type=Path, help="write the typed rows to a Parquet file")
    return parser


def _transformed(
    folder: Path, options: argparse.Namespace, progress: Progress
) -> tuple[Mapping, TransformResult]:
    (folder / "out").mkdir()
    catalog = _catalog(options.catalog)
    found = read(ReadRequest(input=str(options.file), catalog=catalog), folder, progress)
    mapping = _json_of(options.mapping) or (found.proposal.mapping if found.proposal else {})
    today = options.today or datetime.now(UTC).date().isoformat()
    recipe = options.recipe and Recipe.model_validate_json(options.recipe.read_bytes())
    plan = WrittenPlan(
        catalog=catalog,
        mapping=mapping,
        context=Context(today=date.fromisoformat(today), region=options.region or None),
        recipe=recipe,
        answers=_json_of(options.answers) or {},
        document=found.table.document,
        document_kinds=found.table.document_kinds,
        delimiter=found.table.delimiter,
    )
    request = TransformRequest(input=str(folder / "out" / "source.arrow"), plan=plan)
    return mapping, transform(request, folder, progress)


def _catalog(path: Path) -> Catalog:
    checked = check_catalog(path.read_bytes())
    if isinstance(checked, Catalog):
        return checked
    raise UnusableRequest(
        "invalid_catalog",
        f"The catalog {path.name} cannot be used: {checked[0].sentence}",
        errors=[{"pointer": f.pointer, "code": f.code, "detail": f.sentence} for f in checked],
    )


def _json_of(path: Path | None) -> Any:
    return None if path is None else orjson.loads(path.read_bytes())


def _show(
    out: Path, mapping: Mapping, result: TransformResult, options: argparse.Namespace
) -> None:
    if options.out:
        _write_parquet(out, result, options.out)
    if options.json:
        issues = list(_issues(out, options.language))
        told = forms.as_json(result)
        kept = ("sourceRows", "skipped", "counts", "questions", "unmatched")
        document = {"mapping": mapping, **{name: told[name] for name in kept}}
        print(json.dumps({**document, "issues": issues, "rows": _rows(out, result)}))
        return
    _print_summary(out, mapping, result, options)


def _rows(out: Path, result: TransformResult) -> list[dict[str, Any]]:
    columns = {column.field: _json_values(out, column) for column in result.columns}
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def _json_values(out: Path, described: ColumnFile) -> list[Any]:
    written = (
        json_texts(chunk, described.column_type, described.output_format).to_pylist()
        for chunk in column(out / described.file).chunks
    )
    return [None if text is None else orjson.loads(text) for texts in written for text in texts]


def _issues(out: Path, language: str) -> Any:
    for batch in batches(out / "issues.arrow"):
        for issue in batch.to_pylist():
            params = orjson.loads(issue.pop("params") or "{}")
            shown = params | {"value": issue["value"], "field": issue["field"], "row": issue["row"]}
            message, hint = render(issue["code"], shown, language=language)
            yield {**issue, "message": message, "hint": hint}


def _write_parquet(out: Path, result: TransformResult, target: Path) -> None:
    import pyarrow.parquet as pq

    streams = [batches(out / file) for file in result.file_of.values()]
    fields = list(result.file_of)
    writer: pq.ParquetWriter | None = None
    for parts in zip(*streams, strict=True):
        table = pa.table(dict(zip(fields, (part.column(0) for part in parts), strict=True)))
        writer = writer or pq.ParquetWriter(target, table.schema)
        writer.write_table(table)
    if writer:
        writer.close()


def _print_summary(
    out: Path, mapping: Mapping, result: TransformResult, options: argparse.Namespace
) -> None:
    counts = result.counts
    print(
        f"{counted(counts.rows, 'row')}: {counts.valid:,} valid, "
        f"{counts.warning:,} with warnings, {counts.error:,} with errors; "
        f"{result.skipped:,} left out"
    )
    for column_, path in mapping.items():
        print(f"  {column_} -> {path}")
    for code, count in sorted(counts.by_code.items(), key=lambda entry: -entry[1]):
        print(f"{count:>9,}  {code}")
    for number, issue in enumerate(_issues(out, options.language)):
        if number == SHOWN_ISSUES:
            print("  ...")
            break
        print(f"  row {issue['row'] + 1}, {issue['field']}: {issue['message']}")


def _print_progress(stage: str, done: int, total: int | None) -> None:
    of = f" of {total:,}" if total else ""
    sys.stderr.write(f"\r\x1b[K{stage} {done:,}{of}")
