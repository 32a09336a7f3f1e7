"""Attachments of the mails in a folder of a mailbox, from senders that are allowed and proven."""

import imaplib
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC
from types import TracebackType
from typing import Any, BinaryIO, Self

import imapclient
from imapclient.exceptions import (
    IMAPClientAbortError,
    IMAPClientError,
    LoginError,
    ProtocolError,
)

from feeds.sources import naming
from feeds.sources.guard import Guard, LimitedStream, Line, buffered
from feeds.sources.mail import Attachment, attachments_of, decoder_of
from feeds.sources.protocol import KEEP, AfterTaking, Entry, Finding, Limits, SourceError
from feeds.sources.senders import is_allowed, proven_sender
from feeds.sources.settings import Mailbox, read_mailbox

__all__ = ["MailSource", "read_mailbox"]

BATCH = 100  # mails whose structure is fetched at once
PIECE_BYTES = 1 << 18
LITERAL_BYTES = 1 << 20
COMMAND_BYTES = 64 << 20  # of all answers to one command
PORTS = (993, 143)
HEADERS = b"BODY[HEADER.FIELDS (FROM AUTHENTICATION-RESULTS)]"
SHOWN = (
    b"INTERNALDATE",
    b"RFC822.SIZE",
    b"BODYSTRUCTURE",
    HEADERS.replace(b"BODY[", b"BODY.PEEK["),  # reading leaves a mail unread
)


