"""
Stored arrivals of the demo receiver, in ``DATA_DIR/demo/inbox``: the newest, a few files each.

``<name>.json`` describes the arrival, ``<name>.body`` has the exact bytes of a verified delivery,
and ``<name>.times`` has a line for each time it arrived. A refused request leaves no body.
"""

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

KEPT = 50  # of each kind: many refused requests do not displace deliveries
SHOWN_ROWS = 100

Arrival = dict[str, Any]


def demo_folder() -> Path:
    """Return the folder that the demo shares with the setup."""
    return Path(settings.DATA_DIR) / "demo"


def folder() -> Path:
    """Return the folder of arrivals, created on first use."""
    path = demo_folder() / "inbox"
    path.mkdir(parents=True, exist_ok=True)
    return path


def signing_secrets() -> list[str]:
    """Return the secrets of the demo registration, one per line of its file; empty before setup."""
    try:
        return (demo_folder() / "signing-secret").read_text("utf-8").split()
    except FileNotFoundError:
        return []


def keep_verified(name: str, arrival: Arrival, body: Path, *, received_at: str) -> bool:
    """
    Store a delivery under its id and move its body; return False if the id had arrived before.

    The link is created atomically and fails if the name exists: of two concurrent equal deliveries,
    one is first.
    """
    with (folder() / f"{name}.times").open("a", encoding="utf-8") as times:
        times.write(f"{received_at}\n")
    is_new = _write_once(folder() / f"{name}.json", arrival)
    if is_new:
        body.replace(folder() / f"{name}.body")
    _forget_old("dlv_*.json")
    return is_new


def keep_refused(arrival: Arrival) -> None:
    """Store the details of a refused request."""
    _write_once(folder() / f"refused-{secrets.token_hex(8)}.json", arrival)
    _forget_old("refused-*.json")


def arrivals() -> list[Arrival]:
    """Return all stored arrivals, newest first."""
    listed = [arrival for path in folder().glob("*.json") for arrival in _read(path)]
    return sorted(listed, key=lambda arrival: str(arrival["receivedAt"]), reverse=True)


def body_path(name: str) -> Path | None:
    """Return the file with the bytes of a delivery, if any."""
    path = folder() / f"{name}.body"
    return path if path.is_file() else None


def _read(path: Path) -> Iterator[Arrival]:
    try:
        arrival = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:  # deleted while we list
        return
    times = path.with_suffix(".times")
    if times.is_file():
        arrival["arrivals"] = times.read_text("utf-8").split()
    yield arrival


def _write_once(path: Path, arrival: Arrival) -> bool:
    temporary = folder() / f".{secrets.token_hex(8)}.part"
    temporary.write_text(json.dumps(arrival, ensure_ascii=False), "utf-8")
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        temporary.unlink()
    return True


def _forget_old(pattern: str) -> None:
    dated = [(path.stat().st_mtime_ns, path) for path in folder().glob(pattern)]
    for _, path in sorted(dated, reverse=True)[KEPT:]:
        for suffix in (".json", ".body", ".times"):
            path.with_suffix(suffix).unlink(missing_ok=True)
