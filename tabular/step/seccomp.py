"""seccomp: the system calls a step can still make (seccomp(2)), as a filter put together by hand.

What is allowed is listed. No process can be started, no socket be made, no other process be
looked into or signalled, no mode or owner of a file be changed, and no newer door of the kernel be
found open: io_uring, bpf, keyrings, namespaces, mounts and what comes after them.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Iterator

from tabular.step.system_calls import numbers

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SECCOMP = {"x86_64": 317, "aarch64": 277}
SET_FILTER, IS_AVAILABLE = 1, 2
ALL_THREADS = 1
KILL, REFUSE, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
NEWEST_KNOWN = 450  # a library takes "there is no such call" of later ones for an older kernel

LOAD, EQUAL, AT_LEAST, ANY_OF, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24  # places in struct seccomp_data; low halves

A_THREAD = 0x00010000  # CLONE_THREAD
NAME_OF_THREAD = (15, 16)  # PR_SET_NAME, PR_GET_NAME
OF_TERMINALS_AND_FILES = (0x5401, 0x541B, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIO(N)CLEX
OF_DESCRIPTORS = (*range(8), 36, 37, 38, 1030)  # all but who is signalled; F_DUPFD_CLOEXEC

Instruction = tuple[int, int, int, int]
_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_available() -> bool:
    """Say whether the kernel filters the system calls of this machine, and lets us ask for it."""
    call = SECCOMP.get(os.uname().machine)
    action = ctypes.c_uint32(REFUSE)
    return call is not None and _libc.syscall(call, IS_AVAILABLE, 0, ctypes.byref(action)) == 0


def restrict() -> bool:
    """Filter the system calls of this process from now on; say whether that was done."""
    machine = os.uname().machine
    if machine not in SECCOMP:
        return False
    code = b"".join(struct.pack("HBBI", *one) for one in _filter(machine))
    program = _Program(len(code) // 8, code)
    call = SECCOMP[machine]
    return bool(_libc.syscall(call, SET_FILTER, ALL_THREADS, ctypes.byref(program)) == 0)


def _filter(machine: str) -> Iterator[Instruction]:
    calls = numbers(machine)
    own = (os.getpid(),)
    yield LOAD, 0, 0, ARCHITECTURE
    yield EQUAL, 1, 0, ARCHITECTURES[machine]
    yield RETURN, 0, 0, KILL
    yield LOAD, 0, 0, NUMBER
    yield from _when(calls.pop("clone3"), [_answer(errno.ENOSYS)])  # its flags cannot be seen
    yield from _when(calls.pop("clone"), _with(FIRST, ANY_OF, [A_THREAD]))
    yield from _when(calls.pop("prctl"), _with(FIRST, EQUAL, NAME_OF_THREAD))
    yield from _when(calls.pop("ioctl"), _with(SECOND, EQUAL, OF_TERMINALS_AND_FILES))
    yield from _when(calls.pop("fcntl"), _with(SECOND, EQUAL, OF_DESCRIPTORS))
    for name in ("kill", "tgkill"):  # abort() signals itself
        yield from _when(calls.pop(name), _with(FIRST, EQUAL, own))
    yield from _when(calls.pop("prlimit64"), _with(FIRST, EQUAL, (0, *own)))
    for number in calls.values():
        yield from _when(number, [(RETURN, 0, 0, ALLOW)])
    yield AT_LEAST, 0, 1, NEWEST_KNOWN + 1
    yield _answer(errno.ENOSYS)
    yield _answer(errno.EPERM)


def _when(number: int, then: list[Instruction]) -> Iterator[Instruction]:
    yield EQUAL, 0, len(then), number
    yield from then


def _with(argument: int, test: int, values: Iterable[int]) -> list[Instruction]:
    """Allow the call when the argument passes the test with one of the values."""
    allow: Instruction = (RETURN, 0, 0, ALLOW)
    tests = [one for value in values for one in ((test, 0, 1, value), allow)]
    return [(LOAD, 0, 0, argument), *tests, _answer(errno.EPERM)]


def _answer(number: int) -> Instruction:
    return RETURN, 0, 0, REFUSE | number
