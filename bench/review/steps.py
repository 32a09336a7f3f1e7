"""The cost of review steps: undo across a transform, and marking differences on a page."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

PAGES = 200
MOST_TIMES = 1.10  # the cost of a page relative to one without marks


def across(call: Callable[..., Any], url: str, timed: Callable[..., Any]) -> None:
    """Map again with a cleaning step, then undo and redo it."""
    from workflow.worker import advance

    mapping = call("mapping", method="get")
    column = next(name for name, path in mapping["mapping"].items() if path == "o.note")
    step = {"do": "case", "columns": [column], "to": "upper"}
    recipe = {"version": 1, "steps": [step]}
    call("mapping", {"mapping": mapping["mapping"], "recipe": recipe}, method="put")
    advance(url.rstrip("/").rpartition("/")[2])
    for where in ("undo", "redo", "undo", "redo"):
        state = {"revision": call("", method="get")["revision"]}
        what = f"{where} across a transform"
        timed(what, lambda where=where, state=state: call(where, state), limit_ms=100)


def marking(call: Callable[..., Any], total: int) -> None:
    """Print what marking adds to a page, with marked and unmarked pages in turn."""
    chance = random.Random(11)
    spent: dict[bool, list[float]] = {True: [], False: []}
    for number in range(2 * PAGES):
        is_marked = number % 2 == 0
        if is_marked:
            offset = chance.randrange(max(1, total - 100))
        spent[is_marked].append(_page(call, offset, is_marked=is_marked))
    with_marks, without = (statistics.median(spent[which]) for which in (True, False))
    ratio = with_marks / without
    verdict = "ok" if ratio <= MOST_TIMES else "TOO SLOW"
    print(
        f"   {'page with marks':31} {with_marks:8.1f} ms  without {without:8.1f} ms  "
        f"({ratio:.2f} times, limit {MOST_TIMES}) {verdict}",
        flush=True,
    )


def _page(call: Callable[..., Any], offset: int, *, is_marked: bool) -> float:
    query = {"offset": offset, "limit": 100}
    start = time.process_time()  # excludes other work on the machine
    if is_marked:
        call("rows/query", query)
    else:
        with patch("staging.pages.marked", lambda _table, rows, *_: [{} for _ in rows]):
            call("rows/query", query)
    return (time.process_time() - start) * 1000
