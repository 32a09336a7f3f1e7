"""The files that an ablation of reading reads: the sets, their truth, and the grade of a result."""

from __future__ import annotations

import csv
import importlib.util
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from eval import adapters
from eval.plain import odd, papers, prints, tables, writers
from eval.printed import command as printed
from eval.printed.makers import MissingProgram, check_font
from eval.printed.papers import Script
from eval.printed.scores import plain
from tabular.job.known_headers import is_header_known
from tabular.model.problem import TabularProblem
from tabular.model.table import Reading
from tabular.reading import read

LONGEST_S = 60  # of reading one file without a rule
SEED = 7_300_000  # of the generated sets: far from the seeds that `eval plain` begins with
FIGURES = ("header", "columns", "rows", "cells", "whole", "silent", "needless")
TEXTS = ("csv", "xlsx", "csv", "html", "csv", "ods", "csv", "xls")
MOST_BYTES = 100_000  # of a text from outside, and
MOST_PAGES = 2  # of a document: larger ones would take most of the time
MOST_PRINTED = 3_000  # of which a sample is printed
T = TypeVar("T")
Rows = list[list[str | None]]
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Grade:
    """
    How right a file was read, each from 0 to 1.

    ``silent``: not all is right, and there is neither an issue nor a question. ``needless``: all is
    right, and there is one.
    """

    header: float = 0.0
    columns: float = 0.0
    rows: float = 0.0
    cells: float = 0.0
    whole: float = 0.0
    silent: float = 0.0
    needless: float = 0.0

    def minus(self, other: Grade) -> Grade:
        """Return the difference of each figure."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Grade(*(mine - theirs for mine, theirs in pairs))


Judge = Callable[[Reading | None], Grade]  # None: the file was refused


@dataclass(frozen=True, slots=True)
class Case:
    """A file of a set, and the judge of what is read from it."""

    of_set: str
    name: str
    path: Path
    judge: Judge

    def grade(self) -> tuple[Grade, float]:
        """Read the file and compare. Returns the seconds of CPU, too."""
        signal.signal(signal.SIGALRM, _too_long)
        signal.alarm(LONGEST_S)
        started = time.process_time()
        try:
            try:
                reading = read(self.path)
                judged = self.judge(reading)
            except TabularProblem:
                return self.judge(None), time.process_time() - started
        except Exception:  # noqa: BLE001 -- without its rule, a reader may fail in any way
            return Grade(silent=1.0), time.process_time() - started
        finally:
            signal.alarm(0)
        return _reported(reading, judged), time.process_time() - started


def _too_long(*_: object) -> None:
    raise TimeoutError


def _reported(reading: Reading, grade: Grade) -> Grade:
    """Add whether a person is asked or told something, and needs to be."""
    names = reading.tables[0].columns
    has_questions = any(not is_header_known(question, names) for question in reading.questions)
    is_reported = has_questions or bool(reading.issues or reading.bodies[0].outcome()[1])
    return replace(
        grade,
        silent=float(grade.whole < 1 and not is_reported),
        needless=float(grade.whole == 1 and is_reported),
    )


def outside_texts(folder: Path, count: int) -> list[Case]:
    """Return text files and workbooks from outside, annotated by people."""
    evaluate = _module(folder / "reading" / "evaluate.py")
    vars(evaluate)["pollock"] = lambda *_: (0.0, {})  # slow, and no figure of ours
    root = folder / "reading" / "dev"
    files = json.loads((root / "manifest.json").read_text("utf-8"))["files"]
    small = [file for file in files if (root / file["file"]).stat().st_size <= MOST_BYTES]

    def judge_of(file: Result) -> Judge:
        def judge(reading: Reading | None) -> Grade:
            result = evaluate.grade(file, str(root), adapters.best_of(reading))
            return Grade(
                header=float(result["header_ok"]),
                columns=float(result["columns_ok"] is not False),
                rows=float(result["rows_ok"]),
                cells=result["cells_ok"] / (result["cells_n"] or 1),
                whole=float(result["all_ok"]),
            )

        return judge

    return [
        Case("outside", file["id"], root / file["file"], judge_of(file))
        for file in spread(small, count)
    ]


def outside_pdfs(folder: Path, count: int) -> list[Case]:
    """Return documents from outside: of a competition, real ones, and some to be refused."""
    evaluate = _module(folder / "pdf" / "evaluate.py")
    root = folder / "pdf" / "dev"
    documents = json.loads((root / "manifest.json").read_text("utf-8"))["documents"]

    def judge_of(document: Result) -> Judge:
        expected = (
            evaluate.load_expected(str(root), document) if document["expect"] == "tables" else []
        )

        def judge(reading: Reading | None) -> Grade:
            read_tables = [] if reading is None else adapters.tables_of(reading)
            if not expected:
                return _all(not read_tables)
            scored = evaluate.best_score(expected, read_tables)
            truth, names = expected[0][0]
            rows = read_tables[0]["rows"] if read_tables else []
            own = len(reading.tables[0].header_rows) if reading else 0
            return Grade(
                header=float(names is None or bool(own) == bool(names)),
                columns=float(scored["header"] is None or scored["header"]),
                rows=float(len(rows) + (names or own) == len(truth)),
                cells=scored["adj_f1"],
                whole=scored["exact"],
            )

        return judge

    return [
        Case("pdf", document["id"], root / document["file"], judge_of(document))
        for document in spread([d for d in documents if d["pages"] <= MOST_PAGES], count)
    ]


def plain_texts(folder: Path, count: int) -> list[Case]:
    """Return plain tables, written in several formats and encodings."""
    seeds = range(SEED, SEED + count)
    cases = []
    for seed, file_format in zip(seeds, cycle(TEXTS), strict=False):
        table = tables.plain_table(seed)
        path = writers.write(table, file_format, folder)
        judge = _judge(table.header, table.records, header_row=0)
        cases.append(Case("plain", f"{seed} {file_format}", path, judge))
    return cases


def odd_texts(folder: Path, count: int) -> list[Case]:
    """Return plain tables with titles, notes, totals, units and the like around or in them."""
    return list(islice(_odd(folder), count))


def _odd(folder: Path) -> Iterator[Case]:
    seed = SEED
    for name in cycle(odd.ODDITIES):
        while (file := odd.odd_file(name, seed)) is None:
            seed += 1
        path = folder / f"odd-{seed}.csv"
        with path.open("w", encoding="utf-8", newline="") as written:
            csv.writer(written, delimiter=";").writerows(file.lines)
        names = [text or f"Column {place}" for place, text in enumerate(file.columns, 1)]
        rows: Rows = [[text or None for text in row] for row in file.rows]
        yield Case("odd", f"{name} {seed}", path, _judge(names, rows, header_row=file.header))
        seed += 1


def plain_papers(folder: Path, count: int) -> list[Case]:
    """Return plain tables, printed with and without lines and wrapped cells."""
    cases = []
    looks = cycle((ruling, wraps) for ruling in papers.RULINGS for wraps in (False, True))
    for seed, (ruling, wraps) in zip(prints.printable(count, SEED), looks, strict=False):
        table = tables.plain_table(seed)
        path = papers.print_table(table, ruling, folder / f"paper-{seed}.pdf", wraps=wraps)
        judge = _judge(table.header, table.records)
        cases.append(Case("papers", f"{seed} {ruling}{' wrapped' * wraps}", path, judge))
    return cases


def printed_papers(folder: Path, count: int) -> list[Case]:
    """Return documents that office programs printed; a program that is missing is named."""
    latin = ["latin"] * 3  # half of the documents
    scripts = ("--scripts", *latin, "arabic", "hebrew", "chinese")
    options = printed.options_of((*scripts, "--seed", str(SEED), "--documents", str(MOST_PRINTED)))
    options.scripts = [script for script in options.scripts if _has_font(script)]
    jobs = spread(list(printed.jobs_of(options, folder)), count)
    missing = printed.print_documents([job for job in jobs if not job.order.path.exists()])
    return [
        Case(
            "printed",
            job.name,
            job.order.path,
            _judge(job.order.paper.main.names, job.order.paper.main.records),
        )
        for job in jobs
        if job.maker not in missing
    ]


def _has_font(script: Script) -> bool:
    try:
        check_font(script)
    except MissingProgram as error:
        print(f"  NOT MEASURED {script}: {error}", flush=True)
        return False
    return True


def _judge(
    names: Sequence[str], rows: Sequence[Sequence[str | None]], *, header_row: int | None = None
) -> Judge:
    """Return the judge of a generated file. header_row: -1 for none; None if any will do."""
    meant = plain([[cell or "" for cell in row] for row in rows])
    wanted = plain([names])
    cells = Counter(cell for row in meant for cell in row)

    def judge(reading: Reading | None) -> Grade:
        if reading is None:
            return Grade()
        table = reading.tables[0]
        last = table.header_rows[-1] if table.header_rows else -1
        body = plain([[c or "" for c in row] for row in adapters.rows_of(reading, 0)])
        held = Counter(cell for row in body for cell in row)
        has_header = last >= 0 if header_row is None else last == header_row
        is_named = header_row == -1 or plain([table.columns]) == wanted
        return Grade(
            header=float(has_header),
            columns=float(is_named),
            rows=float(len(body) == len(meant)),
            cells=(held & cells).total() / max(held.total(), cells.total(), 1),
            whole=float(has_header and is_named and body == meant),
        )

    return judge


def _all(is_right: bool) -> Grade:
    return Grade(*[float(is_right)] * 5)


def spread(files: Sequence[T], count: int) -> list[T]:
    """Return ``count`` of the files, evenly spread; all if there are fewer."""
    if count >= len(files):
        return list(files)
    return [files[place * len(files) // count] for place in range(count)]


def _module(path: Path) -> ModuleType:
    """Load the script of an external test set."""
    spec = importlib.util.spec_from_file_location(f"outside_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    sys.path.insert(0, str(path.parent))  # it imports its neighbors
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
