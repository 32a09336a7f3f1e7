"""Files in a folder of an SFTP server. Its host key is pinned before anything secret is sent."""

import binascii
import errno
import io
import logging
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from types import TracebackType
from typing import BinaryIO, Self

import paramiko
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_ssh_private_key,
)
from paramiko.sftp import CMD_OPENDIR, CMD_READDIR, CMD_STATUS, SFTP_EOF
from paramiko.ssh_exception import IncompatiblePeer

from feeds.sources import naming
from feeds.sources.guard import Guard, LimitedStream, Line, buffered, refuse_other_size
from feeds.sources.protocol import KEEP, AfterTaking, Entry, Finding, Limits, SourceError
from feeds.sources.settings import Sftp, invalid, read_sftp

__all__ = ["SftpSource", "read_sftp"]

# What goes wrong is raised; the library would log it once more, with a traceback.
logging.getLogger("paramiko").setLevel(logging.CRITICAL)

BATCH = 1_000  # entries; they have a time limit together
PACKET_BYTES = 1 << 20  # the largest answer of a server; 256 KiB is usual
READ_BYTES = 255 << 10  # what OpenSSH sends at once; others send less, which is well
OPENSSH = b"-----BEGIN OPENSSH PRIVATE KEY-----"
MOST_ROUNDS = 400  # of a key's encryption, some seconds; ssh-keygen makes 24
RSA = ("rsa-sha2-512", "rsa-sha2-256")  # what a key of type ssh-rsa signs with
REQUESTS_AHEAD = 20  # of a listing: each answer has a hundred names
NO_SPACE = ("no space", "disk full", "quota")  # in what servers say; OpenSSH only says "Failure"
Listed = tuple[bytes, paramiko.SFTPAttributes]


class BoundedClient(paramiko.SFTPClient):
    """
    Refuses an answer that would take much memory; the library allows 16 MiB.

    It also lists names that are not UTF-8, on which the library's own listing ends.
    """

    def listing(self, folder: str) -> Iterator[Listed]:
        """Yield the names of a folder. The channel is of no use for anything else afterwards."""
        handle = self._request(CMD_OPENDIR, folder)[1].get_string()
        for _ in range(REQUESTS_AHEAD):
            self._async_request(type(None), CMD_READDIR, handle)
        while True:
            kind, packet = self._read_packet()
            message = paramiko.Message(packet)
            message.get_int()  # answers come in the order of the requests
            if kind == CMD_STATUS:
                if message.get_int() != SFTP_EOF:
                    raise paramiko.SFTPError("the server ended the listing")
                return
            for _ in range(message.get_int()):
                name, _ = message.get_string(), message.get_string()
                yield name, paramiko.SFTPAttributes._from_msg(message)
            self._async_request(type(None), CMD_READDIR, handle)

    def _read_all(self, n: int) -> bytes:
        if n > PACKET_BYTES:
            raise paramiko.SFTPError("the server sent an oversized packet")
        return bytes(super()._read_all(n))


