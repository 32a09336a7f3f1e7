"""The suggest step: source.arrow in, a draft of a catalog out."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from tabular.model.table import Progress
from tabular.suggesting import draft_of, looked_at


def suggest(request: dict[str, Any], folder: Path, progress: Progress) -> dict[str, Any]:
    """Carry out a ``suggest`` request: ``input`` (source.arrow) and ``title``."""
    with pa.memory_map(request["input"]) as file:
        table = pa.ipc.open_file(file).read_all()
        progress("suggesting", 0, table.num_rows)
        return draft_of(looked_at(table), title=request["title"])
