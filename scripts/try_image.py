"""
Run the image's programs and take a file through them to a verified delivery.

``embedded`` runs the whole engine in one container; ``production`` runs web, workers and beat on
PostgreSQL, Redis and a bucket of SeaweedFS, each in a container of ``buildah run
--isolation=chroot``: as the image's own user, without capabilities, writing to ``/data`` and
``/tmp`` only.

    python scripts/try_image.py [embedded] [production]      needs the image: make image
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from build_image import IMAGE  # noqa: E402 (the path is set above)
from documented_commands import blocks_of, commands_of  # noqa: E402 (the path is set above)
from small_host import (  # noqa: E402 (the path is set above)
    Client,
    Failed,
    Receiver,
    deliver,
    readiness,
    until,
)

from tests.buckets import KEY, SECRET, running_store  # noqa: E402 (the path is set above)

USER = "10001"
SERVER = os.environ.get("WALK_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
REDIS = os.environ.get("IMAGE_REDIS", "redis://127.0.0.1:6379/6")
PORT = int(os.environ.get("IMAGE_PORT", "8187"))
GOAL_S = 10.0
MANAGE = ["python", "manage.py"]
OTHER_FILES = ("price-list.pdf", "stock-two-sheets.xlsx")
OUTSIDE = ("/engine/manage.py", "/engine/new", "/engine/.venv/new", "/usr/new", "/etc/new")
WRITE = """
import contextlib, sys
for place in sys.argv[1:]:
    with contextlib.suppress(OSError):
        open(place, "a")
        print(place)
"""
# What a job could try that took over a parser, by the kernel's calls: Python's own would be refused
# by a hook before they reach it.
ATTACK = """
import ctypes, os, pathlib, sys, tempfile
from tabular.job.isolation import isolate
secret = pathlib.Path(os.environ["IMPORT_DATA_DIR"], "secret")
secret.write_text("of another import")
folder = pathlib.Path(tempfile.mkdtemp())
os.dup2(os.pipe()[0], 0)  # a job ends when its standard input does
missing = isolate(writable=[folder])
libc = ctypes.CDLL(None, use_errno=True)
(folder / "own").write_text("may be written")
tries = {
    "read": libc.open(str(secret).encode(), 0) >= 0,
    "write": libc.open(b"/tmp/outside", 0o101, 0o600) >= 0,
    "socket": libc.socket(2, 1, 0) >= 0,
    "namespace": libc.unshare(0x10000000) == 0,
    "execute": libc.execve(sys.executable.encode(), None, None) == 0,
}
print(os.getuid(), *missing, *(name for name, worked in tries.items() if worked), flush=True)
os._exit(0)
"""


class Containers:
    """Runs commands in containers of the image, with one data folder and one environment."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.data, self.folder = folder / "data", folder
        self.settings = settings
        self.data.mkdir()
        shutil.chown(self.data, int(USER), int(USER))
        self._running: list[subprocess.Popen[bytes]] = []
        self._logs: list[Path] = []
        self._names: list[str] = []

    def run(self, *command: str) -> str:
        """Run a command to its end; return what it printed. Raise Failed if it fails."""
        with self._command(list(command)) as line:
            done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{' '.join(command)}: {done.stdout[-800:]} {done.stderr[-2000:]}")
        return done.stdout

    def start(self, command: list[str]) -> str:
        """Start a program in the background; return the name of its container."""
        log = self.folder / f"program-{len(self._running)}.log"
        name = f"import-engine-{secrets.token_hex(4)}"
        line = [*self._before(name), *command]
        with log.open("wb") as output:
            self._running.append(
                subprocess.Popen(line, stdout=output, stderr=output, start_new_session=True)
            )
        self._logs.append(log)
        self._names.append(name)
        return name

    def health(self, name: str, *arguments: str) -> str:
        """Return what the image's health check prints in a running container; empty if healthy."""
        command = [*self._confined(name), name, "--", "probe", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}" or "unhealthy"

    def stop(self) -> None:
        """Stop all programs as a platform does, with SIGTERM; raise Failed if one does not end."""
        for program in self._running:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGTERM)
        for program in self._running:
            try:
                program.wait(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)
                raise Failed(f"process {program.pid} did not end within 30 s of SIGTERM") from None
        self._running.clear()

    def close(self) -> None:
        """Leave nothing behind."""
        with suppress(Failed):
            self.stop()
        for name in self._names:
            _remove(name)

    def output(self) -> str:
        """Return the end of what each program printed."""
        return "\n".join(f"--- {log.name}\n{log.read_text()[-1500:]}" for log in self._logs)

    @contextmanager
    def _command(self, command: list[str]) -> Iterator[list[str]]:
        name = f"import-engine-{secrets.token_hex(4)}"
        try:
            yield [*self._before(name), *command]
        finally:
            _remove(name)

    def _before(self, name: str) -> list[str]:
        """Make a container; return what comes before the command that runs in it."""
        make = ["buildah", "from", "--name", name, IMAGE]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        # The image's own volume would hide the folder that is mounted there.
        subprocess.run(["buildah", "config", "--volume=/data-", name], check=True)
        self._names.append(name)
        return [*self._confined(name), name, "--"]

    def _confined(self, name: str) -> list[str]:
        """Return the options that run a command in a container, which has a ``/tmp`` of its own."""
        temporary = self.folder / name
        if not temporary.exists():
            temporary.mkdir()
            temporary.chmod(0o1777)
        run = ["buildah", "run", "--isolation=chroot", "--cap-drop=all", f"--user={USER}:{USER}"]
        run += [f"--volume={self.data}:/data", f"--volume={temporary}:/tmp"]
        return [*run, *(f"--env={key}={value}" for key, value in self.settings.items())]


