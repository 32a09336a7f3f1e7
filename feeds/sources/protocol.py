"""What every source of files can do: list, open, mark as done, test."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Protocol, Self

if TYPE_CHECKING:
    from feeds.sources.guard import Guard

Kind = Literal["sftp", "s3", "https", "imap"]
Action = Literal["keep", "move", "rename", "delete"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a source, as a listing shows it."""

    path: str  # within the source; unique there
    size: int | None  # bytes, if the source says so
    modified: datetime | None  # aware, UTC
    version: str = ""  # ETag, UID validity and UID, ... where there is one
    sender: str = ""  # of a mail: its address, if it is allowed and proven

    @property
    def name(self) -> str:
        """
        The file's own name.

        >>> Entry("in/orders.csv", 1, None).name
        'orders.csv'
        """
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class AfterTaking:
    """What happens to a file that was taken. ``to`` is the folder, or the suffix."""

    action: Action = "keep"
    to: str = ""


KEEP = AfterTaking()


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one file or one listing may take."""

    file_bytes: int = 1 << 30
    file_s: float = 900.0
    listing_s: float = 120.0
    answer_s: float = 30.0  # of everything else: signing in, one move, one deletion
    entries: int = 200_000
    attachments: int = 30  # of one mail
    mail_bytes: int = 50_000_000


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a person should know about a source: a code, and what its sentence puts in."""

    code: str
    params: tuple[tuple[str, Any], ...] = ()


class SourceError(Exception):
    """A source did not do what it should; the code says why, and never contains a secret."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def finding(self) -> Finding:
        """The same as a finding of a test."""
        return Finding(self.code, tuple(sorted(self.params.items())))


class Source(Protocol):
    """
    A place where files arrive; a context manager that closes its connection.

    It connects on first use. Every call raises SourceError if the place does not answer as it
    should.
    """

    @property
    def fingerprint(self) -> str:
        """The host key that the server showed, to be pinned; empty before, or without one."""
        ...

    @property
    def position(self) -> str:
        """Where a later listing may begin, after this one; empty where each shows all files."""
        ...

    def entries(self) -> Iterator[Entry]:
        """Yield the files that are there, in no order, as the source lists them."""
        ...

    def open(self, entry: Entry) -> BinaryIO:
        """
        Return a stream of a file, with limits on bytes and seconds.

        Its ``read`` raises SourceError if the file is not the one that was listed any more.
        """
        ...

    def done(self, entry: Entry, how: AfterTaking) -> None:
        """Do what was chosen for a file that was taken; doing it again is harmless."""
        ...

    def test(self, how: AfterTaking = KEEP) -> tuple[Finding, ...]:
        """Return what is wrong, also for ``how`` taken files are treated; empty if all is well."""
        ...

    def notes(self) -> tuple[Finding, ...]:
        """Return what the last listing left out, and why: names, senders, mails too large."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def source_of(
    kind: Kind,
    settings: Mapping[str, Any],
    secret: Mapping[str, Any],
    *,
    guard: "Guard",
    pinned: str = "",
    limits: Limits = DEFAULT_LIMITS,
    ignored_suffix: str = "",
    seen: Entry | None = None,
    position: str = "",
) -> Source:
    """
    Return the source that a feed describes. Raise SourceError if a setting is not accepted.

    pinned: the fingerprint of the host key at first contact. ignored_suffix: what taken files were
    renamed with. seen: the file taken last, which an HTTPS address need not send again. position:
    of a listing whose files are all settled, so a mailbox need not show them again.
    """
    match kind:
        case "sftp":
            from feeds.sources.sftp import SftpSource, read_sftp

            chosen = read_sftp(settings, secret)
            return SftpSource(
                chosen, guard=guard, limits=limits, pinned=pinned, ignored_suffix=ignored_suffix
            )
        case "s3":
            from feeds.sources.s3 import BucketSource, read_bucket

            bucket = read_bucket(settings, secret)
            return BucketSource(bucket, guard=guard, limits=limits, ignored_suffix=ignored_suffix)
        case "https":
            from feeds.sources.web import WebSource, read_web

            return WebSource(read_web(settings, secret), guard=guard, limits=limits, seen=seen)
        case "imap":
            from feeds.sources.imap import MailSource, read_mailbox

            mailbox = read_mailbox(settings, secret)
            return MailSource(mailbox, guard=guard, limits=limits, position=position)
