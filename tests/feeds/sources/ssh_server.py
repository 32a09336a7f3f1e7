"""OpenSSH for tests and benchmarks: its own server, for the person who runs them, with a key."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.buckets import free_ports

START_S = 60
CONFIG = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/client.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
Subsystem sftp internal-sftp
"""


@dataclass(frozen=True, slots=True)
class SshServer:
    """Where it listens, and who may sign in."""

    port: int
    user: str
    private_key: str
    fingerprint: str


@contextmanager
def running_ssh(folder: Path) -> Iterator[SshServer]:
    """Start a server whose keys are in a folder, and end it."""
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "no sshd: apt-get install openssh-server"
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # it refuses to start as root without
    for name in ("host", "client"):
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
    (port,) = free_ports(1)
    (folder / "config").write_text(CONFIG.format(port=port, folder=folder))
    command = [program, "-D", "-e", "-f", str(folder / "config")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log)
    try:
        until = time.monotonic() + START_S
        while not _greets(port):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, "the SSH server does not start"
            time.sleep(0.05)
        shown = _run("ssh-keygen", "-l", "-f", str(folder / "host.pub")).split()[1]
        yield SshServer(
            port, getpass.getuser(), (folder / "client").read_text(), f"ssh-ed25519 {shown}"
        )
    finally:
        process.kill()
        process.wait()


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _greets(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 5) as probe:
            return probe.recv(8).startswith(b"SSH-2.0-")
    except OSError:
        return False
