"""
What the metrics cost of an import: the CPU seconds of counting, of all that an import takes.

An engine without counts and one with them are not told apart on a busy machine, so each part is
measured by itself: counting the histories that the imports left, storing the counts of their jobs
and calls, and counting a call. Goal: below 1 %. BENCH_IMPORTS sets how many imports of 1,000 rows.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

from bench.jobs.engine import ROOT, Engine, orders

IMPORTS = int(os.environ.get("BENCH_IMPORTS", "20"))
ROWS = 1_000
SETTLED_S = 12  # after which the newest moves are counted
CALLS = 10_000
MOST_SHARE = 0.01
PARTS = """
import json, time
from datetime import timedelta
from unittest import mock
from django.http import HttpRequest, HttpResponse
from analytics import history_counts, series
from analytics.job_counts import of_jobs
from analytics.models import Cursor
from common import clock
from common.models import Move
from importengine.web.requests_seen import of_call
from sandbox.usage import JobUse

def spent(block):
    began = time.process_time()
    block()
    return time.process_time() - began

later = clock.now()
def fold():
    global later
    later += timedelta(minutes=1)
    with mock.patch("analytics.history_counts.clock.now", lambda: later):
        history_counts.fold()

def store():
    series.add(of_jobs(uses))

Cursor.objects.all().delete()
fold()  # finds the newest row of each history
Cursor.objects.update(counted=0)
uses = [JobUse(name, 0.5, 300_000_000, 1_000) for name in ("read", "transform")]
call, answer = HttpRequest(), HttpResponse()
print(json.dumps({
    "imports": Move.objects.filter(to_state="applied").count(),
    "histories_s": spent(fold),
    "idle_fold_s": spent(fold),
    "store_s": (store(), spent(lambda: [store() for _ in range(50)]) / 50)[1],
    "calls_s": spent(lambda: [of_call(call, answer, 0.1) for _ in range(CALLS)]) / CALLS,
}))
"""


def main() -> None:
    """Print the parts and their share of an import. Exit if it is above the goal."""
    with tempfile.TemporaryDirectory(prefix="bench-metrics-") as name:
        folder = Path(name)
        engine = Engine(ROOT, folder, {"IMPORT_POSTGRES_URL": "", "IMPORT_REDIS_URL": ""})
        try:
            engine.apply(engine.upload(orders(20)))  # what only the first import needs
            began = engine.busy()
            for _ in range(IMPORTS):
                engine.apply(engine.upload(orders(ROWS)))
            time.sleep(SETTLED_S)
            whole = (engine.busy() - began) / IMPORTS
        finally:
            engine.stop()
        parts = _parts(engine)
    counted = parts["imports"]
    of_import = parts["histories_s"] / counted + parts["store_s"] + 10 * parts["calls_s"]
    figures = {
        "import_cpu_ms": round(whole * 1_000, 1),
        "histories_ms": round(parts["histories_s"] / counted * 1_000, 2),
        "jobs_ms": round(parts["store_s"] * 1_000, 2),  # if each import were stored by itself
        "call_us": round(parts["calls_s"] * 1_000_000, 1),
        "fold_without_news_ms": round(parts["idle_fold_s"] * 1_000, 2),
        "share": round(of_import / whole, 4),
    }
    print(json.dumps(figures, indent=2))
    if figures["share"] >= MOST_SHARE:
        raise SystemExit(f"metrics cost {figures['share']:.1%} of an import")


def _parts(engine: Engine) -> dict[str, float]:
    """Measure each part in a process of its own, with the database that the imports left."""
    command = engine.command("shell", "-v", "0", "-c", f"CALLS = {CALLS}\n{PARTS}")
    done = subprocess.run(
        command, cwd=ROOT, env=engine.environment, check=True, stdout=subprocess.PIPE, text=True
    )
    parts: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return parts