class GuardedConnection(imaplib.IMAP4):
    """Connects where the guard allows, and takes no more bytes than an answer needs."""

    def __init__(self, line: Line, chosen: Mailbox, tls: ssl.SSLContext | None) -> None:
        self._line, self._tls = line, tls
        self._is_encrypted = chosen.tls != "none"
        self.left = COMMAND_BYTES
        super().__init__(chosen.host, chosen.port)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        sock = self._line.connect(self.host, self.port, is_encrypted=self._is_encrypted)
        if self._tls is not None:
            return self._tls.wrap_socket(sock, server_hostname=self.host.rstrip("."))
        return sock

    def read(self, size: int) -> bytes:
        """Read a literal."""
        self._count(size)
        if size > LITERAL_BYTES:
            raise self.abort("the literal is too long")
        return super().read(size)

    def readline(self) -> bytes:
        """Read a line."""
        line = super().readline()
        self._count(len(line))
        return line

    def _count(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise self.abort("the answer is too long")


class Client(imapclient.IMAPClient):
    """The library's client over a guarded connection."""

    def __init__(self, line: Line, chosen: Mailbox) -> None:
        self._line, self._chosen = line, chosen
        super().__init__(chosen.host, chosen.port, ssl=chosen.tls == "implicit")
        self._imap.debug = 0  # it would format each line for a log
        self.normalise_times = False  # it would drop the zone

    def _create_IMAP4(self) -> GuardedConnection:  # noqa: N802 - the library calls it
        tls = self._line.tls() if self._chosen.tls == "implicit" else None
        return GuardedConnection(self._line, self._chosen, tls)

    def expect(self) -> None:
        """Let the next command have an answer of its own length."""
        self._imap.left = COMMAND_BYTES


class MailSource:
    """
    Each attachment is a file; its path is the number of the mail, of the part, and its name.

    A mail is moved or deleted when all of its files that were listed are done. Numbers of mails
    only grow, so a listing may begin after those that an earlier one showed.
    """

    fingerprint = ""

    def __init__(
        self, chosen: Mailbox, *, guard: Guard, limits: Limits, position: str = ""
    ) -> None:
        self._chosen, self._limits, self._before = chosen, limits, position
        self.position = ""
        self._line = Line(guard, ports=PORTS, answer_s=limits.answer_s)
        self._signed_in: Client | None = None
        self._selected: bool | None = None  # whether for changes
        self._validity = 0
        self._left: dict[int, set[str]] = {}
        self._notes: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._signed_in is not None:
            with suppress(SourceError), self._asking() as client:
                client.logout()
            with suppress(OSError):
                self._signed_in.shutdown()
        self._line.close()

    def entries(self) -> Iterator[Entry]:
        """Yield the attachments of mails whose sender is allowed."""
        self._notes, self._left = {}, {}
        with self._asking(self._limits.listing_s) as client:
            self._select(client, for_changes=False)
            first = self._first()
            there = [b"UID", b"%d:*" % first]
            numbers = [n for n in client.search([*there, b"NOT", b"DELETED"]) if n >= first]
            deleted = [n for n in client.search([*there, b"DELETED"]) if n >= first]
        if len(numbers) > self._limits.entries:
            raise SourceError("source_too_many_files", most=self._limits.entries)
        for start in range(0, len(numbers), BATCH):
            for number, shown in self._shown(numbers[start : start + BATCH]):
                yield from self._entries_of(number, shown)
        # A mail that is only marked as deleted may be restored: it is looked at again.
        last = min(deleted) - 1 if deleted else max(numbers, default=first - 1)
        self.position = f"{self._validity}.{last}"

    def open(self, entry: Entry) -> BinaryIO:
        """Return a stream of an attachment, decoded."""
        number, section = self._place(entry)
        with self._asking() as client:
            self._select(client, for_changes=False)
            self._refuse_other_mailbox(entry)
            shown = client.fetch([number], [b"BODYSTRUCTURE"]).get(number)
        files = attachments_of(shown[b"BODYSTRUCTURE"]) if shown else []
        file = next((file for file in files if file.section == section), None)
        if file is None:
            raise SourceError("source_file_missing")
        most = min(self._limits.file_bytes, self._limits.mail_bytes)
        return buffered(
            LimitedStream(
                self._within, self._pieces(number, file), most_bytes=most,
                seconds=self._limits.file_s,
            )
        )  # fmt: skip

    def done(self, entry: Entry, how: AfterTaking) -> None:
        """Move or delete the mail, after the last of its attachments."""
        if how.action == "keep":
            return
        if how.action == "rename":
            raise SourceError("source_cannot_change")
        number, _ = self._place(entry)
        left = self._left.setdefault(number, {entry.path})
        left.discard(entry.path)
        if left:
            return
        with self._asking() as client:
            self._select(client, for_changes=True)
            self._refuse_other_mailbox(entry)
            if how.action == "move":
                if not client.folder_exists(how.to):
                    raise SourceError("source_folder_missing", folder=how.to)
                if client.has_capability("MOVE"):
                    client.move([number], how.to)
                    return
                client.copy([number], how.to)
            client.delete_messages([number])
            if client.has_capability("UIDPLUS"):
                client.uid_expunge([number])

    def test(self, how: AfterTaking = KEEP) -> tuple[Finding, ...]:
        """Sign in and open the folder."""
        try:
            if how.action == "rename":
                raise SourceError("source_cannot_change")
            with self._asking() as client:
                self._select(client, for_changes=how.action != "keep")
                if how.action == "move" and not client.folder_exists(how.to):
                    raise SourceError("source_folder_missing", folder=how.to)
        except SourceError as error:
            return (error.finding,)
        return ()

    def notes(self) -> tuple[Finding, ...]:
        """Return how many mails the last listing left out, and why."""
        return tuple(Finding(code, (("count", n),)) for code, n in self._notes.items())

    def _first(self) -> int:
        """Return the number to begin with: the first, if the server has renumbered its mails."""
        validity, _, last = self._before.partition(".")
        return int(last) + 1 if validity == str(self._validity) else 1

    def _shown(self, numbers: Sequence[int]) -> Iterator[tuple[int, Any]]:
        """Yield what the server shows of mails; one that cannot be read spoils no other."""
        try:
            with self._asking(self._limits.listing_s) as client:
                shown = client.fetch(numbers, SHOWN)
        except SourceError as error:
            if error.code != "source_not_understood":
                raise
            if len(numbers) == 1:
                self._note("source_mail_odd")
                return
            for number in numbers:
                yield from self._shown([number])
            return
        yield from ((number, shown[number]) for number in numbers if number in shown)

    def _entries_of(self, number: int, shown: Any) -> Iterator[Entry]:
        try:
            files, sender = self._files(shown)
        except SourceError as error:
            self._note(error.code)
            return
        wanted = [
            self._entry(number, file, shown.get(b"INTERNALDATE"), sender)
            for file in files
            if naming.is_wanted(file.name, pattern=self._chosen.pattern, ignored_suffix="")
        ]
        self._left[number] = {entry.path for entry in wanted}
        yield from wanted

    def _files(self, shown: Any) -> tuple[list[Attachment], str]:
        """
        Return the attachments of a mail, and who sent it, if that is proven.

        Raise SourceError if the mail is left out.
        """
        sender = proven_sender(
            shown.get(HEADERS) or b"",
            auth_server=self._chosen.auth_server,
            takes_unproven=self._chosen.takes_unproven,
        )
        if not is_allowed(sender, self._chosen.senders):
            raise SourceError("source_sender_refused")
        if (shown.get(b"RFC822.SIZE") or 0) > self._limits.mail_bytes:
            raise SourceError("source_mail_too_large")
        files = attachments_of(shown.get(b"BODYSTRUCTURE"))
        if len(files) > self._limits.attachments:
            raise SourceError("source_mail_too_many_files")
        return files, "" if self._chosen.takes_unproven else sender

    def _entry(self, number: int, file: Attachment, moment: Any, sender: str) -> Entry:
        return Entry(
            path=f"{number}/{file.section}/{file.name}",
            size=None,
            modified=None if moment is None else moment.astimezone(UTC),
            version=f"{self._validity}.{number}",
            sender=sender,
        )

    def _pieces(self, number: int, file: Attachment) -> Any:
        """Return a function that fetches and decodes the next piece of an attachment."""
        decode = decoder_of(file.encoding)
        offset, is_over = 0, False

        def read(_: int) -> bytes:
            nonlocal offset, is_over
            content = b""
            while not content and not is_over:
                section = f"{file.section}]<{offset}"
                wanted = f"BODY.PEEK[{section}.{PIECE_BYTES}>".encode()
                client = self._client()
                client.expect()
                shown = client.fetch([number], [wanted]).get(number)
                if shown is None:
                    raise SourceError("source_file_missing")
                piece = shown.get(f"BODY[{section}>".encode()) or b""
                offset += len(piece)
                is_over = len(piece) < PIECE_BYTES
                content = decode(piece, is_over)
            return content

        return read

    def _place(self, entry: Entry) -> tuple[int, str]:
        number, _, rest = entry.path.partition("/")
        if not number.isdecimal():
            raise SourceError("source_file_missing")
        return int(number), rest.partition("/")[0]

    def _refuse_other_mailbox(self, entry: Entry) -> None:
        """Raise if the server has renumbered its mails: a number may be another mail now."""
        if entry.version.partition(".")[0] != str(self._validity):
            raise SourceError("source_file_changed")

    def _note(self, code: str) -> None:
        self._notes[code] = self._notes.get(code, 0) + 1

    def _select(self, client: Client, *, for_changes: bool) -> None:
        if self._selected is not None and self._selected >= for_changes:
            return
        try:
            answer = client.select_folder(self._chosen.folder, readonly=not for_changes)
        except imaplib.IMAP4.readonly as error:  # a kind of abort to the library
            raise SourceError("source_access_denied") from error
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            raise SourceError("source_folder_missing", folder=self._chosen.folder) from error
        if for_changes and answer.get(b"READ-ONLY"):
            raise SourceError("source_access_denied")
        self._validity = int(answer.get(b"UIDVALIDITY") or 0)
        self._selected = for_changes

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        with self._asking(seconds):
            yield

    @contextmanager
    def _asking(self, seconds: float | None = None) -> Iterator[Client]:
        """Limit what the block asks the server, and say what its refusals mean."""
        with self._line.within(self._limits.answer_s if seconds is None else seconds):
            try:
                client = self._client()
                client.expect()
                yield client
            except LoginError as error:
                is_down = "UNAVAILABLE" in str(error)
                code = "source_unreachable" if is_down else "source_refused_credentials"
                raise SourceError(code) from error
            except IMAPClientAbortError as error:
                raise EOFError from error
            except ProtocolError as error:
                raise SourceError("source_not_understood") from error
            except IMAPClientError as error:
                if "NOPERM" in str(error):
                    raise SourceError("source_access_denied") from error
                is_full = "OVERQUOTA" in str(error)  # RFC 5530
                code = "source_full" if is_full else "source_refused_change"
                raise SourceError(code) from error
            except OSError:  # of the connection; some are a ValueError, too
                raise
            except (RecursionError, ValueError, KeyError) as error:
                raise SourceError("source_not_understood") from error

    def _client(self) -> Client:
        if self._signed_in is None:
            self._signed_in = client = self._connected()
            if client.has_capability("AUTH=PLAIN"):
                client.plain_login(self._chosen.user, self._chosen.password)
            else:
                client.login(self._chosen.user, self._chosen.password)
        return self._signed_in

    def _connected(self) -> Client:
        try:
            client = Client(self._line, self._chosen)
        except IMAPClientError as error:
            raise SourceError("source_not_understood") from error
        if self._chosen.tls == "starttls":
            if not client.has_capability("STARTTLS"):
                raise SourceError("source_not_encrypted")
            client.starttls(self._line.tls())
        return client
