"""Print documents with office programs and read them back: ``python -m eval printed``."""

from __future__ import annotations

import argparse
import os
import secrets
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

from eval.printed import fitting
from eval.printed.contents import paper_of
from eval.printed.makers import SCRIPTS, MissingProgram, Order, check_font, printer
from eval.printed.papers import KINDS, LOOKS, MAKERS, Kind, Look, Maker, Script
from eval.printed.scores import Cost, Score, score

DOCUMENTS = 240
SHOWN = 40
AIMS = {"exact": 0.90, "first": 0.97, "silent": 0.02}
AIM_OF_EACH = 0.80  # exact, per program and per look
AIM_SECONDS, AIM_MEGABYTES = 0.3, 250  # of a page; of the process that reads
AIM_OF_SCRIPT = 0.70  # exact, for Arabic and for Hebrew


@dataclass(frozen=True, slots=True)
class Job:
    """One document of the run."""

    maker: Maker
    order: Order

    @property
    def name(self) -> str:
        """A name that is unique among the documents."""
        paper = self.order.paper
        return f"{self.maker} {paper.kind} {self.order.look} {paper.script} seed {paper.seed}"


def main(arguments: Sequence[str] = ()) -> int:
    """Print and read the documents of a seed; return 1 if a figure misses its aim."""
    options = options_of(arguments)
    print(f"seed {options.seed} (--seed {options.seed} prints the same documents)", flush=True)
    keep = Path(options.keep) if options.keep else None
    with tempfile.TemporaryDirectory() as made:
        folder = keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        missing: set[str] = set()
        for script in options.scripts:
            try:
                check_font(script)
            except MissingProgram as error:
                missing.add(script)
                print(f"  NOT MEASURED {script}: {error}", flush=True)
        options.scripts = [script for script in options.scripts if script not in missing]
        jobs = list(jobs_of(options, folder)) if options.scripts else []
        unprinted = print_documents(jobs)
        missing |= unprinted
        jobs = [job for job in jobs if job.maker not in unprinted]
        # New processes: their memory is that of reading, without the programs that print.
        with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
            scores = list(pool.map(_scored, jobs, chunksize=4))
    scored = list(zip(jobs, scores, strict=True))
    if options.fit:
        plain = fitting.plain_examples(options.seed)
        return fitting.fit_and_write([*_examples(scored), *plain])
    return max(_report(scored), int(bool(missing)))


def _examples(scored: Sequence[tuple[Job, Score]]) -> Iterator[fitting.Example]:
    for job, result in scored:
        paper = job.order.paper
        if result.features:
            yield fitting.Example(
                paper.seed, paper.script, dict(result.features), result.is_exact, result.is_silent
            )


