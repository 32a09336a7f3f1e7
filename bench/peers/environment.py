"""Where the peers are installed: ``var/bench-peers``, from pinned lists, created if missing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "bench-peers"
REQUIREMENTS = ROOT / "requirements-peers.txt"
NODE = {"react-spreadsheet-import": "4.7.1", "papaparse": "5.5.3"}
INSTALL = ("--ignore-scripts", "--no-audit", "--no-fund", "--omit=peer", "--legacy-peer-deps")


def peers_python() -> Path | None:
    """Return the Python of the environment with the peers; None if it cannot be made here."""
    folder = FOLDER / sha256(REQUIREMENTS.read_bytes()).hexdigest()[:12]
    python = folder / "bin" / "python"
    if (folder / "made").exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    steps = [
        [sys.executable, "-m", "venv", str(folder)],
        [*pip, "--require-hashes", "-r", str(REQUIREMENTS)],
    ]
    if not _done(steps, "The Python peers"):
        return None
    (folder / "made").touch()
    return python


def peers_node() -> Path | None:
    """Return the folder with the packages of the browser importer; None without Node or npm."""
    folder = FOLDER / "node"
    if (folder / "made").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": NODE}))
    if not _done([["npm", "install", *INSTALL]], "The browser importer", folder):
        return None
    (folder / "made").touch()
    return folder


def versions(python: Path | None) -> dict[str, str]:
    """Return the versions of what takes part."""
    script = (
        "import json,importlib.metadata as m;"
        "print(json.dumps({d.metadata['name'].lower(): d.version for d in m.distributions()}))"
    )
    peers = json.loads(_output([str(python), "-c", script]) or "{}") if python else {}
    ours = json.loads(_output([sys.executable, "-c", script]) or "{}")
    named = ("frictionless", "pandera", "polars", "pandas", "django-import-export", "csvkit")
    return {
        "Python": sys.version.split()[0],
        "pyarrow": ours.get("pyarrow", "?"),
        **{name: peers[name] for name in named if name in peers},
        **NODE,
        "Node": _output(["node", "--version"]).strip() or "not installed",
    }


def _done(steps: list[list[str]], what: str, folder: Path = ROOT) -> bool:
    for step in steps:
        try:
            done = subprocess.run(step, check=False, capture_output=True, text=True, cwd=folder)
        except FileNotFoundError:
            print(f"{what} are left out: {step[0]} is not installed.", flush=True)
            return False
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no message"]
            print(f"{what} are left out: {step[0]} failed: {last[0]}", flush=True)
            return False
    return True


def _output(command: list[str]) -> str:
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""
