"""Landlock: the files, ports and processes a job can still access (landlock(7)); Linux 5.13."""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

# The numbers are the same on every architecture newer than x86-64.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION = 1
RULE_PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_DIR, MAKE_FILE, REFER, TRUNCATE = (1 << bit for bit in (7, 8, 13, 14))
READING = READ_FILE | READ_DIR
WRITING = READING | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_FILE | REFER | TRUNCATE
# The rights that apply to a path that is not a folder.
OF_FILES = EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # by version; 16 since version 5
TCP_SINCE, SCOPES_SINCE = 4, 6
BIND_AND_CONNECT, ABSTRACT_SOCKETS_AND_SIGNALS = 0b11, 0b11

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the kernel's Landlock version, or 0 if it has none."""
    nothing = ctypes.c_void_p(None)
    ask = ctypes.c_uint32(ASK_VERSION)
    answer = _libc.syscall(CREATE_RULESET, nothing, ctypes.c_size_t(0), ask)
    return max(int(answer), 0)


def restrict(
    *, readable: Iterable[Path], writable: Iterable[Path], executable: Iterable[Path] = ()
) -> bool:
    """
    Restrict this thread, and those it starts, to these paths. Return whether that worked.

    Nothing else may be executed, and no device, socket, pipe or symbolic link be created, anywhere.
    On a recent kernel, TCP, abstract sockets and signals to other processes are blocked too.
    """
    if not (speaks := version()):
        return False
    files = (1 << FILE_RIGHTS.get(speaks, 16)) - 1
    rules = _Ruleset(files, BIND_AND_CONNECT, ABSTRACT_SOCKETS_AND_SIGNALS)
    known = 24 if speaks >= SCOPES_SINCE else 16 if speaks >= TCP_SINCE else 8  # bytes
    ruleset = _libc.syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(known), 0)
    if ruleset < 0:
        return False
    try:
        given = ((READING, readable), (WRITING, writable), (READING | EXECUTE, executable))
        for rights, paths in given:
            for path in paths:
                _allow(ruleset, path, rights & files)
        return bool(_libc.syscall(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with suppress(OSError):  # a missing path needs no permission
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights if path.is_dir() else rights & OF_FILES
            rule = _PathBeneath(allowed, parent)
            if _libc.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0):
                raise OSError(ctypes.get_errno(), f"Landlock refuses a rule for {path}")
        finally:
            os.close(parent)
