"""The system calls a job can still make: seccomp(2), as a hand-written filter."""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Iterator

_X86_64 = """
access:21 brk:12 chdir:80 clock_getres:229 clock_gettime:228 clock_nanosleep:230 clone:56
clone3:435 close:3 close_range:436 copy_file_range:326 dup:32 dup2:33 dup3:292 epoll_create:213
epoll_create1:291 epoll_ctl:233 epoll_pwait:281 epoll_wait:232 eventfd2:290 exit:60
exit_group:231 faccessat:269 faccessat2:439 fadvise64:221 fallocate:285 fchdir:81 fcntl:72
fdatasync:75 flock:73 fstat:5 fstatfs:138 fsync:74 ftruncate:77 futex:202 futex_waitv:449
get_robust_list:274 getcpu:309 getcwd:79 getdents:78 getdents64:217 getegid:108 geteuid:107
getgid:104 getgroups:115 getitimer:36 getpgid:121 getpgrp:111 getpid:39 getppid:110
getpriority:140 getrandom:318 getresgid:120 getresuid:118 getrlimit:97 getrusage:98 getsid:124
gettid:186 gettimeofday:96 getuid:102 ioctl:16 kill:62 lseek:8 lstat:6 madvise:28 membarrier:324
mincore:27 mkdir:83 mkdirat:258 mlock:149 mmap:9 mprotect:10 mremap:25 msync:26 munlock:150
munmap:11 nanosleep:35 newfstatat:262 open:2 openat:257 pipe:22 pipe2:293 poll:7 ppoll:271
prctl:157 pread64:17 prlimit64:302 pselect6:270 pwrite64:18 read:0 readahead:187 readlink:89
readlinkat:267 readv:19 rename:82 renameat:264 renameat2:316 restart_syscall:219 rmdir:84
rseq:334 rt_sigaction:13 rt_sigpending:127 rt_sigprocmask:14 rt_sigreturn:15 rt_sigsuspend:130
rt_sigtimedwait:128 sched_get_priority_max:146 sched_get_priority_min:147 sched_getaffinity:204
sched_getparam:143 sched_getscheduler:145 sched_yield:24 select:23 sendfile:40
set_robust_list:273 set_tid_address:218 sigaltstack:131 stat:4 statfs:137 statx:332
sync_file_range:277 sysinfo:99 tgkill:234 time:201 times:100 umask:95 uname:63 unlink:87
unlinkat:263 write:1 writev:20
"""
_AARCH64 = """
brk:214 chdir:49 clock_getres:114 clock_gettime:113 clock_nanosleep:115 clone:220 clone3:435
close:57 close_range:436 copy_file_range:285 dup:23 dup3:24 epoll_create1:20 epoll_ctl:21
epoll_pwait:22 eventfd2:19 exit:93 exit_group:94 faccessat:48 faccessat2:439 fadvise64:223
fallocate:47 fchdir:50 fcntl:25 fdatasync:83 flock:32 fstat:80 fstatfs:44 fsync:82 ftruncate:46
futex:98 futex_waitv:449 get_robust_list:100 getcpu:168 getcwd:17 getdents64:61 getegid:177
geteuid:175 getgid:176 getgroups:158 getitimer:102 getpgid:155 getpid:172 getppid:173
getpriority:141 getrandom:278 getresgid:150 getresuid:148 getrlimit:163 getrusage:165 getsid:156
gettid:178 gettimeofday:169 getuid:174 ioctl:29 kill:129 lseek:62 madvise:233 membarrier:283
mincore:232 mkdirat:34 mlock:228 mmap:222 mprotect:226 mremap:216 msync:227 munlock:229
munmap:215 nanosleep:101 newfstatat:79 openat:56 pipe2:59 ppoll:73 prctl:167 pread64:67
prlimit64:261 pselect6:72 pwrite64:68 read:63 readahead:213 readlinkat:78 readv:65 renameat:38
renameat2:276 restart_syscall:128 rseq:293 rt_sigaction:134 rt_sigpending:136 rt_sigprocmask:135
rt_sigreturn:139 rt_sigsuspend:133 rt_sigtimedwait:137 sched_get_priority_max:125
sched_get_priority_min:126 sched_getaffinity:123 sched_getparam:121 sched_getscheduler:120
sched_yield:124 sendfile:71 set_robust_list:99 set_tid_address:96 sigaltstack:132 statfs:43
statx:291 sync_file_range:84 sysinfo:179 tgkill:131 times:153 umask:166 uname:160 unlinkat:35
write:64 writev:66
"""


