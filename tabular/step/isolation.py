"""What a step gives up before it looks at foreign bytes: network, core dumps, orphanhood."""

import ctypes
import os
import resource
import sys
import threading
from typing import Any

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
REFUSED_EVENTS = frozenset(
    {"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"}
)
STARTING_EVENTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"})


def isolate() -> str:
    """Give up what a step does not need; say whether the kernel or the interpreter guards it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    guard = "unshare" if _unshare_network() else "audit"
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    sys.addaudithook(_refuse)
    return guard


def _end_with_parent() -> None:
    # The parent holds our stdin open for as long as it lives: its end is ours, even by kill -9.
    while os.read(0, 4096):
        pass
    os._exit(4)


def _unshare_network() -> bool:
    # os.unshare comes with Python 3.12. A new user namespace needs a process of one thread.
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return any(libc.unshare(flags) == 0 for flags in (CLONE_NEWNET, CLONE_NEWUSER | CLONE_NEWNET))


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in REFUSED_EVENTS:
        raise PermissionError(f"a step has no network ({event})")
    if event in STARTING_EVENTS and not _is_probe(event, arguments):
        raise PermissionError(f"a step starts no programs ({event})")


def _is_probe(event: str, arguments: tuple[Any, ...]) -> bool:
    # A reader may try a file that could end the process in a child of this same interpreter.
    return event == "subprocess.Popen" and arguments[0] == sys.executable
