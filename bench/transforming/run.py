"""One measured run: ``python -m bench.transforming.run WHAT ...`` prints a line of JSON."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.peers import floors
from bench.transforming.loop import check_rows
from bench.transforming.workload import request
from tabular.protocol import forms
from tabular.protocol.requests import ReadRequest
from tabular.protocol.results import TransformResult


def main(what: str, arguments: list[str]) -> None:
    """Measure one contestant."""
    if what == "floor":
        floors.main("pyarrow_csv", Path(arguments[0]))
    elif what == "node":
        script = Path(__file__).with_name("loop.mjs")
        subprocess.run(["node", str(script), *arguments], check=True)
    else:
        runs: dict[str, Callable[..., dict[str, Any]]] = {
            "stage": stage,
            "warm": warm,
            "loop": loop,
            "recheck": recheck,
        }
        print(json.dumps(runs[what](*map(Path, arguments))))


def stage(file: Path, folder: Path) -> dict[str, Any]:
    """Read, transform, validate and stage a file; imports are not counted."""
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "jemalloc"  # as the sandbox does
    from tabular.job.read import read as read_job
    from tabular.job.transform import transform
    from tabular.reading import read  # noqa: F401 -- imported before the clock starts

    (folder / "out").mkdir(parents=True, exist_ok=True)
    started, wall = time.process_time(), time.perf_counter()
    read_job(ReadRequest(input=str(file)), folder, _silent)
    source = folder / "source.arrow"
    (folder / "out" / "source.arrow").rename(source)
    read_cpu = time.process_time() - started
    result = transform(request(source), folder, _silent)
    (folder / "result.json").write_bytes(forms.written(result))
    return {
        "rows": result.rows,
        "cpu": round(time.process_time() - started, 3),
        "s": round(time.perf_counter() - wall, 3),
        "read_cpu": round(read_cpu, 2),
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "by_code": result.counts.by_code,
    }


def warm(file: Path, folder: Path) -> dict[str, Any]:
    """Do it twice in one process and count the second time."""
    stage(file, folder)
    return stage(file, folder)


def loop(file: Path) -> dict[str, Any]:
    """Run the per-row loop."""
    started = time.process_time()
    rows, issues = check_rows(file)
    return {"rows": rows, "cpu": round(time.process_time() - started, 3), "issues": issues}


def recheck(folder: Path) -> dict[str, Any]:
    """Edit a unique value in the middle of a staged table; the best of five, in milliseconds."""
    from tabular.rechecking.recheck import Staged, recheck
    from tabular.transforming.inferred import inferred_of
    from tabular.transforming.source import Source

    result = forms.read(TransformResult, (folder / "result.json").read_bytes())
    plan = request(folder / "source.arrow").plan
    inferred = inferred_of(plan, result.inferred)
    row = result.rows // 2
    times, cpu = [], []
    for text in ("K00000007", "K00000008", "K00000009", "new", "K00000010"):
        started, worked = time.perf_counter(), time.process_time()
        source, staged = Source(folder / "source.arrow"), Staged((folder / "out").joinpath, result)
        rechecked = recheck(
            source, staged, plan=plan, inferred=inferred, edits={(row, "customer.id"): text}
        )
        times.append(time.perf_counter() - started)
        cpu.append(time.process_time() - worked)
    return {"ms": min(times) * 1e3, "cpu_ms": min(cpu) * 1e3, "rows": len(rechecked.unique[0])}


def _silent(stage_: str, done: int, total: int | None) -> None:
    return None


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