# What a program needs that is executed, besides the calls above.
_EXECUTING = {"x86_64": {"execve": 59, "arch_prctl": 158}, "aarch64": {"execve": 221}}


def numbers(machine: str) -> dict[str, int]:
    """Return call names and numbers for a machine as ``os.uname`` names it; empty if unknown."""
    table = {"x86_64": _X86_64, "aarch64": _AARCH64}.get(machine, "")
    return {
        name: int(number) for name, _, number in (item.partition(":") for item in table.split())
    }


ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SECCOMP = {"x86_64": 317, "aarch64": 277}
SET_FILTER, IS_AVAILABLE = 1, 2
ALL_THREADS = 1
KILL, REFUSE, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
NEWEST_KNOWN = 450  # later calls get "no such call", which libraries handle as on an older kernel

LOAD, EQUAL, AT_LEAST, ANY_OF, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24  # offsets in struct seccomp_data; low halves

A_THREAD = 0x00010000  # CLONE_THREAD
NAME_OF_THREAD = (15, 16)  # PR_SET_NAME, PR_GET_NAME
OF_TERMINALS_AND_FILES = (0x5401, 0x541B, 0x5450, 0x5451)  # TCGETS, FIONREAD, FIO(N)CLEX
OF_DESCRIPTORS = (*range(8), 36, 37, 38, 1030)  # all but who is signalled; F_DUPFD_CLOEXEC

Instruction = tuple[int, int, int, int]
_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_available() -> bool:
    """Return whether the kernel can filter this machine's system calls and lets us request it."""
    call = SECCOMP.get(os.uname().machine)
    action = ctypes.c_uint32(REFUSE)
    return call is not None and _libc.syscall(call, IS_AVAILABLE, 0, ctypes.byref(action)) == 0


def restrict(*, executes: bool = False) -> bool:
    """
    Filter this process's system calls from now on. Return whether that worked.

    executes: it may still become another program, which keeps the filter.
    """
    machine = os.uname().machine
    if machine not in SECCOMP:
        return False
    calls = numbers(machine) | (_EXECUTING[machine] if executes else {})
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in _filter(machine, calls))
    program = _Program(len(code) // 8, code)
    call = SECCOMP[machine]
    return bool(_libc.syscall(call, SET_FILTER, ALL_THREADS, ctypes.byref(program)) == 0)


def _filter(machine: str, calls: dict[str, int]) -> Iterator[Instruction]:
    own = (os.getpid(),)
    yield LOAD, 0, 0, ARCHITECTURE
    yield EQUAL, 1, 0, ARCHITECTURES[machine]
    yield RETURN, 0, 0, KILL
    yield LOAD, 0, 0, NUMBER
    yield from _when(calls.pop("clone3"), [_answer(errno.ENOSYS)])  # its flags cannot be inspected
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
    """Return instructions that allow a call whose argument passes the test with any value."""
    allow: Instruction = (RETURN, 0, 0, ALLOW)
    tests = [item for value in values for item in ((test, 0, 1, value), allow)]
    return [(LOAD, 0, 0, argument), *tests, _answer(errno.EPERM)]


def _answer(number: int) -> Instruction:
    return RETURN, 0, 0, REFUSE | number