def print_documents(jobs: Sequence[Job]) -> set[str]:
    """Print the documents; return the programs that are not installed."""
    missing: set[str] = set()
    for maker in dict.fromkeys(job.maker for job in jobs):
        try:
            printer(maker)([job.order for job in jobs if job.maker == maker])
        except MissingProgram as error:
            missing.add(maker)
            print(f"  NOT MEASURED {maker}: {error}", flush=True)
    return missing


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a run; the seed is drawn unless it is given."""
    parser = argparse.ArgumentParser("eval printed", description=__doc__)
    parser.add_argument("--makers", nargs="+", choices=MAKERS, default=MAKERS)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--looks", nargs="+", choices=LOOKS, default=LOOKS)
    parser.add_argument(
        "--scripts", nargs="+", choices=("latin", "arabic", "hebrew", "chinese"), default=("latin",)
    )
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--fit", action="store_true", help="fit when to ask about a table")
    parser.add_argument("--keep", help="a folder that keeps the PDFs")
    return parser.parse_args(arguments)


def jobs_of(options: argparse.Namespace, folder: Path) -> Iterator[Job]:
    """Yield makers, kinds, looks and scripts evenly, each document with a seed of its own."""
    kinds: tuple[Kind, ...] = options.kinds
    looks: tuple[Look, ...] = options.looks
    every = [
        (maker, kind, script)
        for script in options.scripts
        for kind in kinds
        for maker in options.makers
        if script in SCRIPTS[maker]
    ]
    look = cycle(looks)
    for place, (maker, kind, script) in enumerate(islice(cycle(every), options.documents)):
        if place % len(every) == 0:
            next(look)  # a maker and a kind get another look in each round
        yield _job(options.seed + place, maker, kind, script, next(look), folder)


def _job(seed: int, maker: Maker, kind: Kind, script: Script, look: Look, folder: Path) -> Job:
    path = folder / f"{seed}-{maker}-{kind}-{look}-{script}.pdf"
    return Job(maker, Order(paper_of(seed, kind, script), look, path))


def _scored(job: Job) -> Score:
    return score(job.order.paper, job.order.path)


def _report(scored: Sequence[tuple[Job, Score]]) -> int:
    wrong = [(job, result) for job, result in scored if not result.is_exact]
    _report_causes([result for _, result in wrong])
    silent = sum(result.is_silent for _, result in wrong)
    shown = max(SHOWN, silent)  # every silent one
    for job, result in sorted(wrong, key=lambda pair: not pair[1].is_silent)[:shown]:
        kind = "SILENT " if result.is_silent else ""
        print(f"  {kind}{result.cause}: {job.name}: {result.why[:230]}")
    groups: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for job, result in scored:
        groups["by program"][job.maker].append(result)
        groups["by look"][job.order.look].append(result)
        groups["by kind"][job.order.paper.kind].append(result)
        groups["by script"][job.order.paper.script].append(result)
    below = 0
    for title, members in groups.items():
        print(f"\n{title}")
        for name, results in members.items():
            print(f"  {name:12} {_figures(results)}")
            aim = AIM_OF_SCRIPT if name in {"arabic", "hebrew"} else AIM_OF_EACH
            if title in {"by program", "by look", "by script"}:
                below |= _exact(results) < aim
    below |= _report_costs([result.cost for _, result in scored if result.cost])
    latin = [result for job, result in scored if job.order.paper.script == "latin"]
    if latin:
        print(f"\nall, Latin     {_figures(latin)}")
        print(
            f"aims           exact {AIMS['exact']}, first {AIMS['first']}, each {AIM_OF_EACH}, "
            f"wrong and silent at most {AIMS['silent']}"
        )
        below |= _exact(latin) < AIMS["exact"] or _mean(s.is_silent for s in latin) > AIMS["silent"]
        below |= _mean(s.is_first for s in latin) < AIMS["first"]
    return int(below)


def _report_causes(wrong: Sequence[Score]) -> None:
    """Print how many documents each cause makes wrong, and how many of them in silence."""
    counts = Counter(result.cause for result in wrong)
    silent = Counter(result.cause for result in wrong if result.is_silent)
    print(f"{len(wrong)} wrong, {silent.total()} of them silent")
    for cause, count in counts.most_common():
        print(f"  {cause:28} {count}, silent {silent[cause]}")


def _report_costs(costs: Sequence[Cost]) -> bool:
    """Print what reading took; return whether it is more than the aims."""
    seconds = sum(cost.seconds for cost in costs) / max(sum(cost.pages for cost in costs), 1)
    most = max((cost.megabytes for cost in costs), default=0.0)
    pages = sum(cost.pages for cost in costs)
    print(
        f"\ncost           {seconds:.3f} CPU seconds a page of {pages} (aim {AIM_SECONDS}), "
        f"at most {most:.0f} MB in a process (aim {AIM_MEGABYTES})"
    )
    return seconds > AIM_SECONDS or most > AIM_MEGABYTES


def _exact(results: Sequence[Score]) -> float:
    return _mean(result.is_exact for result in results)


def _mean(flags: Iterator[bool]) -> float:
    every = list(flags)
    return sum(every) / max(len(every), 1)


def _figures(results: Sequence[Score]) -> str:
    return (
        f"exact {_exact(results):.3f}  first {_mean(s.is_first for s in results):.3f}  "
        f"rows {_mean(s.has_rows for s in results):.3f}  "
        f"wrong and silent {_mean(s.is_silent for s in results):.3f}  "
        f"warned though exact {_mean(s.is_exact and s.is_reported for s in results):.3f}  "
        f"compared though exact {_mean(s.is_exact and s.is_compared for s in results):.3f}  "
        f"of {len(results)}"
    )