class SftpSource:
    """
    Lists one folder, without those below it. Symbolic links are left out.

    A listing has a channel of its own, so that files may be opened meanwhile.
    """

    def __init__(
        self, chosen: Sftp, *, guard: Guard, limits: Limits, pinned: str, ignored_suffix: str
    ) -> None:
        self._chosen, self._limits = chosen, limits
        self._pinned, self._ignored_suffix = pinned, ignored_suffix
        self._key = _private_key(chosen) if chosen.private_key else None
        self._line = Line(guard, ports=(22,), answer_s=limits.answer_s)
        self._transport: paramiko.Transport | None = None
        self._files: paramiko.SFTPClient | None = None
        self._notes: dict[str, int] = {}
        self.fingerprint = self.position = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._transport is not None:
            self._transport.close()
        self._line.close()

    def entries(self) -> Iterator[Entry]:
        """Yield the files of the folder."""
        self._notes = {}
        with self._asking():
            client = self._new_client()
            listing = client.listing(self._chosen.folder or ".")
        number = 0
        while True:
            with self._asking(self._limits.listing_s):
                batch = list(islice(listing, BATCH))
            for name, attributes in batch:
                if (entry := self._listed(name, attributes)) is not None:
                    yield entry
            number += len(batch)
            if number > self._limits.entries:
                raise SourceError("source_too_many_files", most=self._limits.entries)
            if len(batch) < BATCH:
                client.close()
                return

    def open(self, entry: Entry) -> BinaryIO:
        """Return a stream of a file that is still as it was listed."""
        with self._asking():
            client = self._client()
            _refuse_changed(entry, client.lstat(entry.path))
            if (entry.size or 0) > self._limits.file_bytes:
                raise SourceError("source_too_large", size=self._limits.file_bytes)
            file = client.open(entry.path, "rb")
            file.MAX_REQUEST_SIZE = READ_BYTES

        def at_end(size: int) -> None:
            refuse_other_size(entry, size)
            _refuse_changed(entry, client.lstat(entry.path))

        return buffered(
            LimitedStream(
                self._asking,
                file.read,
                most_bytes=self._limits.file_bytes,
                seconds=self._limits.file_s,
                at_end=at_end,
                closed=file.close,
            )
        )

    def done(self, entry: Entry, how: AfterTaking) -> None:
        """Delete, move or rename a file; one that is gone needs nothing."""
        if how.action == "keep":
            return
        with self._asking():
            client = self._client()
            if not _is_there(client, entry.path):
                return
            if how.action == "delete":
                client.remove(entry.path)
                return
            if how.action == "move" and not _is_there(client, self._folder(how)):
                raise SourceError("source_folder_missing", folder=how.to)
            to = f"{entry.path}{how.to}"
            if how.action == "move":
                to = naming.joined(self._folder(how), entry.name)
            free = naming.free_name(to, is_there=lambda path: _is_there(client, path))
            client.rename(entry.path, free)

    def test(self, how: AfterTaking = KEEP) -> tuple[Finding, ...]:
        """Sign in and look into the folder."""
        try:
            with self._asking():
                client = self._client()
                for folder in {self._chosen.folder or ".", self._folder(how)}:
                    if not _is_there(client, folder):
                        raise SourceError("source_folder_missing", folder=folder)
            next(self.entries(), None)
        except SourceError as error:
            return (error.finding,)
        return ()

    def notes(self) -> tuple[Finding, ...]:
        """Return how many names the last listing left out."""
        return tuple(Finding(code, (("count", n),)) for code, n in self._notes.items())

    def _folder(self, how: AfterTaking) -> str:
        """Return where taken files are moved; relative to the folder they arrive in."""
        if how.action != "move" or how.to.startswith("/"):
            return how.to if how.action == "move" else self._chosen.folder or "."
        return naming.joined(self._chosen.folder, how.to)

    def _listed(self, raw: bytes, attributes: paramiko.SFTPAttributes) -> Entry | None:
        """Return an ordinary file with a harmless name that fits the pattern, or None."""
        if not stat.S_ISREG(attributes.st_mode or 0):
            return None
        name = raw.decode("utf-8", "surrogateescape")
        if not naming.is_harmless(name):
            self._notes["source_name_unreadable"] = self._notes.get("source_name_unreadable", 0) + 1
            return None
        pattern = self._chosen.pattern
        if not naming.is_wanted(name, pattern=pattern, ignored_suffix=self._ignored_suffix):
            return None
        path = naming.joined(self._chosen.folder, name)
        return Entry(path, attributes.st_size, _modified(attributes))

    @contextmanager
    def _asking(self, seconds: float | None = None) -> Iterator[None]:
        """Limit what the block asks the server, and say what its refusals mean."""
        with self._line.within(self._limits.answer_s if seconds is None else seconds):
            try:
                yield
            except paramiko.AuthenticationException as error:
                raise SourceError("source_refused_credentials") from error
            except FileNotFoundError as error:
                raise SourceError("source_file_missing") from error
            except PermissionError as error:
                raise SourceError("source_access_denied") from error
            except (paramiko.SSHException, paramiko.SFTPError) as error:
                raise EOFError from error
            except OSError as error:
                if error.errno is None and self._is_connected():  # the server's own "failure"
                    is_full = any(word in str(error).lower() for word in NO_SPACE)
                    code = "source_full" if is_full else "source_refused_change"
                    raise SourceError(code) from error
                raise

    def _is_connected(self) -> bool:
        return self._transport is not None and self._transport.is_active()

    def _client(self) -> paramiko.SFTPClient:
        if self._files is None:
            self._files = self._new_client()
        return self._files

    def _new_client(self) -> BoundedClient:
        """Open a channel, and the connection before the first one."""
        if self._transport is None:
            self._transport = self._signed_in()
        client: BoundedClient = BoundedClient.from_transport(self._transport)
        client.get_channel().settimeout(self._limits.answer_s)
        return client

    def _signed_in(self) -> paramiko.Transport:
        sock = self._line.connect(self._chosen.host, self._chosen.port, is_encrypted=True)
        transport = paramiko.Transport(sock)
        try:
            self._check_host(transport)
            if self._key is not None:
                transport.auth_publickey(self._chosen.user, self._key)
            else:
                transport.auth_password(self._chosen.user, self._chosen.password)
        except BaseException:
            transport.close()
            raise
        return transport

    def _check_host(self, transport: paramiko.Transport) -> None:
        """Raise if the server's key is not the pinned one; it is asked for the same type."""
        kind = self._pinned.partition(" ")[0]
        if kind:
            kinds = RSA if kind == "ssh-rsa" else (kind,)
            transport.get_security_options().key_types = kinds
        try:
            transport.start_client(timeout=self._limits.answer_s)
        except IncompatiblePeer as error:
            if kind:
                raise SourceError("source_host_key_changed") from error
            raise
        key = transport.get_remote_server_key()
        self.fingerprint = f"{key.get_name()} {key.fingerprint}"
        if self._pinned and self.fingerprint != self._pinned:
            raise SourceError("source_host_key_changed", fingerprint=self.fingerprint)


