"""
A thousand feeds that are due in the same minute: when they start, and what they cost.

Goals: the last one starts within 60 s, and while nothing is new, a thousand feeds that look once an
hour take less than 2 % of one core. The places are OpenSSH and SeaweedFS, both empty; their own
work is not counted. ``FEEDS`` (1,000) sets the number.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.jobs import with_engines
from bench.jobs.engine import Engine

LAST_S, PERCENT = 60.0, 2.0
AHEAD_S = 5.0  # between the making of the feeds and their common time
IDLE_S = 60.0
HOUR_S = 3_600.0
MOST_WAIT_S = 600.0
FILL = """
import json
from datetime import timedelta
from common import clock
from feeds.models import Feed
from licensing.models import Tenant
about = json.loads({about!r})
at = clock.now()
Feed.objects.all().delete()
Feed.objects.bulk_create(
    Feed(
        public_id=f"fed_{{number}}", tenant=Tenant.objects.get(public_id="tnt_bench"),
        name=f"Feed {{number}}", catalog_key="orders", kind=about["kind"], state="active",
        settings=about["settings"], secret=json.dumps(about["secret"]), schedule="0 6 1 1 *",
        due_at=at + timedelta(seconds={ahead}), created_at=at, created_by={{}},
    )
    for number in range({number})
)
"""
READ = """
import json
from feeds.models import FeedRun
rows = FeedRun.objects.values_list("due_at", "started_at", "ended_at", "outcome")
print(json.dumps([
    [(start - due).total_seconds(), end and (end - start).total_seconds(), outcome]
    for due, start, end, outcome in rows
]))
"""


def main() -> None:
    """Print the figures of each kind of place."""
    with_engines(_measure)


def _measure(engine: Engine) -> None:
    engine.key_of("tnt_bench", "feeds")
    _idle(engine, 0)
    for start in (_sftp, _bucket):
        with TemporaryDirectory() as name, start(Path(name)) as about:
            _due(engine, about, int(os.environ.get("FEEDS", "1000")))
    _idle(engine, int(os.environ.get("FEEDS", "1000")))


def _due(engine: Engine, about: dict[str, Any], number: int) -> None:
    filled = {"about": json.dumps(about), "ahead": AHEAD_S, "number": number}
    _shell(engine, FILL.format(**filled))
    busy, began = engine.busy(), time.monotonic()
    runs: list[Any] = []
    while len(runs) < number or any(run[1] is None for run in runs):
        if time.monotonic() - began > MOST_WAIT_S:
            raise SystemExit(f"{len(runs)} of {number} runs after {MOST_WAIT_S:.0f} s")
        time.sleep(5)
        runs = json.loads(_shell(engine, READ).splitlines()[-1])
    cpu = engine.busy() - busy
    failed = [outcome for *_, outcome in runs if outcome != "nothing"]
    last, share = max(late for late, *_ in runs), cpu / HOUR_S * 100
    kind = about["kind"]
    print(
        f"   {kind}: {number:,} feeds, the last one started {last:.1f} s after it was due"
        f"  (limit {LAST_S:.0f} s) {'ok' if last <= LAST_S and not failed else 'TOO SLOW'}"
        f"{f', {len(failed)} FAILED' if failed else ''}\n"
        f"   {kind}: {cpu / number * 1_000:.0f} ms of processor for each look, {share:.2f} % of a"
        f" core with a look an hour  (limit {PERCENT:.0f} %) "
        f"{'ok' if share <= PERCENT else 'TOO MUCH'}",
        flush=True,
    )


def _idle(engine: Engine, feeds: int) -> None:
    """Print what the engine takes while no feed is due."""
    busy = engine.busy()
    time.sleep(IDLE_S)
    share = (engine.busy() - busy) / IDLE_S * 100
    print(f"   the engine at rest with {feeds:,} feeds: {share:.2f} % of a core", flush=True)


def _shell(engine: Engine, code: str) -> str:
    """Run a program in the engine's environment; return what it prints."""
    command = engine.command("shell", "-v", "0", "-c", code)
    return subprocess.run(
        command, env=engine.environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


@contextmanager
def _sftp(folder: Path) -> Iterator[dict[str, Any]]:
    from tests.feeds.sources.ssh_server import running_ssh

    (folder / "in").mkdir()
    with running_ssh(folder) as server:
        place = {"host": "127.0.0.1", "port": server.port, "user": server.user}
        place["folder"] = str(folder / "in")
        yield {"kind": "sftp", "settings": place, "secret": {"privateKey": server.private_key}}


@contextmanager
def _bucket(folder: Path) -> Iterator[dict[str, Any]]:
    from tests.buckets import KEY, SECRET, running_store

    with running_store(folder) as store:
        place = {"endpoint": store.url, "bucket": "files", "prefix": "in/"}
        secret = {"accessKey": KEY, "secretKey": SECRET}
        yield {"kind": "s3", "settings": place, "secret": secret}
