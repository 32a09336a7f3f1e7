"""``python -m tabular read FILE...``: what a file holds, for people and as JSON."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from sandbox.commands.runner import EXIT_PROBLEM, existing, run_jobs
from tabular.model.places import ReadingChoices
from tabular.model.problem import TabularProblem
from tabular.model.sentences import counted
from tabular.protocol.files import ShowRequest

_SHOWN_ROWS = 10
_SHOWN_WIDTH = 24


def run(arguments: list[str]) -> int:
    """Read the files. Return 0 if each was read, 3 if any of them has a problem."""
    parser = _parser()
    options = parser.parse_args(arguments)
    code = 0
    with run_jobs(len(options.files)) as run_one:
        for path in existing(options.files, parser):
            request = ShowRequest(
                input=str(path.resolve()), choices=_choices(options), rows=_rows_wanted(options)
            )
            try:
                document = run_one(request)[0].document
            except TabularProblem as problem:
                document = {"problem": problem.as_dict()}
                code = EXIT_PROBLEM
            _show(path, document, options)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tabular read", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print one JSON document a file")
    shape.add_argument("--jsonl", action="store_true", help="print one JSON document a line")
    parser.add_argument("--rows", type=int, help="print at most so many rows of each table")
    parser.add_argument("--encoding", help="the encoding, when it is known")
    parser.add_argument("--delimiter", help="the delimiter, when it is known")
    parser.add_argument("--header-row", type=int, help="the header row, 0-based; -1: none")
    parser.add_argument("--password", help="the password of the file")
    return parser


def _choices(options: argparse.Namespace) -> ReadingChoices:
    header_rows: tuple[int, ...] | None = None
    if options.header_row is not None:
        header_rows = () if options.header_row < 0 else (options.header_row,)
    return ReadingChoices(
        header_rows=header_rows,
        encoding=options.encoding,
        delimiter=options.delimiter,
        password=options.password,
    )


def _rows_wanted(options: argparse.Namespace) -> int | None:
    if options.rows is not None or options.json or options.jsonl:
        wanted: int | None = options.rows
        return wanted
    return _SHOWN_ROWS


def _show(path: Path, document: dict[str, Any], options: argparse.Namespace) -> None:
    if options.jsonl:
        print(json.dumps({"file": str(path), **document}, ensure_ascii=False))
    elif options.json:
        print(json.dumps(document, ensure_ascii=False, indent=2))
    elif "problem" in document:
        print(f"{path}: {document['problem']['detail']} ({document['problem']['code']})")
    else:
        for number, table in enumerate(document["tables"]):
            _print_table(path, number, table)


def _print_table(path: Path, number: int, table: dict[str, Any]) -> None:
    where = table["sheet"] or (f"page {table['page']}" if table["page"] else path.name)
    header = "no header" if table["headerRow"] is None else f"header in row {table['headerRow']}"
    rows = "" if table["rowCount"] is None else f"{counted(table['rowCount'], 'row')}, "
    print(f"table {number}, {where}: {rows}{counted(len(table['columns']), 'column')}, {header}")
    for row in (table["columns"], *table["rows"]):
        print("  " + " | ".join(_shortened(cell) for cell in row))
    for reason in table["evidence"]:
        print(f"  {reason['decision']}: {reason['reason']}")
    print()


def _shortened(cell: str | None) -> str:
    text = " ".join((cell or "").split())
    return text if len(text) <= _SHOWN_WIDTH else text[: _SHOWN_WIDTH - 1] + "…"
