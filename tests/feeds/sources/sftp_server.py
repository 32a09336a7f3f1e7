"""A real SFTP server for tests: asyncssh, in a thread, with one folder and one account."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncssh

# Its logs end when its connections do, which may be after the test that reads them.
asyncssh.set_log_level("CRITICAL")

USER, PASSWORD = "courier", "open sesame"


class Account(asyncssh.SSHServer):
    """Lets one person in, by a password or a key."""

    def __init__(self, server: "SftpServer") -> None:
        self._server = server

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._server.connections.append(conn)

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        self._server.passwords.append(password)
        return (username, password) == (USER, PASSWORD)

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return username == USER and key in self._server.accepted_keys


class Folder(asyncssh.SFTPServer):
    """The files of the account; a test may refuse, slow or observe what is done to them."""

    server: "SftpServer"

    def __init__(self, chan: asyncssh.SSHServerChannel) -> None:
        super().__init__(chan, chroot=str(self.server.folder))

    def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> Any:
        opened = super().open(path, pflags, attrs)
        self.server.opened.append(opened)
        return opened

    async def read(self, file_obj: Any, offset: int, size: int) -> bytes:
        await self.server.before("read", offset)
        return super().read(file_obj, offset, size)

    async def scandir(self, path: bytes) -> Any:
        await self.server.before("list", 0)
        async for item in super().scandir(path):
            yield item
        for name in self.server.further_names:
            attributes = asyncssh.SFTPAttrs(permissions=0o100644, size=1, mtime=1, atime=1)
            yield asyncssh.SFTPName(name, name, attributes)

    async def remove(self, path: bytes) -> None:
        self._refuse()
        super().remove(path)

    async def rename(self, oldpath: bytes, newpath: bytes) -> None:
        self._refuse()
        super().rename(oldpath, newpath)

    def _refuse(self) -> None:
        if self.server.is_full:
            raise asyncssh.SFTPFailure("No space left on device")
        if self.server.is_read_only:
            raise asyncssh.SFTPPermissionDenied("read only")


class SftpServer:
    """``before`` may be replaced; it is awaited before each read and each listing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.passwords: list[str] = []
        self.accepted_keys: list[asyncssh.SSHKey] = []
        self.connections: list[asyncssh.SSHServerConnection] = []
        self.further_names: list[bytes] = []
        self.opened: list[Any] = []  # a client that leaves does not close them
        self.is_read_only = self.is_full = False
        self.on: Callable[[str, int], Any] | None = None
        self._loop = asyncio.new_event_loop()
        self._acceptor: asyncssh.SSHAcceptor | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    async def before(self, what: str, offset: int) -> None:
        if self.on is not None:
            result = self.on(what, offset)
            if asyncio.iscoroutine(result):
                await result

    def start(self, host_key: asyncssh.SSHKey) -> None:
        """Listen with a host key, on the port of the last start."""
        factory = type("FolderOfTest", (Folder,), {"server": self})

        async def listen() -> asyncssh.SSHAcceptor:
            return await asyncssh.create_server(
                lambda: Account(self),
                "127.0.0.1",
                self.port,
                server_host_keys=[host_key],
                sftp_factory=factory,
                reuse_address=True,
            )

        self._acceptor = self._run(listen())
        self.port = self._acceptor.get_port()

    def kill(self) -> None:
        """Drop every connection at once."""

        async def drop() -> None:
            for connection in self.connections:
                connection.abort()
            await asyncio.gather(*(connection.wait_closed() for connection in self.connections))

        self._run(drop())

    def stop(self) -> None:
        """Listen no more."""
        if self._acceptor is not None:
            self._run(self._close())
            self._acceptor = None

    async def _close(self) -> None:
        assert self._acceptor is not None
        self._acceptor.close()

    def end(self) -> None:
        """Stop the thread, too."""
        self.stop()
        self.kill()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        for file in self.opened:
            file.close()

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)


@contextmanager
def running_sftp(folder: Path, host_key: asyncssh.SSHKey) -> Iterator[SftpServer]:
    """Start a server of a folder, and end it."""
    server = SftpServer(folder)
    server.start(host_key)
    try:
        yield server
    finally:
        server.end()
