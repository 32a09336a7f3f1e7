"""
The pipeline alone, file in and Arrow files out: the baseline of an upload to ``review``.

Takes the path of the file and a folder; prints its seconds as JSON: wall clock and CPU.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import date
from pathlib import Path

from bench.review.catalog import CATALOG, KEYS
from tabular.model.catalog import Catalog, Context
from tabular.model.table import silent
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import ReadRequest, TransformRequest


def main(file: Path, folder: Path) -> None:
    """Read and propose, map by position, transform; without web, database or stored results."""
    from tabular.job.read import read
    from tabular.job.transform import transform

    (folder / "out").mkdir(parents=True)
    start, cpu = time.perf_counter(), time.process_time()
    catalog = Catalog.model_validate_json(json.dumps(CATALOG))
    columns = read(ReadRequest(input=str(file), catalog=catalog), folder, silent).columns
    plan = TransformPlan(
        catalog=catalog,
        mapping={c: f"o.{key}" for c, key in zip(columns, KEYS, strict=True)},
        context=Context(today=date(2026, 1, 2)),
    )
    source = folder / "out" / "source.arrow"
    transform(TransformRequest(input=str(source), plan=plan), folder, silent)
    spent = {"wall": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    print(json.dumps(spent))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
