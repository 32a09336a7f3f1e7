"""``python -m tabular transform FILE --catalog C.json``: typed rows and what is wrong with them."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
from pydantic import ValidationError

from sandbox.commands.runner import EXIT_PROBLEM, RunJob, existing, run_jobs
from tabular.model.catalog import Catalog, Context
from tabular.model.catalog_findings import check_catalog
from tabular.model.issue import render
from tabular.model.mapping import Mapping
from tabular.model.problem import TabularProblem, UnusableRequest
from tabular.model.recipe import Recipe
from tabular.model.sentences import counted
from tabular.protocol import forms
from tabular.protocol.answers import Answers
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import ReadRequest, TransformRequest
from tabular.protocol.results import ColumnFile, TransformResult
from tabular.protocol.tables import batches, column
from tabular.types.value_texts import json_texts

SHOWN_ISSUES = 20


def run(arguments: list[str]) -> int:
    """Transform the file. Return 0 if that worked, even with invalid rows, 3 on a problem."""
    parser = _parser()
    options = parser.parse_args(arguments)
    given = (options.file, options.catalog, options.mapping, options.recipe, options.answers)
    existing([path for path in given if path is not None], parser)
    with run_jobs(2) as run_one:
        try:
            mapping, result, out = _transformed(run_one, options)
        except TabularProblem as problem:
            return _tell(problem, options)
        _show(out, mapping, result, options)
    return 0


def _tell(problem: TabularProblem, options: argparse.Namespace) -> int:
    if options.json:
        print(json.dumps({"problem": problem.as_dict()}, ensure_ascii=False))
    else:
        print(f"{options.file}: {problem.sentence} ({problem.code})")
    return EXIT_PROBLEM


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tabular transform", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--catalog", type=Path, required=True, help="the catalog, a JSON file")
    parser.add_argument("--mapping", type=Path, help="column to field path, a JSON file")
    parser.add_argument("--recipe", type=Path, help="cleaning steps, a JSON file")
    parser.add_argument("--answers", type=Path, help="answers to questions, a JSON file")
    parser.add_argument("--region", help="country of phone numbers without one, for example DE")
    parser.add_argument(
        "--today",
        type=date.fromisoformat,
        default=datetime.now(UTC).date(),
        help="the day that two-digit years are read from",
    )
    parser.add_argument("--language", default="en", help="language of the messages")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print rows, issues and counts as JSON")
    shape.add_argument("--out", type=Path, help="write the typed rows to a Parquet file")
    return parser


def _transformed(
    run_one: RunJob, options: argparse.Namespace
) -> tuple[Mapping, TransformResult, Path]:
    catalog = _catalog(options.catalog)
    given, answers = _json_of(options.mapping), _answers(options.answers)
    recipe = _recipe(options.recipe)
    proposed, read = run_one(ReadRequest(input=str(options.file.resolve()), catalog=catalog))
    mapping = given or (proposed.proposal.mapping if proposed.proposal else {})
    plan = TransformPlan(
        catalog=catalog,
        mapping=mapping,
        context=Context(today=options.today, region=options.region or None),
        recipe=recipe,
        answers=answers,
        document=proposed.table.document,
        document_kinds=proposed.table.document_kinds,
        delimiter=proposed.table.delimiter,
    )
    result, out = run_one(TransformRequest(input=str(read / "source.arrow"), plan=plan))
    return mapping, result, out


def _answers(path: Path | None) -> Answers:
    given = _json_of(path)
    if path is None or given is None:
        return Answers()
    try:
        return forms.read(Answers, orjson.dumps(given))
    except forms.WrongForm as error:
        raise UnusableRequest(
            "invalid_answers", f"The answers {path.name} cannot be used: {error}."
        ) from error


def _recipe(path: Path | None) -> Recipe | None:
    if path is None:
        return None
    try:
        return Recipe.model_validate_json(path.read_bytes())
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        job_slot = "/".join(map(str, fault["loc"])) or "the whole file"
        raise UnusableRequest(
            "invalid_recipe", f"The recipe {path.name} cannot be used: {job_slot}: {fault['msg']}."
        ) from error


def _catalog(path: Path) -> Catalog:
    checked = check_catalog(path.read_bytes())
    if isinstance(checked, Catalog):
        return checked
    raise UnusableRequest(
        "invalid_catalog",
        f"The catalog {path.name} cannot be used: {checked[0].sentence}",
        errors=[{"pointer": f.pointer, "code": f.code, "detail": f.sentence} for f in checked],
    )


def _json_of(path: Path | None) -> dict[str, Any] | None:
    if path is None:
        return None
    try:
        document = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise UnusableRequest("invalid_json", f"{path.name} is not JSON: {error}.") from error
    if not isinstance(document, dict):
        raise UnusableRequest("invalid_json", f"{path.name} must hold one JSON object.")
    return document


def _show(
    out: Path, mapping: Mapping, result: TransformResult, options: argparse.Namespace
) -> None:
    if options.out:
        _write_parquet(out, result, options.out)
    if options.json:
        issues = list(_issues(out, options.language))
        members = forms.as_json(result)
        kept = ("sourceRows", "skipped", "counts", "questions", "unmatched")
        document = {"mapping": mapping, **{name: members[name] for name in kept}}
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
        f"{result.skipped:,} skipped"
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
