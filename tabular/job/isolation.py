"""Confine a job before it reads untrusted bytes.

The job gives up files, network, processes and outliving its parent. Linux confines by Landlock
(files, ports, signals) and seccomp (system calls); neither needs a privilege. Where one is missing,
the rest still applies: namespaces if the kernel grants them, limits, and an audit hook in the
interpreter, which stops mistakes but no attacker.
"""

import ctypes
import mimetypes
import os
import resource
import sys
import sysconfig
import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import tabular
from tabular.job import landlock, seccomp
from tabular.model.problem import Limits

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
CAPABILITY_VERSION_3 = 0x20080522
CAPSET = {"x86_64": 126, "aarch64": 91}
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
DEFAULTS = Limits()
MEMORY_TIMES = 2  # reserved but untouched memory counts here, but not for the watch
OF_PYTHON = ("stdlib", "platstdlib", "purelib", "platlib")
SYSTEM = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/zoneinfo", "/usr/share/fonts", "/etc/localtime"),
    *("/dev/null", "/dev/zero", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"),
    *("/proc/self/maps", "/proc/self/status", "/sys/devices/system/cpu"),
    *mimetypes.knownfiles,  # openpyxl looks them up when it is imported
)
REFUSED_EVENTS = frozenset(
    {"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"}
)
STARTING_EVENTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"})


def isolate(
    *, readable: Iterable[Path] = (), writable: Iterable[Path] = (), limits: Limits = DEFAULTS
) -> list[str]:
    """
    Give up what a job does not need. Return the missing means of confinement.

    readable: the job's input files, besides the libraries. writable: folders it may fill.
    """
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, limits.folder_bytes)
    limit(resource.RLIMIT_DATA, MEMORY_TIMES * limits.memory_bytes)
    missing = _confine(readable, writable) if sys.platform == "linux" else ["landlock", "seccomp"]
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    sys.addaudithook(_refuse)
    return missing


def limit(what: int, most: int) -> None:
    """Lower a limit of this process and those it starts, for good."""
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def missing() -> list[str]:
    """Return the means of confinement that this machine lacks."""
    if sys.platform != "linux":
        return ["landlock", "seccomp"]
    has = {"landlock": landlock.version() > 0, "seccomp": seccomp.is_available()}
    return [name for name, is_there in has.items() if not is_there]


def close_to_others() -> None:
    """Prevent other processes of the same user from reading this one's memory and environment."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def _confine(readable: Iterable[Path], writable: Iterable[Path]) -> list[str]:
    begin_confinement()
    reading = (*libraries(), *readable)
    # Landlock applies to the calling thread and the threads it starts.
    is_alone = len(os.listdir("/proc/self/task")) == 1
    done = {
        "landlock": landlock.restrict(readable=reading, writable=writable) and is_alone,
        "seccomp": seccomp.restrict(),
    }
    return [name for name, is_done in done.items() if not is_done]


def begin_confinement() -> None:
    """Give up privileges, and gaining any; where the kernel cannot filter calls, the network."""
    close_to_others()
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if "seccomp" in missing():  # seccomp blocks sockets altogether
        any(libc.unshare(flags) == 0 for flags in (CLONE_NEWNET, CLONE_NEWUSER | CLONE_NEWNET))
    _drop_capabilities(libc)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    """Drop root's privileges; does nothing for other users."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if (call := CAPSET.get(os.uname().machine)) is not None:
        libc.syscall(call, header, nothing)


@cache
def libraries() -> tuple[Path, ...]:
    """Return what a job may read besides its input: the engine, Python and the libraries."""
    # Never the folder that contains the code: the data folder may be next to it.
    of_python = (sysconfig.get_path(name) for name in OF_PYTHON)
    return (Path(tabular.__file__).parent, *map(Path, of_python), *map(Path, SYSTEM))


def _end_with_parent() -> None:
    # The parent holds our stdin open as long as it lives. When it closes, we end, even after kill
    # -9.
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    os._exit(4)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in REFUSED_EVENTS:
        raise PermissionError(f"a job has no network ({event})")
    if event in STARTING_EVENTS and not _is_probe(event, arguments):
        raise PermissionError(f"a job starts no programs ({event})")


def _is_probe(event: str, arguments: tuple[Any, ...]) -> bool:
    # A reader may test a file that could crash the process in a child of this same interpreter.
    return event == "subprocess.Popen" and arguments[0] == sys.executable
