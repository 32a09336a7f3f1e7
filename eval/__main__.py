"""
Measure the engine: ``make eval``, or one part by name.

``plain``, ``encodings``, ``odd``, ``papers``, ``printed``, ``scans`` and ``namesakes`` are
generated here; ``price`` measures what matching does to our own labelled exports, and to the
external ones; ``replay`` makes the rows of stored imports again (REPLAYS names their folder); the
others are external test sets. A number after ``plain`` or ``papers`` sets the number of tables:
``eval plain 2000``. ``eval printed --help`` and ``eval scans --help`` list the options for office
documents and for scans of them.

``eval corpus FOLDER`` reads every file of a folder, and ``eval fuzz FOLDER`` thousands of mutated
ones; both look for crashes and for files that need too much time or memory. ``eval formats``
converts workbooks with LibreOffice and compares what is read from each format. ``eval ablation``
removes each rule, feature and constant of matching in turn (``make eval-ablation``), ``eval
ablation reading`` each rule and constant of reading; ``--help`` lists the options of the latter.

``eval drift`` compares weekly files of generated feeds with their predecessors, ordinary ones and
changed ones; ``--help`` lists its options.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from eval import canonical, replays
from eval.corpus import command as corpus
from eval.corpus import fuzz
from eval.drift import command as drift
from eval.formats import command as formats
from eval.matching import ablation as matching_ablation
from eval.matching import labelled, namesakes, prices
from eval.plain import encodings, measures, odd, prints
from eval.printed import command as printed
from eval.reading import ablation as reading_ablation
from eval.scans import command as scans

ABLATIONS: dict[str, Callable[[list[str]], int]] = {
    "matching": matching_ablation.main,
    "reading": reading_ablation.main,
}


def _ablate(arguments: list[str]) -> int:
    """Remove the rules of one part, matching unless another is named first."""
    if arguments and arguments[0] in ABLATIONS:
        return ABLATIONS[arguments[0]](arguments[1:])
    return matching_ablation.main(arguments)


GENERATED: dict[str, Callable[..., int]] = {
    "plain": measures.main,
    "encodings": encodings.main,
    "odd": odd.main,
    "papers": prints.main,
    "printed": printed.main,
    "scans": scans.main,
    "replay": replays.main,
    "namesakes": namesakes.main,
    "price": lambda: prices.main(sys.argv[1:]),
}
WITH_OPTIONS: dict[str, Callable[[list[str]], int]] = {
    "printed": printed.main,
    "scans": scans.main,
    "ablation": _ablate,
    "drift": drift.main,
    "corpus": corpus.main,
    "fuzz": fuzz.main,
    "formats": formats.main,
}
COUNTED = {"plain", "papers"}
ROOT = Path(__file__).resolve().parent.parent
ARGUMENTS = {
    "reading": ["--reader", "eval.adapters:read"],
    "pdf": ["--reader", "eval.adapters:read_pdf"],
    "matching": [],
    "canonical": [],
}


def main(arguments: list[str]) -> int:
    """Run the named parts, or all; further arguments (``--verbose``) are passed on."""
    if arguments and arguments[0] in WITH_OPTIONS:
        return WITH_OPTIONS[arguments[0]](arguments[1:])
    worst = 0
    counts = [int(word) for word in arguments if word.isdigit()][:1]
    for name, measure in GENERATED.items():
        if name in arguments or not set(arguments) & {*GENERATED, *ARGUMENTS}:
            print(f"\n== {name}", flush=True)
            worst = max(worst, measure(*(counts if name in COUNTED else ())))
    if set(arguments) & set(GENERATED) and not set(arguments) & set(ARGUMENTS):
        return worst
    return max(worst, _from_outside(arguments))


def _from_outside(arguments: list[str]) -> int:
    sets = Path(os.environ.get("EVAL_SETS", ""))
    if "EVAL_SETS" not in os.environ or not sets.is_dir():
        print("EVAL_SETS does not name a folder of test sets; nothing was measured.")
        return 2
    wanted = [name for name in arguments if name in ARGUMENTS] or list(ARGUMENTS)
    passed_on = [word for word in arguments if word not in ARGUMENTS]
    worst = 0
    for name in wanted:
        print(f"\n== {name}", flush=True)
        if name == "matching":
            worst = max(worst, labelled.main(passed_on))
            continue
        if name == "canonical":
            worst = max(worst, canonical.main(sets.absolute()))
            continue
        script = sets.absolute() / name / "evaluate.py"
        command = [sys.executable, str(script), "--set", "dev", *ARGUMENTS[name], *passed_on]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        worst = max(worst, subprocess.run(command, cwd=ROOT, env=environment).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
