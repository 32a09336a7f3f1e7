"""
Listing 100,000 files of an SFTP server, a bucket and a mailbox: seconds, and the memory it takes.

``FILES`` (100,000) sets the number. The servers are those of the tests: OpenSSH, SeaweedFS and
Dovecot. A client that does nothing with the answer lists the same first, so the second listing, the
engine's, finds the server's caches filled: the ratio of both is what the engine adds. The next
time is that of a feed whose earlier files are settled, which a mailbox need not show again.
"""

import imaplib
import multiprocessing
import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

MOST_S, MOST_MB = 5.0, 100
WRITERS = 16
Job = tuple[str, dict[str, Any], dict[str, str]]


def main() -> None:
    """Print the time and the memory of each listing."""
    number = int(os.environ.get("FILES", "100000"))
    with TemporaryDirectory() as name:
        _sftp(Path(name), number)
    with TemporaryDirectory() as name:
        _bucket(Path(name), number)
    with TemporaryDirectory() as name:
        _mailbox(Path(name), number)


def _sftp(folder: Path, number: int) -> None:
    from tests.feeds.sources.ssh_server import running_ssh

    files = folder / "in"
    files.mkdir()
    for place in range(number):
        (files / f"orders-{place:06}.csv").write_bytes(b"a;b\n")
    with running_ssh(folder) as server:
        chosen = {"host": "127.0.0.1", "port": server.port, "user": server.user}
        secret = {"privateKey": server.private_key}
        bare = _seconds(lambda: _list_by_sftp(folder, server.port, server.user, files))
        _measure(("sftp", chosen | {"folder": str(files)}, secret), number, bare)


def _list_by_sftp(folder: Path, port: int, user: str, files: Path) -> None:
    options = ["-P", str(port), "-i", str(folder / "client"), "-b", "-"]
    options += ["-o", "StrictHostKeyChecking=no", "-o", f"UserKnownHostsFile={folder / 'known'}"]
    command = ["sftp", "-q", *options, f"{user}@127.0.0.1"]
    with (folder / "listed").open("wb") as listed:
        subprocess.run(command, input=f"ls -lf {files}\n".encode(), stdout=listed, check=True)


def _bucket(folder: Path, number: int) -> None:
    import obstore

    from tests.buckets import KEY, SECRET, running_store

    with running_store(folder) as store:
        bucket = store.bucket("files")
        with ThreadPoolExecutor(WRITERS) as pool:
            names = (f"in/orders-{place:06}.csv" for place in range(number))
            for _ in pool.map(lambda name: obstore.put(bucket, name, b"a;b\n"), names):
                pass
        chosen = {"endpoint": store.url, "bucket": "files", "prefix": "in/"}
        bare = _seconds(lambda: obstore.list_with_delimiter(bucket, "in"))
        _measure(("s3", chosen, {"accessKey": KEY, "secretKey": SECRET}), number, bare)


def _mailbox(folder: Path, number: int) -> None:
    from tests.certificates import Authority
    from tests.feeds.sources.imap_server import PASSWORD, PROOF, USER, mail, running_mail

    authority = Authority(folder)
    with running_mail(authority.issue("127.0.0.1")) as server:
        arrived = server.folder / "mail" / "new"
        content = mail(("orders.csv", b"a;b\n")).as_bytes()
        server.deliver(content)
        for place in range(number - 1):
            path = arrived / f"{place}.bench"
            path.write_bytes(content)
            path.chmod(0o644)

        def fetch_all() -> None:
            client = imaplib.IMAP4("127.0.0.1", server.plain_port)
            client.authenticate("PLAIN", lambda _: f"\0{USER}\0{PASSWORD}".encode())
            client.select("INBOX", readonly=True)
            client.uid("FETCH", "1:*", b" ".join((b"(" + SHOWN[0], *SHOWN[1:])).decode() + ")")
            client.logout()

        from feeds.sources.imap import SHOWN

        fetch_all()  # Dovecot reads each mail once, and keeps what it found
        bare = _seconds(fetch_all)
        chosen = {"host": "127.0.0.1", "port": server.plain_port, "tls": "none", "user": USER}
        chosen |= {"senders": ["@shop.example"], "authServer": PROOF.partition(";")[0]}
        _measure(("imap", chosen, {"password": PASSWORD}), number, bare)


def _seconds(listing: Callable[[], object]) -> float:
    started = time.monotonic()
    listing()
    return time.monotonic() - started


def _measure(job: Job, number: int, bare: float) -> None:
    """Print what one listing took, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        listed, seconds, own_s, before, peak, again_s = pool.apply(_listed, (job,))
    is_ok = listed == number and seconds <= MOST_S and peak <= MOST_MB
    print(
        f"   {job[0]}: {listed:,} files in {seconds:.1f} s  (bound {MOST_S:.0f} s), "
        f"{again_s:.1f} s the next time, {own_s:.1f} s of it the engine's own; "
        f"a bare client took {bare:.1f} s ({seconds / bare:.1f} times as fast); "
        f"{peak - before:.0f} MB more than before, {peak:.0f} MB in all  (bound {MOST_MB} MB)  "
        f"{'ok' if is_ok else 'MISSED'}",
        flush=True,
    )


def _listed(job: Job) -> tuple[int, float, float, float, float, float]:
    from feeds.sources.guard import Guard
    from feeds.sources.protocol import source_of

    kind, chosen, secret = job
    guard = Guard(networks=(ip_network("127.0.0.0/8"),))
    with source_of(kind, chosen, secret, guard=guard) as source:  # type: ignore[arg-type]  # one of Kind
        problems = source.test()
        if problems:
            raise SystemExit(f"{kind}: {problems}")
        before = _peak_mb()
        started, own = time.monotonic(), time.process_time()
        listed = sum(1 for _ in source.entries())
        seconds, own = time.monotonic() - started, time.process_time() - own
        position = source.position
    with source_of(kind, chosen, secret, guard=guard, position=position) as source:  # type: ignore[arg-type]  # one of Kind
        started = time.monotonic()
        sum(1 for _ in source.entries())
        return listed, seconds, own, before, _peak_mb(), time.monotonic() - started


def _peak_mb() -> float:
    """Return the most memory of this process; getrusage counts that of the parent, too."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024
