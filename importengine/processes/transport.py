"""
The embedded broker: kombu's filesystem transport, made safe to kill.

kombu writes a message in place and may read it half written, and its worker exits on an unreadable
one. Here a message gets its name only once it is complete, the process that unlinks it owns it, and
an unreadable message is skipped.
"""

import ctypes
import fcntl
import logging
import os
import secrets
import select
import sys
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any, cast

from kombu import Connection
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps, loads
from kombu.utils.scheduling import FairCycle

logger = logging.getLogger(__name__)

SCHEME = "files"
ABANDONED_S = 600  # a message unfinished by then lost its writer
LONGEST_S = 1.0
IN_MOVED_TO = 0x80  # a message gets its name by a rename
EVENTS_BYTES = 65_536
TRANSPORT_ALIASES[SCHEME] = "importengine.processes.transport:Transport"


class Channel(filesystem.Channel):
    """Messages are files of one folder, returned in order of arrival."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # A listing is used until it is empty: one per message is quadratic in a full queue.
        self._listed: defaultdict[str, deque[str]] = defaultdict(deque)

    def get_table(self, exchange: str) -> list[Any]:
        """Return the queues bound to an exchange."""
        try:
            return list(super().get_table(exchange))
        except ValueError:
            return []

    def _queue_bind(
        self, exchange: str, routing_key: str | None, pattern: str | None, queue: str | None
    ) -> None:
        file: Path = self._exchange_file(exchange)  # type: ignore[attr-defined]  # not in the stubs
        bound = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with _locked(self.control_folder):
            table = self.get_table(exchange)
            if bound not in table:
                _write_whole(file, dumps([bound, *table]).encode())

    # kombu's type stubs disagree on the name of the second argument.
    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]
        name = f"{time.time_ns():020}_{secrets.token_hex(8)}.{queue}.msg"
        _write_whole(Path(self.data_folder_out) / name, dumps(payload).encode())

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for path in self._waiting(queue):
            with suppress(FileNotFoundError):  # another process took it first
                content = path.read_bytes()
                path.unlink()
                try:
                    return loads(content.decode())
                except ValueError:
                    logger.warning("an unreadable wake-up was dropped; the sweep finds the work")
        raise Empty

    def _waiting(self, queue: str) -> Iterator[Path]:
        names, folder = self._listed[queue], Path(self.data_folder_in)
        if not names:
            names += _messages(folder, f".{queue}.msg")
        while names:
            yield folder / names.popleft()


class Arrivals:
    """
    Files that get a name in one folder, told by the kernel: inotify(7).

    Where it cannot tell (another system, no watches left), the folder is looked at every so often,
    as it is once a second in any case: a file system of a network may keep silent.
    """

    def __init__(self, folder: Path, *, every_s: float) -> None:
        self._every_s = every_s
        self._events = _events_of(folder)

    def wait(self, most_s: float) -> None:
        """Return when a file may have arrived, at the latest after some seconds."""
        if self._events is None:
            time.sleep(min(self._every_s, most_s))
            return
        poll = select.poll()
        poll.register(self._events, select.POLLIN)
        if poll.poll(1000 * min(LONGEST_S, most_s)):
            os.read(self._events, EVENTS_BYTES)

    def close(self) -> None:
        """Stop listening."""
        if self._events is not None:
            os.close(self._events)
            self._events = None


def _events_of(folder: Path) -> int | None:
    """Return a descriptor that is readable once a file arrives, or None if there is none."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    events: int = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
    if events < 0:
        return None
    if libc.inotify_add_watch(events, os.fsencode(folder), IN_MOVED_TO) < 0:
        os.close(events)
        return None
    return events


class Transport(filesystem.Transport):
    """The transport of the scheme ``files``."""

    Channel = Channel
    _arrivals: Arrivals | None = None

    # kombu's type stubs disagree on the arguments.
    def drain_events(  # type: ignore[override]
        self, connection: Any, timeout: float | None = None
    ) -> None:
        """Deliver a message. Raise TimeoutError if none arrives in time."""
        end = float("inf") if timeout is None else time.monotonic() + timeout
        while True:
            with suppress(Empty):
                cast(FairCycle, self.cycle).get(self._deliver, timeout=timeout)
                return
            if (left := end - time.monotonic()) <= 0:
                raise TimeoutError
            self._pause(left)

    def _pause(self, most_s: float) -> None:
        """Wait for a message, or a while if a channel takes none until others are done."""
        every_s = self.polling_interval or LONGEST_S
        if not all(channel.qos.can_consume() for channel in self.channels or ()):
            time.sleep(min(every_s, most_s))
            return
        if self._arrivals is None:
            options: Any = cast(Connection, self.client).transport_options
            self._arrivals = Arrivals(Path(options["data_folder_in"]), every_s=every_s)
            return  # a message may have arrived before
        self._arrivals.wait(most_s)

    def close_connection(self, connection: Any) -> None:
        """Close it, and stop listening."""
        if self._arrivals is not None:
            self._arrivals.close()
            self._arrivals = None
        super().close_connection(connection)


def _messages(folder: Path, ending: str) -> list[str]:
    names = []
    for name in os.listdir(folder):
        if name.startswith("."):
            _remove_abandoned(folder / name)
        elif name.endswith(ending):
            names.append(name)
    return sorted(names)


def _remove_abandoned(part: Path) -> None:
    with suppress(FileNotFoundError):
        if part.stat().st_mtime < time.time() - ABANDONED_S:
            part.unlink()


def _write_whole(file: Path, content: bytes) -> None:
    """Write under a temporary name, then rename. No fsync: the database is the truth."""
    part = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        part.write_bytes(content)
        part.rename(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
