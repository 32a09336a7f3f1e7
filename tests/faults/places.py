"""The places of feeds as servers that are killed, slowed and filled, each behind a relay."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import asyncssh
import obstore

from tests.buckets import KEY, SECRET, Store, running_store
from tests.certificates import Authority
from tests.faults.machines import Relay
from tests.feeds.sources.http_server import Server, answers, running_http
from tests.feeds.sources.imap_server import PASSWORD as MAIL_PASSWORD
from tests.feeds.sources.imap_server import PROOF, MailServer, mail, running_mail
from tests.feeds.sources.imap_server import USER as MAIL_USER
from tests.feeds.sources.sftp_server import PASSWORD, USER, SftpServer, running_sftp

SLOW = (4_096, 0.02)  # 200 kB/s: a file takes longer than a lease
MIDDLE = 300_000  # bytes, of files that are much larger


class Place:
    """One server. A feed reaches it at the port of its relay."""

    kind: str
    says_full: ClassVar[set[str]] = {"source_full"}
    after_taking: ClassVar[dict[str, str]] = {"action": "move", "to": "done"}

    def __init__(self, port: int) -> None:
        self.relay = Relay(port)

    @property
    def about(self) -> dict[str, Any]:
        """Return the settings and the secret of a feed of it."""
        raise NotImplementedError  # each place says it

    def put(self, name: str, content: bytes) -> None:
        """Let a file arrive."""
        raise NotImplementedError  # each place says it

    def left(self) -> list[str]:
        """Return the names of the files that still wait there."""
        raise NotImplementedError  # each place says it

    def kill(self) -> None:
        """Kill the server."""
        self.relay.go_away()

    def restart(self) -> None:
        """Start it again."""
        self.full_speed()
        self.relay.listen()

    def slow_down(self) -> None:
        """Let bytes trickle."""
        self.relay.slow_down(*SLOW)

    def full_speed(self) -> None:
        """End that."""
        self.relay.slow_down(65_536, 0.0)

    def is_amid_a_file(self) -> bool:
        """Return whether much passed since it was slowed, but not yet a file."""
        return self.relay.passed > MIDDLE


class SftpPlace(Place):
    """asyncssh, with a folder for files that were taken."""

    kind = "sftp"

    def __init__(self, server: SftpServer, key: asyncssh.SSHKey) -> None:
        super().__init__(server.port)
        self._server, self._key = server, key
        (server.folder / "out" / "done").mkdir(parents=True)

    @property
    def about(self) -> dict[str, Any]:
        place = {"host": "127.0.0.1", "port": self.relay.port, "user": USER, "folder": "/out"}
        return {"settings": place, "secret": {"password": PASSWORD}}

    def put(self, name: str, content: bytes) -> None:
        (self._server.folder / "out" / name).write_bytes(content)

    def left(self) -> list[str]:
        return [path.name for path in (self._server.folder / "out").iterdir() if path.is_file()]

    def kill(self) -> None:
        super().kill()
        self._server.stop()
        self._server.kill()

    def restart(self) -> None:
        self._server.start(self._key)
        super().restart()

    def fill(self) -> None:
        """Have no space for what is moved."""
        self._server.is_full = True

    def make_space(self) -> None:
        """End that."""
        self._server.is_full = False


class BucketPlace(Place):
    """SeaweedFS."""

    kind = "s3"
    says_full = frozenset({"source_answered"})  # SeaweedFS says no more than status 500

    def __init__(self, store: Store) -> None:
        super().__init__(store.ports["s3"])
        self._store = store
        self.fill, self.make_space = store.fill, store.make_space

    @property
    def about(self) -> dict[str, Any]:
        url = f"http://127.0.0.1:{self.relay.port}"
        place = {"endpoint": url, "bucket": "files", "prefix": "out/"}
        return {"settings": place, "secret": {"accessKey": KEY, "secretKey": SECRET}}

    def put(self, name: str, content: bytes) -> None:
        obstore.put(self._store.bucket("files"), f"out/{name}", content)

    def left(self) -> list[str]:
        listed = obstore.list_with_delimiter(self._store.bucket("files"), "out")
        return [item["path"] for item in listed["objects"]]

    def kill(self) -> None:
        super().kill()
        self._store.stop()

    def restart(self) -> None:
        self._store.start()
        super().restart()


class MailPlace(Place):
    """Dovecot."""

    kind = "imap"
    after_taking: ClassVar = {"action": "move", "to": "Taken"}

    def __init__(self, server: MailServer) -> None:
        super().__init__(server.tls_port)
        self._server = server
        self.fill, self.make_space = server.fill, server.make_space
        with server.client() as client:
            client.create_folder("Taken")

    @property
    def about(self) -> dict[str, Any]:
        place = {
            "host": "127.0.0.1",
            "port": self.relay.port,
            "user": MAIL_USER,
            "senders": ["@shop.example"],
            "authServer": PROOF.partition(";")[0],
        }
        return {"settings": place, "secret": {"password": MAIL_PASSWORD}}

    def put(self, name: str, content: bytes) -> None:
        self._server.deliver(mail((name, content)))

    def left(self) -> list[str]:
        with self._server.client() as client:
            client.select_folder("INBOX", readonly=True)
            return [str(number) for number in client.search()]

    def kill(self) -> None:
        super().kill()
        self._server.kill()

    def restart(self) -> None:
        self._server.start()
        super().restart()


class WebPlace(Place):
    """An HTTPS server: it has one file, which stays."""

    kind = "https"
    after_taking: ClassVar = {"action": "keep"}

    def __init__(self, server: Server) -> None:
        super().__init__(server.server_port)
        self._server = server

    @property
    def about(self) -> dict[str, Any]:
        return {"settings": {"url": f"https://127.0.0.1:{self.relay.port}/out/file.csv"}}

    def put(self, name: str, content: bytes) -> None:
        tag = f'"{name}"'
        full, unchanged = answers(200, content, etag=tag), answers(304, etag=tag)

        def reply(call: Any) -> None:
            (unchanged if call.headers.get("if-none-match") == tag else full)(call)

        self._server.reply = reply

    def left(self) -> list[str]:
        return []


@contextmanager
def running_places(folder: Path, authority: Authority) -> Iterator[list[Place]]:
    """Start a server of each kind, and end them."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    chain = authority.issue("127.0.0.1")
    for name in ("sftp", "store"):
        (folder / name).mkdir()
    with (
        running_sftp(folder / "sftp", key) as sftp,
        running_store(folder / "store") as store,
        running_mail(chain, moves=False) as mails,
        running_http(answers(404), chain) as web,
    ):
        places = [SftpPlace(sftp, key), BucketPlace(store), MailPlace(mails), WebPlace(web)]
        try:
            yield places
        finally:
            for place in places:
                place.relay.close()
