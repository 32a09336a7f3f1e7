"""A parser that was taken over, and what it then reaches: its input and its folder."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from sandbox import POLICY, JobFailed, forks
from sandbox.children import CODE_ROOT
from tabular.job import isolation, landlock, seccomp

pytestmark = pytest.mark.skipif(not forks.is_possible(), reason="no server forks here")

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")
# For a refused unshare: a filter of our own before the server starts, like a container's.
WITHOUT_UNSHARE = """
import ctypes, struct
from tabular.job import seccomp
def program():
    yield seccomp.LOAD, 0, 0, seccomp.NUMBER
    yield seccomp.EQUAL, 0, 1, {"x86_64": 272, "aarch64": 97}[__import__("os").uname().machine]
    yield seccomp._answer(1)
    yield seccomp.RETURN, 0, 0, seccomp.ALLOW
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
given, seccomp._filter = seccomp._filter, lambda machine, calls: program()
assert seccomp.restrict()
seccomp._filter = given
assert ctypes.CDLL(None).unshare(0x40000000) != 0
"""


@pytest.fixture(
    params=[
        "as we are",
        pytest.param("as an ordinary user", marks=needs_root),
        "where unshare is refused",
    ]
)
def taken_over(request, standing, monkeypatch, take_over):
    """
    Return a function that runs code in a compromised child, under different users.

    It runs as root if we are, as a user, and without namespaces.
    """
    user = NOBODY if request.param == "as an ordinary user" else None
    arguments = ["--without", "hook"]
    arguments += ["--as", str(user)] if user is not None else []
    arguments += ["--first", WITHOUT_UNSHARE] if "unshare" in request.param else []
    monkeypatch.setattr(forks, "SERVERS", standing(*arguments))
    return lambda code: take_over(code, user=user)


def denied(answer: str) -> bool:
    return str(answer).startswith(("PermissionError", "OSError: [Errno 38]"))


def test_this_machine_confines():
    assert isolation.missing() == []


def test_the_input_is_read_and_the_folder_written(taken_over):
    code = """
