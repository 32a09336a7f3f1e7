"""Measure one section: ``python -m bench.figures NAME [FILE]`` prints it, and adds it to a file."""

import os
import sys
from pathlib import Path

from bench.figures.figure import keep
from bench.figures.sections import LONG, SECTIONS
from bench.figures.services import environment


def main(name: str, file: str = "") -> None:
    """Print each figure as soon as it is measured."""
    seen = environment()
    os.environ.clear()
    os.environ.update(seen)
    for item in (SECTIONS | LONG)[name].measure():
        item.show()
        if file:
            keep(item, Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
