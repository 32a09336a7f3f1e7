"""The review of a large import: pages of any view, edits, replacing; pages from cold storage."""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.figures.figure import Figure, Measured, Skipped
from bench.figures.services import NO_STORE, bucket, scaled, workload
from bench.review import settings_of

ROWS = 1_000_000
PAGES, COLD_PAGES = 100, 5
PAGE_MS, COLD_S, EDIT_MS, REPLACE_MS, UNDO_MS = 12, 0.5, 80, 5_000, 2_000


def on_files() -> Iterator[Measured]:
    """Measure a person's review of a million rows, embedded."""
    with tempfile.TemporaryDirectory(prefix="bench-review-") as name:
        os.environ |= settings_of(Path(name))
        from bench.review.measurement import Review, ready
        from importengine.processes.memory import end_start

        ready()
        review, chance = Review(workload(scaled(ROWS))), random.Random(7)
        yield from review.open()
        end_start()  # as a web process does: what was imported is not looked at again
        yield from _pages(review, chance)
        yield from _edits(review, chance)


def _times() -> int:
    return scaled(PAGES, least=10)


def _pages(review: Any, chance: random.Random) -> Iterator[Figure]:
    """Measure pages of 100 rows at any offset of each view."""
    from bench.review.measurement import VIEWS, measured, p95

    def page(view: Any, size: int) -> Callable[[], Any]:
        return lambda: review.call(
            "rows/query", {"view": view, "offset": chance.randrange(max(1, size - 100))}
        )

    total = review.call("rows/query", {"limit": 1})["total"]
    spent, _, _ = measured(page({}, total), _times())
    yield Figure("page at any offset, p50", statistics.median(spent), "ms")
    yield Figure("page at any offset, p95", p95(spent), "ms", PAGE_MS)
    for what, view, limit in VIEWS:
        first, _, body = measured(page(view, 1))
        yield Figure(f"view opened: {what}", first[0], "ms", limit)
        spent, _, _ = measured(page(view, body["total"]), _times())
        yield Figure(f"page of it at any offset, p95: {what}", p95(spent), "ms", PAGE_MS)


def _edits(review: Any, chance: random.Random) -> Iterator[Figure]:
    """Measure edits of single cells, and find and replace."""
    from bench.review.measurement import measured, p95

    state = {"revision": review.call("", method="get")["revision"]}
    total = review.call("rows/query", {"limit": 1})["total"]

    def changed(path: str, body: dict[str, Any], method: str = "post") -> Any:
        answer = review.call(path, {**state, **body}, method=method)
        state["revision"] = answer["revision"]
        return answer

    def edit() -> None:
        key = chance.choice(["note", "amount", "customer", "email"])
        cell = {"row": chance.randrange(total), "field": f"o.{key}", "text": str(chance.random())}
        changed("rows", {"edits": [cell]}, "patch")

    edit()
    spent, _, _ = measured(edit, _times())
    yield Figure("edit of one cell, p50", statistics.median(spent), "ms")
    yield Figure("edit of one cell, p95", p95(spent), "ms", EDIT_MS)
    wanted = {"inFields": ["o.category"], "find": "o", "replace": "oo"}
    spent, _, answer = measured(lambda: _replaced(review, {**state, **wanted}))
    state["revision"] = answer["revision"]
    yield Figure(f"find and replace, {answer['cells']:,} cells", spent[0], "ms", REPLACE_MS)
    spent, _, _ = measured(lambda: changed("undo", {}))
    yield Figure("undo of it", spent[0], "ms", UNDO_MS)


def _replaced(review: Any, body: dict[str, Any]) -> Any:
    """Find and replace; many rows are the work of a worker, which this process is then, too."""
    from imports.bulk_changes.worker import make_due_changes

    answer = review.call("rows/replace", body)
    if change := answer.get("changeId"):
        make_due_changes()
        answer = review.call(f"rows/changes/{change}", method="get")
    return answer


def on_a_cold_bucket() -> Iterator[Measured]:
    """Measure a page whose files are in object storage alone, each in a process of its own."""
    rows = scaled(ROWS)
    what = f"page of {rows:,} rows, cold from object storage"
    with tempfile.TemporaryDirectory(prefix="bench-cold-") as name, bucket() as store:
        if store is None:
            yield Skipped(what, NO_STORE)
            return
        os.environ |= settings_of(Path(name)) | store.settings("cold")
        from bench.review.measurement import Review, ready

        ready()
        review = Review(workload(rows))
        for _ in review.open():
            pass
        spent = [_cold(Path(name), review, offset) for offset in _offsets(rows)]
    cold, warm = (statistics.median(each) for each in zip(*spent, strict=True))
    yield Figure(f"{what}, p50 of {COLD_PAGES}", cold, "s", COLD_S)
    yield Figure(f"{what}, slowest", max(each[0] for each in spent), "s")
    yield Figure("the next page of the same process", warm * 1000, "ms")


def _offsets(rows: int) -> list[int]:
    chance = random.Random(11)
    return [chance.randrange(max(1, rows - 200)) for _ in range(COLD_PAGES)]


def _cold(folder: Path, review: Any, offset: int) -> tuple[float, float]:
    """Forget the copies of this machine; return the seconds of a page and of the next one."""
    from django.conf import settings

    shutil.rmtree(folder / "cache", ignore_errors=True)
    query = {
        "key": review.key,
        "public": str(settings.LICENSE_PUBLIC_KEY),
        "url": review.url,
        "offset": offset,
    }
    program = [sys.executable, "-m", "bench.figures.cold_page"]
    printed = subprocess.run(
        program, check=True, input=json.dumps(query), stdout=subprocess.PIPE, text=True
    ).stdout
    first, following = json.loads(printed.splitlines()[-1])
    return first, following