from pathlib import Path
(folder / "out" / "x").mkdir()
(folder / "out" / "x" / "y").write_text("mine")
(folder / "out" / "x" / "y").rename(folder / "out" / "z")
answer = Path(request.input).read_text() + (folder / "out" / "z").read_text()
"""

    assert taken_over(code) == "name;age\nAda;36\nmine"


@pytest.mark.parametrize("attempt", ["open(PATH).read()", "open(PATH, 'r+')", "os.listdir(FOLDER)"])
def test_other_files_are_out_of_reach(taken_over, job_slot, attempt):
    (other := job_slot / "other").mkdir()
    (other / "secret").write_text("another tenant's")
    other.chmod(0o777)
    (other / "secret").chmod(0o666)
    code = attempt.replace("PATH", repr(str(other / "secret"))).replace("FOLDER", repr(str(other)))

    assert denied(taken_over(f"import os\nanswer = {code}"))


@pytest.mark.parametrize(
    "attempt",
    [
        "open(PATH, 'ab').write(b'x')",
        "os.truncate(PATH, 0)",
        "os.unlink(PATH)",
        "os.rename(PATH, folder / 'out' / 'database')",
        "os.link(PATH, folder / 'out' / 'database')",
        "os.symlink(PATH, folder / 'out' / 'database')",
        "os.chmod(PATH, 0)",
        "os.utime(PATH, (0, 0))",
    ],
)
def test_the_database_file_is_neither_written_nor_moved_nor_changed(taken_over, job_slot, attempt):
    (data := job_slot / "data").mkdir()
    database = data / "engine.sqlite3"
    database.write_bytes(b"SQLite format 3")
    data.chmod(0o777)
    database.chmod(0o666)

    answer = taken_over(f"import os\nanswer = {attempt.replace('PATH', repr(str(database)))}")

    assert denied(answer)
    assert database.read_bytes() == b"SQLite format 3"


def test_the_input_itself_is_not_written(taken_over, job_slot):
    assert denied(taken_over("answer = open(request.input, 'r+')"))


def test_no_unix_socket_is_reached(taken_over, job_slot):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(job_slot / "socket"))
        (job_slot / "socket").chmod(0o777)
        listening.listen()
        path = str(job_slot / "socket")

        code = f"import socket; socket.socket(socket.AF_UNIX).connect({path!r})"
        assert denied(taken_over(code))


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_UNIX", "AF_VSOCK"])
def test_there_are_no_sockets_of_any_kind(taken_over, family):
    assert denied(taken_over(f"import socket; socket.socket(socket.{family}, socket.SOCK_RAW)"))


def test_no_tcp_port_is_reached(taken_over):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()

        assert denied(taken_over(f"import socket; socket.create_connection({address}, 2)"))


@pytest.mark.parametrize("file", ["environ", "mem", "maps", "cwd/manage.py", "root/etc/passwd"])
def test_environment_and_memory_of_the_worker_are_closed(taken_over, file):
    assert denied(taken_over(f"answer = open('/proc/{os.getpid()}/{file}', 'rb').read(1)"))


@pytest.mark.parametrize("file", ["environ", "mem", "fd/0"])
def test_environment_and_memory_of_the_server_are_closed(taken_over, file):
    assert denied(taken_over(f"import os; answer = open(f'/proc/{{os.getppid()}}/{file}', 'rb')"))


@pytest.mark.parametrize(
    "call",
    [
        "libc.ptrace(16, PID, 0, 0)",  # PTRACE_ATTACH
        "libc.process_vm_readv(PID, None, 0, None, 0, 0)",
        "libc.syscall(438, os.pidfd_open(PID), 0, 0)",  # pidfd_getfd
        "libc.syscall(425, 8, None)",  # io_uring_setup
        "libc.syscall(250, 0, 0, 0)",  # keyctl
        "libc.syscall(321, 0, None, 0)",  # bpf
        "libc.unshare(0x10000000)",
        "libc.mount(b'none', b'/', b'tmpfs', 0, None)",
        "libc.kill(PID, 0)",
        "libc.kill(-1, 0)",
        "libc.fcntl(1, 8, PID)",  # F_SETOWN
        "libc.prctl(4, 1, 0, 0, 0)",  # PR_SET_DUMPABLE
        "libc.setuid(0) or libc.setgid(0) or libc.chroot(b'/')",
    ],
)
def test_no_call_reaches_another_process_or_the_kernels_further_interfaces(taken_over, call):
    code = f"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
result = {call.replace("PID", str(os.getpid()))}
answer = [result, ctypes.get_errno()]
"""
    answer = taken_over(code)

    assert denied(answer) or (answer[0] == -1 and answer[1] in {1, 38})  # EPERM, ENOSYS


@pytest.mark.parametrize(
    "attempt",
    [
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv('/bin/true', ['true'])",
        "__import__('subprocess').run(['true'])",
        "__import__('ctypes').CDLL(None).vfork()",
        "os.forkpty()",
    ],
)
def test_no_process_is_started_that_could_outlive_it(taken_over, attempt):
    before = {process.pid for process in psutil.process_iter()}
    answer = taken_over(f"import os\nanswer = {attempt}")

    assert denied(answer) or answer == -1
    assert not [
        process
        for process in psutil.process_iter(["cmdline"])
        if process.pid not in before
        and "stand_in" in " ".join(process.info["cmdline"] or [])
        and process.ppid() == 1
    ]


