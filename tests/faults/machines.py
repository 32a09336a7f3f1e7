"""Machines of a fleet: programs and folders of their own, and a way to each service to be cut."""

import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

from scripts.development import environment
from tests.processes.conftest import free_port
from tests.processes.template import ROOT

SERVICES = ("IMPORT_POSTGRES_URL", "IMPORT_REDIS_URL", "IMPORT_S3_URL")


class Relay:
    """A port that passes connections on to another one, until it is cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._open = threading.Event()
        self._open.set()
        self._refuses = False
        self.felt = 0  # connections that were reset or refused, or had to wait, since the last cut
        self.passed = 0  # bytes, since it was slowed
        self._at_once, self._pause_s = 65_536, 0.0
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.port = 0
        self.listen()

    def listen(self) -> None:
        """Accept connections, on the port of the last time."""
        self._refuses = False
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def go_away(self) -> None:
        """Reset what is open and refuse connections, as if the program behind it were gone."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut(silently=False)

    def slow_down(self, at_once: int, pause_s: float) -> None:
        """Pass so many bytes, then pause, and so on. pause_s: 0 for full speed."""
        self._at_once, self._pause_s, self.passed = at_once, pause_s, 0

    def cut(self, *, silently: bool) -> None:
        """Pass nothing on. silently: connections stay open; otherwise they are reset."""
        self.felt = 0
        if silently:
            self._open.clear()
            return
        self._refuses = True
        for pair in list(self._pairs):
            self.felt += 1
            _end(pair)

    def mend(self) -> None:
        """Pass on again, including what waited."""
        self._refuses = False
        self._open.set()

    @property
    def is_used(self) -> bool:
        """Return whether a connection is open."""
        return bool(self._pairs)

    def close(self) -> None:
        """End for good."""
        self.go_away()
        self._open.set()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                inner, _ = listener.accept()
            except OSError:
                return
            try:
                if self._refuses:
                    self.felt += 1
                    raise ConnectionRefusedError
                outer = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                inner.close()
                continue
            pair = inner, outer
            self._pairs.append(pair)
            for source, sink in (pair, pair[::-1]):
                threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(self._at_once):
                self.felt += not self._open.is_set()
                self._open.wait()
                sink.sendall(part)
                self.passed += len(part)
                time.sleep(self._pause_s)
        pair = source, sink
        _end(pair)
        for order in (pair, pair[::-1]):
            with suppress(ValueError):
                self._pairs.remove(order)


def _end(pair: tuple[socket.socket, socket.socket]) -> None:
    for end in pair:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


class Machine:
    """Some programs of the engine with files of their own, restarted when they end."""

    def __init__(self, folder: Path, programs: list[str], given: dict[str, str]) -> None:
        """
        Prepare it.

        programs: of ``web``, ``worker`` and ``beat``. given: its environment, with the addresses of
        all services; the machine has them at ports of its own.
        """
        folder.mkdir()
        self.folder = folder
        self.programs = programs
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}/api/import/v1"
        self.relays: dict[str, Relay] = {}
        given = {**given, "IMPORT_DATA_DIR": str(folder / "data")}
        for name in SERVICES:
            address = given[name].split("/")[2].rpartition("@")[2]
            self.relays[name] = Relay(int(address.rpartition(":")[2]))
            given[name] = given[name].replace(address, f"127.0.0.1:{self.relays[name].port}")
        self._environment = environment(given)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start its programs; they are up some seconds later."""
        command = [sys.executable, "-m", "tests.faults.machine", str(self.port), self.folder.name]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *self.programs],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill every process at once, as a power cut does; its folder stays."""
        assert self._process is not None
        top = psutil.Process(self._process.pid)
        family = [top, *top.children(recursive=True)]
        for process in family:  # the first ones could start others
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGSTOP)
        family += [item for item in top.children(recursive=True) if item not in family]
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait()
        psutil.wait_procs(family)

    def close(self) -> None:
        """End it for good."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
        for relay in self.relays.values():
            relay.close()

    def output(self) -> str:
        """Return the end of its programs' output."""
        path = self.folder / "log"
        return path.read_text("utf-8", "replace")[-6_000:] if path.exists() else ""
