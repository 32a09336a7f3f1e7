"""Run contestants in turn, each in a separate process."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "var" / "bench-peers"


@dataclass(frozen=True, slots=True)
class Racer:
    """One contestant. command: of ``bench.transforming.run``, or of another program."""

    name: str
    command: list[str]
    is_ours: bool = True


def race(racers: list[Racer], *, rounds: int) -> dict[str, list[dict[str, Any]]]:
    """Return the runs of each contestant, A B C A B C; none for one that cannot run here."""
    runs: dict[str, list[dict[str, Any]]] = {racer.name: [] for racer in racers}
    for _ in range(rounds):
        for racer in racers:
            if result := _run(racer):
                runs[racer.name].append(result)
    return runs


def _run(racer: Racer) -> dict[str, Any] | None:
    own = [sys.executable, "-m", "bench.transforming.run"]
    command = [*own, *racer.command] if racer.is_ours else racer.command
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=ROOT
    ) as process:
        printed = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        return None
    result: dict[str, Any] = json.loads(printed.decode().strip().splitlines()[-1])
    return result | {"process_cpu": usage.ru_utime + usage.ru_stime}


def peers_python(sets: Path) -> str | None:
    """Return the Python of an environment with the peers, created if missing; None without them."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        wanted = sets / "perf" / "peers-requirements.txt"
        steps = [
            [sys.executable, "-m", "venv", str(PEERS)],
            [str(python), "-m", "pip", "install", "--quiet", "-r", str(wanted)],
        ]
        for step in steps:
            if subprocess.run(step, check=False, capture_output=True).returncode:
                print("  the peers could not be installed; they are left out")
                return None
    return str(python)
