"""
Measure matching on the labelled sets, with the whole vocabulary and with a part of it missing.

``python -m eval matching`` prints, for each set and each share of terms that are taken out of the
vocabulary at random, the figures of the set's own ``evaluate.py`` and how reliable scores are. The
figures without a part of the vocabulary are what to expect of files nobody prepared for.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import cast

from eval.matching.adapting import as_catalog
from tabular.matching import candidate_fields, propose
from tabular.matching.lexicon import lexicon
from tabular.model.mapping import MappingProposal

SETS = ("dev", "second")
SHARES = (0.0, 0.15, 0.35)  # of the terms that are taken out
DRAWS = 3
WORKERS = 2
EDGES = (56, 58, 65, 75, 85, 90, 95, 100)  # scores at which the reliability table is cut
_HEAD = (
    f"{'terms out':>10} {'F1':>6} {'prec.':>6} {'recall':>6} {'asked':>6} {'in vain':>8} "
    f"{'left out rightly':>17}"
)


@dataclass(slots=True)
class Figures:
    """Counts of one pass over a set, and for each proposal its score and whether it was right."""

    counts: Counter[str] = field(default_factory=Counter)
    proposals: list[tuple[float, bool]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Count another pass in."""
        self.counts += other.counts
        self.proposals += other.proposals
        self.errors += other.errors


def main(arguments: list[str]) -> int:
    """Measure every set; ``--verbose`` lists what is wrong with the whole vocabulary."""
    folder = Path(os.environ["EVAL_SETS"]).absolute() / "matching"
    passes = [
        (folder, name, share, draw)
        for name in SETS
        if (folder / name / "manifest.json").exists()
        for share in SHARES
        for draw in range(DRAWS if share else 1)
    ]
    figures: dict[tuple[str, float], Figures] = {}
    # A fresh process each: the vocabulary is read, and thinned, once in its life.
    with multiprocessing.get_context("spawn").Pool(WORKERS, maxtasksperchild=1) as pool:
        measured = pool.starmap(measure, passes, chunksize=1)
    for (_, name, share, _), found in zip(passes, measured, strict=True):
        figures.setdefault((name, share), Figures()).add(found)
    for name in dict.fromkeys(name for name, _ in figures):
        _print(name, {share: found for (of, share), found in figures.items() if of == name})
        if "--verbose" in arguments:
            print("\n".join(figures[name, 0.0].errors))
    return 0


def measure(folder: Path, name: str, share: float, draw: int) -> Figures:
    """Match every file of a set after taking a share of all terms out of the vocabulary."""
    thin_out(share, draw)
    evaluate = _evaluate(folder)
    found = Figures()
    for about, document, header, rows in evaluate.load(str(folder / name)):
        cells = [[row[i] if i < len(row) else None for row in rows] for i in range(len(header))]
        proposal = propose(tuple(header), cells, catalog=as_catalog(document))
        result = {
            "mapping": {column.column: column.field for column in proposal.columns},
            "questions": [
                {"columns": list(q.columns), "candidates": list(candidate_fields(q))}
                for q in proposal.questions
            ],
        }
        counted, errors = evaluate.score_file(about["truth"], result, header)
        found.counts.update(counted.d)
        found.proposals += _reliability(proposal, about["truth"])
        found.errors += [f"  {about['id']:24} {' '.join(map(str, error))}" for error in errors]
    return found


def thin_out(share: float, draw: int) -> None:
    """Take a share of the terms of each language out of this process' vocabulary."""
    drawn = random.Random(f"{share} {draw}")
    for _, terms in sorted(lexicon().terms.items()):
        for key in sorted(terms):
            if drawn.random() < share:
                del cast("dict[str, object]", terms)[key]


def _evaluate(folder: Path) -> ModuleType:
    """Load the judge that belongs to the sets."""
    spec = importlib.util.spec_from_file_location("evaluate", folder / "evaluate.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(folder / "evaluate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _reliability(
    proposal: MappingProposal, truth: Mapping[str, object]
) -> list[tuple[float, bool]]:
    """Give score and rightness of each proposal for a column whose truth is not ambiguous."""
    return [
        (column.score, column.field == truth[column.column])
        for column in proposal.columns
        if column.field and not isinstance(truth[column.column], dict)
    ]


def _print(name: str, by_share: Mapping[float, Figures]) -> None:
    print(f"\n{name}\n{_HEAD}")
    for share, found in by_share.items():
        n = found.counts
        precision, recall = _ratio(n["stp"], n["spred"]), _ratio(n["stp"], n["pos"])
        f1 = _ratio(2 * n["stp"], n["spred"] + n["pos"])
        asked, vain = _ratio(n["amb_asked"], n["amb"]), _ratio(n["falseq"], n["cols"])
        rightly = _ratio(n["tn"], n["predneg"])
        print(
            f"{share:>10.0%} {f1:>6.3f} {precision:>6.3f} {recall:>6.3f} {asked:>6.3f} "
            f"{vain:>8.3f} {rightly:>17.3f}"
        )
    print("score: share of proposals that are right (how many)")
    for share, found in by_share.items():
        print(f"{share:>10.0%}  " + "  ".join(_bins(found.proposals)))


def _bins(proposals: list[tuple[float, bool]]) -> list[str]:
    shown = []
    for low, high in zip(EDGES, (*EDGES[1:], 101), strict=True):
        inside = [right for score, right in proposals if low <= score < high]
        if inside:
            shown.append(f"{low}: {_ratio(sum(inside), len(inside)):.2f} ({len(inside):,})")
    return shown


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
