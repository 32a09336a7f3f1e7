"""Files of OpenSSH's own server, which most SFTP servers are."""

import os

from feeds.sources.protocol import AfterTaking, Finding, source_of
from tests.feeds.sources.ssh_server import running_ssh


def test_files_of_openssh_are_pinned_listed_read_and_moved(tmp_path, guard, limits):
    folder = tmp_path / "in"
    (folder / "done").mkdir(parents=True)
    content = os.urandom(3_000_000)
    (folder / "orders.csv").write_bytes(content)
    (folder / os.fsdecode(b"caf\xe9.csv")).write_bytes(b"not UTF-8")
    (folder / "link.csv").symlink_to("/etc/passwd")

    with running_ssh(tmp_path) as server:
        chosen = {"host": "127.0.0.1", "port": server.port, "user": server.user}
        chosen["folder"] = str(folder)
        secret = {"privateKey": server.private_key}
        for pinned in ("", server.fingerprint):
            with source_of(
                "sftp", chosen, secret, guard=guard, limits=limits, pinned=pinned
            ) as source:
                (entry,) = source.entries()
                assert source.fingerprint == server.fingerprint
                assert source.notes() == (Finding("source_name_unreadable", (("count", 1),)),)
                with source.open(entry) as stream:
                    assert stream.read() == content
                assert source.test(AfterTaking("move", "done")) == ()
        with source_of("sftp", chosen, secret, guard=guard, limits=limits) as source:
            source.done(entry, AfterTaking("move", "done"))

    assert (folder / "done" / "orders.csv").read_bytes() == content
    assert not (folder / "orders.csv").exists()
