"""
Review of a million rows: pages, views, edits, replace, undo; on the configured database.

The import is staged once; every figure is the wall-clock time of an HTTP API call in this process.
Always SQLite; also PostgreSQL if ``BENCH_POSTGRES_URL`` names an empty database.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.peers.generated import generate

ROOT = Path(__file__).resolve().parent.parent.parent
ROWS = 1_000_000


def main() -> None:
    """Print the figures for SQLite, and for PostgreSQL if a server is named."""
    with tempfile.TemporaryDirectory(prefix="bench-review-") as name:
        file = generate(int(os.environ.get("BENCH_ROWS", ROWS)), Path(name))
        for database, url in (
            ("SQLite", ""),
            ("PostgreSQL", os.environ.get("BENCH_POSTGRES_URL", "")),
        ):
            if database == "SQLite" or url:
                print(f"-- {database}", flush=True)
                _measure(file, Path(name) / database, url)


def _measure(file: Path, data: Path, url: str) -> None:
    environment = {**os.environ, **settings_of(data), "IMPORT_POSTGRES_URL": url}
    program = [sys.executable, "-m", "bench.review.measurement", str(file)]
    subprocess.run(program, check=True, cwd=ROOT, env=environment)


def settings_of(data: Path) -> dict[str, str]:
    """Return the settings of an engine in the process that measures, with a data folder."""
    return {
        "DJANGO_SETTINGS_MODULE": "importengine.settings",
        "IMPORT_SECRET_KEY": "for the benchmark",
        "IMPORT_ENCRYPTION_KEYS": "for the benchmark",
        "IMPORT_DATA_DIR": str(data),
        "IMPORT_LOG_LEVEL": "ERROR",
        "IMPORT_RATE_PER_MINUTE": "1000000",
    }