def _modified(attributes: paramiko.SFTPAttributes) -> datetime | None:
    seconds = attributes.st_mtime
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _refuse_changed(entry: Entry, attributes: paramiko.SFTPAttributes) -> None:
    """Raise if a path is no longer the ordinary file that was listed."""
    now = (attributes.st_size, _modified(attributes))
    if not stat.S_ISREG(attributes.st_mode or 0) or now != (entry.size, entry.modified):
        raise SourceError("source_file_changed")


def _is_there(client: paramiko.SFTPClient, path: str) -> bool:
    try:
        client.lstat(path)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return False
        raise
    return True


def _private_key(chosen: Sftp) -> paramiko.PKey:
    """Read a private key. Raise SourceError if it is none, or its passphrase wrong."""
    passphrase = chosen.passphrase.encode() or None
    text = chosen.private_key.strip().encode() + b"\n"
    is_openssh = text.startswith(OPENSSH)
    if is_openssh and _rounds(text) > MOST_ROUNDS:
        raise invalid("privateKey")
    # Another encrypted key may take hours to open, which shows only then.
    if not is_openssh and (b"OPENSSH" in text or b"BEGIN ENCRYPTED PRIVATE KEY" in text):
        raise invalid("privateKey")
    load = load_ssh_private_key if is_openssh else load_pem_private_key
    try:
        key = load(text, passphrase)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        is_locked = passphrase is not None or isinstance(error, TypeError)
        raise invalid("passphrase" if is_locked else "privateKey") from error
    match key:
        case RSAPrivateKey():
            return paramiko.RSAKey(key=key)
        case EllipticCurvePrivateKey():
            return paramiko.ECDSAKey(vals=(key, key.public_key()))
        case Ed25519PrivateKey():
            plain = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
            return paramiko.Ed25519Key.from_private_key(io.StringIO(plain.decode()))
    raise invalid("privateKey")


def _rounds(text: bytes) -> int:
    """Return how often a key in OpenSSH's format is hashed before it opens; 0 if not encrypted."""
    try:
        rest = binascii.a2b_base64(text.removeprefix(OPENSSH).partition(b"-----")[0]).removeprefix(
            b"openssh-key-v1\0"
        )
        for _ in ("cipher", "function"):
            rest = rest[4 + struct.unpack_from(">I", rest)[0] :]
        options = rest[4 : 4 + struct.unpack_from(">I", rest)[0]]
        salt = struct.unpack_from(">I", options)[0] if options else 0
        return int(struct.unpack_from(">I", options, 4 + salt)[0]) if options else 0
    except (binascii.Error, struct.error):
        return MOST_ROUNDS + 1  # not this format, so not readable
