"""Read every file of a folder: ``python -m eval corpus FOLDER``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.corpus.outcomes import Outcome, outcome_of
from eval.corpus.report import SHOWN, each, pool, print_outcomes
from eval.corpus.texts import share_of_texts

AIM = 0.99  # of the text cells of all workbooks


@dataclass(frozen=True, slots=True)
class Share:
    """The text cells of one workbook."""

    name: str
    accounted_for: int
    cells: int


def main(arguments: Sequence[str]) -> int:
    """Read the files; return 1 for a crash, a limit exceeded, or workbooks below the aim."""
    parser = argparse.ArgumentParser("eval corpus", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--no-texts", action="store_true", help="do not compare workbooks' texts")
    parser.add_argument("--refusals", action="store_true", help="list each refused file")
    options = parser.parse_args(arguments)
    paths = sorted(
        path for folder in options.folders for path in folder.rglob("*") if path.is_file()
    )
    if not paths:
        parser.error("the folder has no files")
    outcomes = list(each(outcome_of, paths))
    code = print_outcomes([(str(path), outcome) for path, outcome in outcomes])
    if options.refusals:
        _print_refusals(outcomes)
    if options.no_texts:
        return code
    return max(code, _print_texts([path for path, outcome in outcomes if outcome.kind == "read"]))


def _print_refusals(outcomes: list[tuple[Path, Outcome]]) -> None:
    for path, outcome in outcomes:
        if outcome.kind == "refused":
            print(f"  {path}: {outcome.code}: {outcome.sentence}")


def _print_texts(paths: list[Path]) -> int:
    with pool() as workers:
        shares = [share for share in workers.map(_share_of, paths, chunksize=4) if share]
    cells = sum(share.cells for share in shares)
    if not cells:
        return 0
    ratio = sum(share.accounted_for for share in shares) / cells
    print(
        f"  {ratio:.4f} of {cells:,} text cells of {len(shares):,} workbooks are in a table or "
        f"listed as left out  (aim {AIM})"
    )
    below = sorted(
        (share for share in shares if share.accounted_for < share.cells),
        key=lambda share: share.accounted_for - share.cells,
    )
    for share in below[:SHOWN]:
        print(f"    {share.name}: {share.cells - share.accounted_for:,} of {share.cells:,} missing")
    return int(ratio < AIM)


def _share_of(path: Path) -> Share | None:
    counted = share_of_texts(path)
    return None if counted is None or not counted[1] else Share(str(path), *counted)
