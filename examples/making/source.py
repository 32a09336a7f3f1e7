"""The contents of the example files, before they are made messy."""

from pathlib import Path

HERE = Path(__file__).resolve().parent.parent

Row = dict[str, str]


def source(name: str) -> list[Row]:
    """Read one table of ``source``: a dict of texts per row, empty text for an empty cell."""
    head, *lines = (HERE / "source" / f"{name}.tsv").read_text("utf-8").splitlines()
    return [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]
