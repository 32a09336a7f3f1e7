"""
Exports of well-known systems, written by us and divided by source.

``fit.txt`` may be used to choose thresholds and words, ``judge.txt`` only to measure: a system is
in one of them. ``proof.txt`` was written last, and is only measured. ``catalogs.txt`` has the
catalogs of all. The values are generated with a fixed seed.
"""

from collections.abc import Iterator
from importlib.resources import files

from eval.matching import made_up
from eval.matching.outcomes import LabelledFile
from tabular.model.catalog import Catalog, Entry, Field

PARTS = ("fit", "judge", "proof")
ROWS = 40


def catalogs() -> dict[str, Catalog]:
    """Return the catalogs by name."""
    return {name: _catalog(name, lines) for (name, *_), lines in _blocks("catalogs")}


def exports(part: str) -> Iterator[LabelledFile]:
    """Yield the exports of ``fit``, ``judge`` or ``proof``."""
    known = catalogs()
    for (source, _, catalog), lines in _blocks(part):
        rows = [tuple(part.strip() for part in line.split(" | ")) for line in lines]
        yield LabelledFile(
            source,
            catalog,
            known[catalog],
            tuple(header for header, _, _ in rows),
            [list(made_up.column(kind, ROWS, seed=header)) for header, kind, _ in rows],
            {header: _truth(text, catalog) for header, _, text in rows},
        )


def _blocks(name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words after ``##`` and the lines of each block."""
    text = files("eval.matching.sources").joinpath(f"{name}.txt").read_text("utf-8")
    for block in text.split("\n## ")[1:]:
        head, *lines = block.splitlines()
        yield head.split(), [line for line in lines if line.strip()]


def _catalog(name: str, lines: list[str]) -> Catalog:
    fields = [line.split(" ", 2) for line in lines]
    return Catalog(
        key=name,
        entries=(
            Entry(
                id=name,
                fields=tuple(
                    Field.model_validate(
                        {
                            "key": key,
                            "columnType": column_type,
                            "label": label.rstrip("!"),
                            "required": label.endswith("!"),
                        }
                    )
                    for key, column_type, label in fields
                ),
            ),
        ),
    )


def _truth(text: str, catalog: str) -> object:
    if text == "-":
        return None
    if not text.startswith("?"):
        return f"{catalog}.{text}"
    *keys, group = text[1:].split()
    return {"ambiguous": [f"{catalog}.{key}" for key in keys], "group": group}
