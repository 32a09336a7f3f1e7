"""Show a file's content for the command line: every table with its rows and reasons."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from tabular.model.issue import Question
from tabular.model.problem import TabularProblem
from tabular.model.recognition import Recogniser
from tabular.model.table import Body, Progress, Reading, Table
from tabular.protocol.arrow import keep_pandas_out
from tabular.protocol.files import ShowRequest, ShowResult
from tabular.reading import read

MOST_BYTES = 128 * 1024**2  # of everything shown; a result can hold twice as much

keep_pandas_out()


def show(
    request: ShowRequest, folder: Path, progress: Progress, recogniser: Recogniser | None = None
) -> ShowResult:
    """Read every table of a file."""
    reading = read(
        Path(request.input),
        choices=request.choices,
        limits=request.limits,
        progress=progress,
        recogniser=recogniser,
    )
    return ShowResult(document=reading_as_json(reading, rows=request.rows))


def reading_as_json(reading: Reading, *, rows: int | None = None) -> dict[str, Any]:
    """
    Return a reading in the format of the command line.

    rows: the most rows of each table, or None for all.
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
    """Yield the rows of a body, without its row and page numbers."""
    for batch in body.batches():
        texts = [column.to_pylist() for column in batch.columns[batch.num_columns - columns :]]
        yield from (list(row) for row in zip(*texts, strict=True))


def _table_as_json(table: Table, body: Body, rows: int | None) -> dict[str, Any]:
    kept: list[list[str | None]] = []
    written = 0
    for row in rows_of(body, len(table.columns)):
        if rows is not None and len(kept) >= rows:
            break
        written += len(orjson.dumps(row))
        if written > MOST_BYTES:
            raise TabularProblem(
                "too_large", "The tables are too large to print. Print fewer rows with --rows."
            )
        kept.append(row)
    table, issues = body.outcome()
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
