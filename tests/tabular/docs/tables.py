"""Read the tables of a page of the documentation."""

import json
import re
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def rows_of(page, *header):
    """Return the rows of the table with this header, without code marks."""
    lines = (DOCS / page).read_text("utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if cells(line) == list(header))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(cells(line))
    return rows


def cells(line):
    parts = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [uncoded(part.strip().replace("\\|", "|")) for part in parts]


def uncoded(cell):
    return cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == "`" else cell


def examples_of(page):
    """Return the JSON examples of a page."""
    text = (DOCS / page).read_text("utf-8")
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
