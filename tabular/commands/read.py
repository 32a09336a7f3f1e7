"""``python -m tabular read FILE...``: what a file holds, for people and as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabular.model.issue import Question
from tabular.model.places import ReadingChoices
from tabular.model.problem import TabularProblem
from tabular.model.sentences import counted
from tabular.model.table import Body, Progress, Reading, Table, silent
from tabular.reading import read

EXIT_PROBLEM = 3
_SHOWN_ROWS = 10
_SHOWN_WIDTH = 24


def run(arguments: list[str]) -> int:
    """Read the files; 0 when each was read, 3 when one of them has a problem."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for path in options.files:
        if not path.is_file():
            parser.error(f"there is no file {path}")
    code = 0
    for path in options.files:
        try:
            reading = read(path, choices=_choices(options), progress=_progress())
            document = reading_as_json(reading, rows=_rows_wanted(options))
        except TabularProblem as problem:
            document = {"problem": problem.as_dict()}
            code = EXIT_PROBLEM
        _show(path, document, options)
    return code


def reading_as_json(reading: Reading, *, rows: int | None = None) -> dict[str, Any]:
    """
    Give a reading in the shape of the command line.

    rows: at most so many rows of each table; None: all of them.
    """
    return {
        "format": reading.file_format,
        "tables": [
            _table_as_json(table, body, rows)
            for table, body in zip(reading.tables, reading.bodies, strict=True)
        ],
        "questions": [_question_as_json(question) for question in reading.questions],
        "issues": [{"code": issue.code, "message": issue.message} for issue in reading.issues],
    }


def rows_of(body: Body, columns: int) -> Iterator[list[str | None]]:
    """Give the rows of a body, without its row and page numbers."""
    for batch in body.batches():
        texts = [column.to_pylist() for column in batch.columns[batch.num_columns - columns :]]
        yield from (list(row) for row in zip(*texts, strict=True))


def _table_as_json(table: Table, body: Body, rows: int | None) -> dict[str, Any]:
    kept: list[list[str | None]] = []
    for row in rows_of(body, len(table.columns)):
        if rows is not None and len(kept) >= rows:
            break
        kept.append(row)
    table, issues = body.settled()
    return {
        "sheet": table.sheet,
        "page": table.page,
        "range": table.range,
        "headerRow": table.header_rows[-1] if table.header_rows else None,
        "headerRows": list(table.header_rows),
        "columns": list(table.columns),
        "rows": kept,
        "rowCount": table.row_count,
        "encoding": table.encoding,
        "delimiter": table.delimiter,
        "confidence": table.confidence,
        "skipped": {
            "preamble": table.skipped.preamble,
            "footer": table.skipped.footer,
            "repeatedHeaders": table.skipped.repeated_headers,
            "units": table.skipped.units,
            "subtotals": table.skipped.subtotals,
            "blank": table.skipped.blank,
            "comments": table.skipped.comments,
        },
        "document": table.document,
        "evidence": [
            {"decision": e.decision, "reason": e.reason, "score": e.score} for e in table.evidence
        ],
        "issues": [
            {"code": i.code, "row": i.row, "column": i.column, "value": i.value} for i in issues
        ],
    }


def _question_as_json(question: Question) -> dict[str, Any]:
    return {
        "kind": question.kind,
        "candidates": [
            {"value": c.value, "label": c.label, "score": c.score} for c in question.candidates
        ],
        "default": question.default,
        "blocking": question.blocking,
    }


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


def _progress() -> Progress:
    return _print_progress if sys.stderr.isatty() else silent


def _print_progress(stage: str, done: int, total: int | None) -> None:
    of = f" of {total:,}" if total else ""
    sys.stderr.write(f"\r\x1b[K{stage} {done:,}{of}" if done else f"\r\x1b[K{stage}")


def _show(path: Path, document: dict[str, Any], options: argparse.Namespace) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
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
