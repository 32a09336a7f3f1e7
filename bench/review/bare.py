"""The pipeline alone, file in and Arrow files out: what an upload to ``review`` is measured by.

Takes the path of the file and a folder; prints its seconds as JSON: wall clock and CPU.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from bench.review.catalog import CATALOG, KEYS


def main(file: Path, folder: Path) -> None:
    """Read and propose, map by place, transform; no web, no database, nothing kept."""
    from tabular.step.read import read
    from tabular.step.transform import transform

    (folder / "out").mkdir(parents=True)
    start, cpu = time.perf_counter(), time.process_time()
    request: dict[str, Any] = {"input": str(file), "catalog": CATALOG}
    columns = read(request, folder, _say_nothing)["columns"]
    transform(
        {
            "input": str(folder / "out" / "source.arrow"),
            "catalog": CATALOG,
            "mapping": {c: f"o.{key}" for c, key in zip(columns, KEYS, strict=True)},
            "recipe": None,
            "answers": {},
            "context": {"today": "2026-01-02"},
        },
        folder,
        _say_nothing,
    )
    spent = {"wall": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    print(json.dumps(spent))


def _say_nothing(stage: str, done: int, total: int | None) -> None:
    pass


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
