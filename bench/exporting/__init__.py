"""Export of 300,000 rows of 14 columns: seconds, and the memory growth of the web process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.peers.generated import generate

ROOT = Path(__file__).resolve().parent.parent.parent
ROWS = 300_000


def main() -> None:
    """Create the file, stage it, and print the figures."""
    with tempfile.TemporaryDirectory(prefix="bench-exporting-") as name:
        file = generate(int(os.environ.get("BENCH_ROWS", ROWS)), Path(name))
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "importengine.settings",
            "IMPORT_SECRET_KEY": "for the benchmark",
            "IMPORT_ENCRYPTION_KEYS": "for the benchmark",
            "IMPORT_DATA_DIR": str(Path(name) / "data"),
            "IMPORT_LOG_LEVEL": "ERROR",
        }
        program = [sys.executable, "-m", "bench.exporting.measurement", str(file)]
        subprocess.run(program, check=True, cwd=ROOT, env=environment)
