"""
Measure matching on the labelled sets, with the whole vocabulary and with parts missing.

``python -m eval matching`` prints, for each set and each share of terms removed from the vocabulary
at random, the figures of the set's own ``evaluate.py`` and the reliability of the scores. The
figures with a reduced vocabulary predict the results for unknown files, and so do those of ``python
-m eval.fit --left-out``: each catalog with weights that were fitted without it.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import cast

from eval.matching.adapter import as_catalog
from eval.matching.outcomes import LabelledFile
from tabular.matching import candidate_fields, propose
from tabular.matching.weighing import Model
from tabular.model.catalog import Catalog
from tabular.model.mapping import MappingProposal
from tabular.vocabulary.lexicon import lexicon

SETS = ("dev", "second")
SHARES = (0.0, 0.15, 0.35)  # of the removed terms
DRAWS = 3
WORKERS = 2
SHIPPED: Mapping[str, Model] = {}
EDGES = (0, 35, 45, 55, 65, 75, 85, 95, 99)  # bounds of the scores in the reliability table
_HEAD = (
    f"{'terms out':>10} {'F1':>6} {'prec.':>6} {'recall':>6} {'asked':>6} {'needless':>8} "
    f"{'left out rightly':>17}"
)


@dataclass(slots=True)
class Figures:
    """Counts of one pass over a set, and for each proposal its score and whether it was right."""

    counts: Counter[str] = field(default_factory=Counter)
    proposals: list[tuple[float, bool]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Add the counts of another pass."""
        self.counts += other.counts
        self.proposals += other.proposals
        self.errors += other.errors


def main(arguments: list[str]) -> int:
    """Measure every set; ``--verbose`` lists the errors with the whole vocabulary."""
    folder = Path(os.environ["EVAL_SETS"]).absolute() / "matching"
    report(folder, SHIPPED, is_verbose="--verbose" in arguments)
    return 0


def report(folder: Path, models: Mapping[str, Model], *, is_verbose: bool = False) -> None:
    """Print the figures of every set, with per-catalog models if there are some."""
    passes = [
        (folder, name, share, draw, models)
        for name in SETS
        if (folder / name / "manifest.json").exists()
        for share in SHARES
        for draw in range(DRAWS if share else 1)
    ]
    figures: dict[tuple[str, float], Figures] = {}
    # A fresh process each, because the vocabulary is read and reduced once per process.
    with multiprocessing.get_context("spawn").Pool(WORKERS, maxtasksperchild=1) as pool:
        measured = pool.starmap(measure, passes, chunksize=1)
    for (_, name, share, _, _), figure in zip(passes, measured, strict=True):
        figures.setdefault((name, share), Figures()).add(figure)
    for name in dict.fromkeys(name for name, _ in figures):
        _print(name, {share: figure for (of, share), figure in figures.items() if of == name})
        if is_verbose:
            print("\n".join(figures[name, 0.0].errors))


def measure(
    folder: Path, name: str, share: float, draw: int, models: Mapping[str, Model] = SHIPPED
) -> Figures:
    """
    Match every file of a set after removing a share of all terms from the vocabulary.

    models: by set and catalog, used instead of the shipped model.
    """
    thin_out(share, draw)
    evaluate = _evaluate(folder)
    figures = Figures()
    for file in labelled_files(folder, name):
        model = models.get(f"{name}/{file.catalog_name}")
        proposal = propose(file.header, file.cells, catalog=file.catalog, model=model)
        result = {
            "mapping": {column.column: column.field for column in proposal.columns},
            "questions": [
                {"columns": list(q.columns), "candidates": list(candidate_fields(q))}
                for q in proposal.questions
            ],
        }
        counted, errors = evaluate.score_file(file.truth, result, file.header)
        figures.counts.update(counted.d)
        figures.proposals += _reliability(proposal, file.truth)
        figures.errors += [f"  {file.about:24} {' '.join(map(str, error))}" for error in errors]
    return figures


def labelled_files(
    folder: Path, name: str, *, shuffled: bool = False, halved: bool = False
) -> Iterator[LabelledFile]:
    """Yield the files of a set; with shuffled columns, or half of the fields, if wanted."""
    for about, document, header, rows in _evaluate(folder).load(str(folder / name)):
        drawn = random.Random(about["id"])
        order = list(range(len(header)))
        if shuffled:
            drawn.shuffle(order)
        yield LabelledFile(
            about["id"],
            about["catalog"],
            _half(as_catalog(document), drawn) if halved else as_catalog(document),
            tuple(header[i] for i in order),
            [[row[i] if i < len(row) else None for row in rows] for i in order],
            about["truth"],
        )


def _half(catalog: Catalog, drawn: random.Random) -> Catalog:
    """Return a catalog with each field removed with probability 1/2, except one of each entry."""
    entries = (
        entry.model_copy(
            update={
                "fields": tuple(f for f in entry.fields if drawn.random() < 0.5) or entry.fields[:1]
            }
        )
        for entry in catalog.entries
    )
    return catalog.model_copy(update={"entries": tuple(entries)})


def thin_out(share: float, draw: int) -> None:
    """Remove a share of the terms of each language from this process's vocabulary."""
    drawn = random.Random(f"{share} {draw}")
    for _, terms in sorted(lexicon().terms.items()):
        for key in sorted(terms):
            if drawn.random() < share:
                del cast("dict[str, object]", terms)[key]


def _evaluate(folder: Path) -> ModuleType:
    """Load the evaluation code of the sets."""
    spec = importlib.util.spec_from_file_location("evaluate", folder / "evaluate.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(folder / "evaluate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _reliability(
    proposal: MappingProposal, truth: Mapping[str, object]
) -> list[tuple[float, bool]]:
    """Return score and correctness of each proposal for a column with an unambiguous truth."""
    return [
        (column.score, column.field == truth[column.column])
        for column in proposal.columns
        if column.field and not isinstance(truth[column.column], dict)
    ]


def _print(name: str, by_share: Mapping[float, Figures]) -> None:
    print(f"\n{name}\n{_HEAD}")
    for share, figure in by_share.items():
        n = figure.counts
        precision, recall = _ratio(n["stp"], n["spred"]), _ratio(n["stp"], n["pos"])
        f1 = _ratio(2 * n["stp"], n["spred"] + n["pos"])
        asked_share, vain = _ratio(n["amb_asked"], n["amb"]), _ratio(n["falseq"], n["cols"])
        rightly = _ratio(n["tn"], n["predneg"])
        print(
            f"{share:>10.0%} {f1:>6.3f} {precision:>6.3f} {recall:>6.3f} {asked_share:>6.3f} "
            f"{vain:>8.3f} {rightly:>17.3f}"
        )
    print("score: share of proposals that are right (how many)")
    for share, figure in by_share.items():
        print(f"{share:>10.0%}  " + "  ".join(_bins(figure.proposals)))


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
