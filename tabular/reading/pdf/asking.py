"""When it is a close call which table is meant, the person is asked."""

from __future__ import annotations

from collections.abc import Sequence

from tabular.model.question import Candidate, Question
from tabular.model.wording import counted
from tabular.reading.pdf.body import PdfBody
from tabular.reading.pdf.stitching import Stitched

CLOSE = 0.75  # of the best table's score: a table this good may be the one that is meant
MOST_CANDIDATES = 8
NAMES_SHOWN = 6


def table_questions(tables: Sequence[Stitched], bodies: Sequence[PdfBody]) -> tuple[Question, ...]:
    """Ask which table to import if another one scores nearly as well as the best."""
    best = tables[0].score
    close = [index for index, table in enumerate(tables) if table.score >= CLOSE * best]
    if len(close) < 2:
        return ()
    candidates = tuple(
        Candidate(
            value=index,
            label=_label(bodies[index]),
            score=round(100 * tables[index].score / best, 1),
            effect=f"{counted(len(bodies[index].rows), 'row is', 'rows are')} imported",
        )
        for index in close[:MOST_CANDIDATES]
    )
    evidence = tuple(f"{table.range}: score {table.score:.0f}" for table in tables[: len(close)])
    return (Question(kind="table", candidates=candidates, evidence=evidence, default=0),)


def _label(body: PdfBody) -> str:
    names = body.table.columns
    more = ", ..." if len(names) > NAMES_SHOWN else ""
    return f"Page {body.table.page}: {', '.join(names[:NAMES_SHOWN])}{more}"
