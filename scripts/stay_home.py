"""
Run the engine without any network but loopback, and list every address it tries to reach.

    python scripts/stay_home.py [embedded|production ...]

Needs root, strace and the packages of requirements.txt; for production also the programs of
PostgreSQL, with the user ``postgres``, and of Redis.

The engine takes a file to a delivery inside a network namespace of its own: once as ``make run``
starts it, once as the four programs of ``docs/production.md``, with a PostgreSQL and a Redis
that are started in there. ``strace`` follows each process of the engine: an attempt counts, whether
or not it could succeed.
"""

import fcntl
import os
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from development import environment
from documented_commands import blocks_of, commands_of
from small_host import Client, Failed, Receiver, deliver, wait_until_ready
from traced_calls import CALLS, attempts_in, leaves_home

ROOT = Path(__file__).resolve().parent.parent
PRODUCTION = ROOT / "docs" / "production.md"
INSIDE = "--inside"
SHAPES = ("embedded", "production")
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40  # of Linux
PORT = 8000


def outside(shape: str) -> int:
    """Run this script again in a namespace, and check the trace."""
    print(f"{shape}:", flush=True)
    with tempfile.TemporaryDirectory(prefix="home-") as folder:
        inside = [sys.executable, __file__, INSIDE, shape, folder]
        subprocess.run(["unshare", "--net", *inside], check=True)
        traces = [path.read_text("utf-8", "replace") for path in Path(folder).glob("trace.*")]
    attempts = attempts_in("\n".join(traces))
    for attempt, times in sorted(attempts.items()):
        print(f"  {attempt}: {times}")
    away = [attempt for attempt in attempts if leaves_home(attempt)]
    if not any(attempt.startswith("127.0.0.1 port") for attempt in attempts):
        print("nothing was traced: not even the delivery")
        return 1
    addresses = ", ".join(away) or "none"
    print(f"{len(traces)} processes, attempts to reach another machine: {addresses}")
    return 1 if away else 0


def inside(shape: str, folder: Path) -> None:
    """Start the engine and what it needs; process a file up to its delivery."""
    _set_up_loopback()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("IMPORT_")}
    kept["IMPORT_DATA_DIR"] = str(folder / "data")
    kept["PATH"] = f"{Path(sys.executable).parent}:{kept['PATH']}"
    with ExitStack() as services:
        if shape == "production":
            kept["IMPORT_POSTGRES_URL"] = services.enter_context(_postgres(folder / "postgres"))
            kept["IMPORT_REDIS_URL"] = services.enter_context(_redis(folder))
        _work(shape, folder, kept)


def _work(shape: str, folder: Path, kept: dict[str, str]) -> None:
    manage = [sys.executable, str(ROOT / "scripts" / "development.py")]
    for command in (["migrate", "--verbosity", "0"], ["setup", "--port", str(PORT)]):
        subprocess.run(
            [*_traced(folder), *manage, *command], env=kept, check=True, stdout=subprocess.DEVNULL
        )
    commands = [[*manage, "serve", "--port", str(PORT)]]
    if shape == "production":
        commands = [shlex.split(item) for item in commands_of(blocks_of(PRODUCTION)["programs"])]
        kept = environment(kept)
    programs = [
        subprocess.Popen([*_traced(folder), *item], cwd=ROOT, env=kept, start_new_session=True)
        for item in commands
    ]
    try:
        base = f"http://127.0.0.1:{PORT}"
        wait_until_ready(base)
        key = (folder / "data" / "keys" / "demo-license").read_text("utf-8").strip()
        client, receiver = Client(base, key), Receiver()
        hook = client.call("webhooks", {"url": f"{receiver.origin}/home"})
        deliver(client, receiver, path="/home", secret=hook["signingSecret"])
    finally:
        for program in programs:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGTERM)
        for program in programs:
            program.wait(timeout=60)


@contextmanager
def _postgres(folder: Path) -> Iterator[str]:
    """Run a separate PostgreSQL, which is not traced; yield its URL."""
    programs = Path(subprocess.check_output(["pg_config", "--bindir"], text=True).strip())
    folder.parent.chmod(0o755)  # PostgreSQL runs as another user
    folder.mkdir()
    shutil.chown(folder, "postgres")
    data = ["--pgdata", str(folder / "data")]
    settings = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    as_user = ["runuser", "-u", "postgres", "--"]
    initdb = [*as_user, str(programs / "initdb"), *data, "--auth", "trust"]
    pg_ctl = [*as_user, str(programs / "pg_ctl"), *data, "--wait", "--silent"]
    log = ["--log", str(folder / "log")]
    subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    subprocess.run([*pg_ctl, *log, "--options", settings, "start"], check=True, cwd=folder)
    try:
        yield "postgresql://postgres@127.0.0.1:5432/postgres"
    finally:
        subprocess.run([*pg_ctl, "--mode", "immediate", "stop"], check=True, cwd=folder)


@contextmanager
def _redis(folder: Path) -> Iterator[str]:
    """Run a separate Redis, which is not traced; yield its URL."""
    command = ["redis-server", "--bind", "127.0.0.1", "--port", "6379", "--save", ""]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    try:
        yield "redis://127.0.0.1:6379/0"
    finally:
        process.terminate()
        process.wait(timeout=60)


def _set_up_loopback() -> None:
    with socket.socket() as asks:
        request = struct.pack("16sh", b"lo", IFF_UP | IFF_RUNNING)
        fcntl.ioctl(asks, SIOCSIFFLAGS, request)


def _traced(folder: Path) -> list[str]:
    # A file for each process; only these calls are traced, so that it runs at full speed.
    trace = ["strace", "-ff", "--seccomp-bpf", "-qq", "-e", f"trace={CALLS}", "-e", "signal=none"]
    return [*trace, "-o", str(folder / "trace"), "--"]


def main(arguments: list[str]) -> int:
    """Run outside, or inside."""
    try:
        if arguments[:1] == [INSIDE]:
            inside(arguments[1], Path(arguments[2]))
            return 0
        return max(outside(shape) for shape in arguments or SHAPES)
    except (Failed, subprocess.CalledProcessError) as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