def test_threads_and_libraries_work(taken_over):
    code = """
import threading, zoneinfo, pyarrow, pyarrow.compute
done = []
threads = [threading.Thread(target=done.append, args=(n,)) for n in range(8)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
answer = [len(done), pyarrow.compute.sum(pyarrow.array(range(1000))).as_py()]
"""
    if "as an ordinary user" in str(os.environ.get("PYTEST_CURRENT_TEST")):
        code = code.replace(", pyarrow, pyarrow.compute", "").replace(
            "pyarrow.compute.sum(pyarrow.array(range(1000))).as_py()", "499500"
        )  # the interpreter may lie in a folder of root's

    assert taken_over(code) == [8, 499500]


EXAMPLES = CODE_ROOT / "examples"
PDF, BOOK = EXAMPLES / "price-list.pdf", EXAMPLES / "stock-two-sheets.xlsx"
NAMES = ["Read me", "Stock", "Units"]
IMPORTS = "from pathlib import Path; from tabular.reading import read"


@pytest.mark.parametrize(
    ("file", "code", "expected"),
    [
        (PDF, "import pypdfium2 as p; answer = p.PdfDocument(GIVEN)[0].render().height", 842),
        (PDF, f"{IMPORTS}; answer = len(read(Path(GIVEN)).tables)", 1),
        (BOOK, "import openpyxl; answer = openpyxl.open(open(GIVEN, 'rb')).sheetnames[1]", "Stock"),
        (BOOK, "import python_calamine as c; answer = c.load_workbook(GIVEN).sheet_names", NAMES),
        (None, "import pandas; answer = int(pandas.read_html(GIVEN)[0]['b'][0])", 2),
        (None, "import lxml.html; answer = lxml.html.parse(GIVEN).getroot().tag", "html"),
        (None, "import numpy; a = numpy.ones((500, 500)); answer = float((a @ a)[0, 0])", 500.0),
        (None, "import phonenumbers; answer = phonenumbers.parse('+4930123456').country_code", 49),
    ],
)  # fmt: skip
def test_readers_work_with_what_is_left_to_them(
    standing, monkeypatch, take_over, file, code, expected
):
    content = file.read_bytes() if file else b"<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    monkeypatch.setattr(forks, "SERVERS", standing("--without", "hook"))

    assert take_over(code.replace("GIVEN", "request.input"), content=content) == expected


def test_file_sizes_are_limited(taken_over):
    code = "import resource; answer = resource.getrlimit(resource.RLIMIT_FSIZE)[1]"

    assert taken_over(code) == 20 * 1024**3


def test_memory_that_is_not_there_is_a_limit_and_no_fault_of_ours(serve, take_over):
    from tabular.model.problem import TabularProblem

    serve()

    with pytest.raises(TabularProblem) as caught:
        take_over("bytearray(64 * 1024**3)")

    assert caught.value.as_dict()["setting"] == "IMPORT_LIMIT_MEMORY_BYTES"


@pytest.mark.parametrize("name", ["landlock", "seccomp"])
def test_a_strict_job_that_is_not_confined_is_not_run(serve, take_over, monkeypatch, name):
    monkeypatch.setattr(POLICY, "is_strict", True)
    serve("--without", name)

    with pytest.raises(JobFailed, match=f"strict.*lacks {name}"):
        take_over("answer = 1")


@pytest.mark.parametrize("name", ["landlock", "seccomp"])
def test_what_a_machine_lacks_is_named(monkeypatch, name):
    monkeypatch.setattr(landlock, "version", lambda: int(name != "landlock"))
    monkeypatch.setattr(seccomp, "is_available", lambda: name != "seccomp")

    assert isolation.missing() == [name]


def test_a_process_that_closed_itself_keeps_its_environment():
    code = "from tabular.job.isolation import close_to_others; close_to_others(); import time; "
    code += "print('ready', flush=True); time.sleep(60)"
    worker = subprocess.Popen(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(CODE_ROOT), "SECRET": "s3cret"},
        stdout=subprocess.PIPE,
    )
    with worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        owner = Path(f"/proc/{worker.pid}/environ").stat().st_uid
        worker.kill()

    assert owner == 0  # inaccessible for an ordinary user, who owns this process