def _remove(name: str) -> None:
    subprocess.run(["buildah", "rm", name], capture_output=True, check=False)


class Walk:
    """An operator who runs the image."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.base = f"http://127.0.0.1:{PORT}"
        self.receiver = Receiver()
        own = {
            "IMPORT_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
            "IMPORT_SANDBOX": "strict",  # no job runs, and nothing is ready, without all of it
        }
        self.containers = Containers(folder, own | settings)
        self.client = Client(self.base, "")

    def prepare(self) -> None:
        """Make keys, tables, a license and a catalog, with the commands of docs/deploying.md."""
        printed = self.containers.run(*MANAGE, "keys", "--directory", "/data/keys")
        self.containers.settings |= dict(re.findall(r"^export (\w+)=(.*)$", printed, re.M))
        self.containers.run(*MANAGE, "migrate", "--verbosity", "0")
        minted = ["license", "mint", "--tenant", "tnt_acme", "--label", "Acme"]
        printed = self.containers.run(
            *MANAGE, *minted, "--private-key", "/data/keys/license-private.pem"
        )
        (self.client.key,) = re.findall(r"imp_lic_[\w.-]+", printed)
        catalog = ["catalog", "publish", "examples/catalogs/orders.json", "--tenant", "tnt_acme"]
        self.containers.run(*MANAGE, *catalog)

    def start(self, commands: list[list[str]]) -> None:
        """Start the programs; print the seconds until the engine is ready."""
        began = time.monotonic()
        names = [self.containers.start(command) for command in commands]
        until(lambda: readiness(self.base)[0] == 200, f"/readyz: {readiness(self.base)}")
        took = time.monotonic() - began
        load = os.getloadavg()[0]
        print(f"  ready after {took:.1f} s (goal {GOAL_S:.0f} s, load {load:.1f})", flush=True)
        if (state := readiness(self.base)[1]["sandbox"]) != "ok":
            raise Failed(f"the sandbox: {state}")
        for name in names:
            until(partial(self._is_healthy, name), f"the health check of {name}")
        print(f"  {len(names)} of {len(names)} health checks pass", flush=True)

    def _is_healthy(self, name: str) -> bool:
        return not self.containers.health(name, str(PORT))

    def deliver(self) -> None:
        """Take a CSV file to a verified delivery, and read the other kinds of files."""
        answer = self.client.call("webhooks", {"url": f"{self.receiver.origin}/apply/here"})
        deliver(self.client, self.receiver, path="/apply/here", secret=answer["signingSecret"])
        for name in OTHER_FILES:
            record_id = self.client.upload(name, (ROOT / "examples" / name).read_bytes())
            state = self.client.until_state(record_id, "mapping", "review")["state"]
            print(f"  {name}: read, {state}", flush=True)
        with urlopen(f"{self.base}/elements/service-import.js", timeout=10) as element:  # noqa: S310 (http, to itself)
            print(f"  the widget: {len(element.read())} bytes", flush=True)

    def attack(self) -> None:
        """Try what the sandbox must refuse, as the image's own user."""
        printed = self.containers.run("python", "-c", ATTACK).split()
        if printed != [USER]:
            raise Failed(f"a job that was taken over could: {printed}")
        print("  a job could not read, write, connect, execute or make a namespace", flush=True)

    def look_at_privileges(self) -> None:
        """Check what a program of the image may do."""
        status = self.containers.run("cat", "/proc/self/status")
        about = dict(re.findall(r"^(\w+):\s*(.*)$", status, re.M))
        names = ("Uid", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp")
        print("  " + ", ".join(f"{name} {about[name].split()[0]}" for name in names), flush=True)
        if about["Uid"].split() != [USER] * 4 or int(about["CapEff"], 16):
            raise Failed(f"the program has privileges: {about['Uid']} {about['CapEff']}")
        if written := self.containers.run("python", "-c", WRITE, *OUTSIDE).split():
            raise Failed(f"{', '.join(written)} could be written")


def embedded(folder: Path) -> None:
    """One container with the whole engine, on SQLite."""
    walk = Walk(folder, {})
    serve = [*MANAGE, "serve", "--host", "0.0.0.0", "--port", str(PORT)]  # noqa: S104 (in a container)
    _follow(walk, [serve])


def production(folder: Path) -> None:
    """A container for each program of docs/production.md, on PostgreSQL, Redis and SeaweedFS."""
    database = f"image_{secrets.token_hex(4)}"
    programs = blocks_of(ROOT / "docs" / "production.md")["programs"]
    programs = programs.replace("--port 8000", f"--port {PORT}")
    (folder / "store").mkdir()
    _ask(f"CREATE DATABASE {database}")
    try:
        with running_store(folder / "store") as store:
            given = {
                "IMPORT_POSTGRES_URL": f"{SERVER}/{database}",
                "IMPORT_REDIS_URL": REDIS,
                "IMPORT_S3_URL": f"{store.url}/files/engine",
                "AWS_ACCESS_KEY_ID": KEY,
                "AWS_SECRET_ACCESS_KEY": SECRET,
            }
            _follow(Walk(folder, given), [line.split() for line in commands_of(programs)])
            stored = sum(len(page) for page in store.bucket("files").list("engine/"))
            if not stored:
                raise Failed("no file is in the bucket")
            print(f"  {stored} files are in the bucket", flush=True)
    finally:
        _ask(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")


def _follow(walk: Walk, commands: list[list[str]]) -> None:
    try:
        walk.prepare()
        walk.start(commands)
        walk.deliver()
        walk.look_at_privileges()
        walk.attack()
        walk.containers.stop()
        print("  stopped by SIGTERM", flush=True)
    except Failed:
        print(walk.containers.output(), file=sys.stderr)
        raise
    finally:
        walk.containers.close()


def _ask(statement: str) -> None:
    command = ["psql", "--quiet", f"{SERVER}/postgres", "--command", statement]
    subprocess.run(command, check=True)


WAYS = {"embedded": embedded, "production": production}


def main(ways: list[str]) -> int:
    """Run the image each way."""
    for way in ways or WAYS:
        run = WAYS[way]
        print(f"{way}: {run.__doc__}", flush=True)
        with tempfile.TemporaryDirectory(prefix="image-") as folder:
            Path(folder).chmod(0o755)
            try:
                run(Path(folder))
            except Failed as error:
                print(f"\nfailed: {error}", file=sys.stderr)
                return 1
    print("the image works")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
