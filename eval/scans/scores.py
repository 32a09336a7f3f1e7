"""The cells of a scanned table, compared with those that were printed."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz import fuzz

from eval.printed.papers import Paper
from eval.printed.scores import plain
from tabular.job.recognising import RecognitionProcess
from tabular.model.problem import Limits, TabularProblem
from tabular.model.recognition import Recognition
from tabular.model.table import CONFIDENCE_COLUMN
from tabular.reading import read
from tabular.transforming.step_rows import SURE

LIKE = 40  # per cent of a row's letters, from which two rows are the same one


@dataclass(frozen=True, slots=True)
class Score:
    """
    The result for one document: cells of its main table, and CPU seconds.

    marked: wrong cells below the confidence. silent: wrong ones that are not, in a table without
    any other issue. alarms: right cells below the confidence.
    """

    cells: int
    right: int = 0
    marked: int = 0
    silent: int = 0
    alarms: int = 0
    seconds: float = 0.0
    pages: int = 1
    why: str = ""
    sure: tuple[tuple[int, bool], ...] = field(default=())  # confidence, whether right


def score(paper: Paper, path: Path, recognition: Recognition, pages: int) -> Score:
    """Read a scan and compare its first table with the main one."""
    meant = plain(paper.main.records)
    cells = sum(map(len, meant))
    started, before = time.process_time(), _of_children()
    process = RecognitionProcess(recognition, Limits(), strict=False)
    try:
        reading = read(path, recogniser=process)
    except TabularProblem as problem:
        return Score(cells, pages=pages, why=f"refused: {problem.code}")
    finally:
        process.end()
        seconds = time.process_time() - started + _of_children() - before
    body = reading.bodies[0]
    width = len(body.outcome()[0].columns)
    rows: list[list[str]] = []
    sure: list[list[int]] = []
    for batch in body.batches():
        columns = [column.to_pylist() for column in batch.columns[batch.num_columns - width :]]
        rows += [[cell or "" for cell in row] for row in zip(*columns, strict=True)]
        confidences = batch[CONFIDENCE_COLUMN].to_pylist()
        sure += [[100 if item is None else item for item in row] for row in confidences]
    is_reported = bool(body.outcome()[1] or reading.issues or len(reading.questions) > 1)
    return _compared(meant, plain(rows), sure, is_reported, seconds, pages)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _compared(
    meant: list[list[str]],
    rows: list[list[str]],
    sure: list[list[int]],
    is_reported: bool,
    seconds: float,
    pages: int,
) -> Score:
    cells = sum(map(len, meant))
    right = marked = silent = alarms = 0
    why = ""
    seen: list[tuple[int, bool]] = []
    pairs = dict(_aligned(meant, rows))
    for number, wanted in enumerate(meant):
        if (at := pairs.get(number)) is None or len(rows[at]) != len(wanted):
            silent += 0 if is_reported else len(wanted)
            why = why or f"row {number} {wanted} is {rows[at] if at is not None else 'missing'}"
            continue
        for place, (cell, got) in enumerate(zip(wanted, rows[at], strict=True)):
            doubted = sure[at][place] < SURE
            seen.append((sure[at][place], cell == got))
            if cell == got:
                right += 1
                alarms += doubted
            else:
                marked += doubted
                silent += not doubted and not is_reported
                why = why or f"row {number}: {got!r} is not {cell!r} ({sure[at][place]} %)"
    return Score(cells, right, marked, silent, alarms, seconds, pages, why, tuple(seen))


def _aligned(meant: Sequence[list[str]], rows: Sequence[list[str]]) -> list[tuple[int, int]]:
    """Return pairs of rows that are the same, in order, by the likeness of their texts."""
    like = [[fuzz.ratio(" ".join(m), " ".join(r)) for r in rows] for m in meant]
    best = [[0.0] * (len(rows) + 1) for _ in range(len(meant) + 1)]
    for m in range(len(meant) - 1, -1, -1):
        for r in range(len(rows) - 1, -1, -1):
            pair = like[m][r] + best[m + 1][r + 1] if like[m][r] >= LIKE else 0.0
            best[m][r] = max(pair, best[m + 1][r], best[m][r + 1])
    pairs, m, r = [], 0, 0
    while m < len(meant) and r < len(rows):
        if like[m][r] >= LIKE and best[m][r] == like[m][r] + best[m + 1][r + 1]:
            pairs.append((m, r))
            m, r = m + 1, r + 1
        elif best[m][r] == best[m + 1][r]:
            m += 1
        else:
            r += 1
    return pairs


def workers() -> int:
    """Return how many documents are read at once."""
    return os.cpu_count() or 1
