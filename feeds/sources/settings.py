"""What a feed says about its source, read strictly: a setting that is unknown or odd is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from feeds.sources.protocol import SourceError

LONGEST_TEXT = 2_000
LONGEST_SECRET = 20_000  # a private key as text
MOST_SENDERS = 200

WebAuth = Literal["none", "basic", "bearer", "header"]
MailTls = Literal["implicit", "starttls", "none"]


@dataclass(frozen=True, slots=True)
class Sftp:
    """A folder of an SFTP server."""

    host: str
    port: int
    user: str
    folder: str
    pattern: str
    password: str
    private_key: str
    passphrase: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """The files below a prefix of an S3-compatible bucket."""

    endpoint: str
    region: str
    bucket: str
    prefix: str
    pattern: str
    access_key: str
    secret_key: str


@dataclass(frozen=True, slots=True)
class Web:
    """One file behind an HTTPS address."""

    url: str
    auth: WebAuth
    user: str
    header: str
    secret: str


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The attachments in a folder of a mailbox."""

    host: str
    port: int
    tls: MailTls
    user: str
    folder: str
    pattern: str
    senders: tuple[str, ...]
    auth_server: str
    takes_unproven: bool
    password: str


class Members:
    """The members of a JSON object, each read once; ``finish`` refuses what nothing reads."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = dict(members)

    def text(self, name: str, default: str | None = None, *, most: int = LONGEST_TEXT) -> str:
        """Return a text without control characters; without a default it must not be empty."""
        value = self._members.pop(name, default)
        is_text = isinstance(value, str) and len(value) <= most and "\x00" not in value
        if not is_text or (default is None and not value.strip()):
            raise invalid(name)
        if most == LONGEST_TEXT and any(ord(character) < 32 for character in value):
            raise invalid(name)
        return str(value)

    def secret(self, name: str, default: str | None = "") -> str:
        """Return a secret, which may have several lines."""
        return self.text(name, default, most=LONGEST_SECRET)

    def port(self, default: int) -> int:
        """Return the port."""
        value = self._members.pop("port", default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 65_536:
            raise invalid("port")
        return value

    def choice(self, name: str, *choices: str) -> Any:
        """Return one of some words, the first by default."""
        value = self._members.pop(name, choices[0])
        if value not in choices:
            raise invalid(name)
        return value

    def flag(self, name: str) -> bool:
        """Return true or false."""
        value = self._members.pop(name, False)
        if not isinstance(value, bool):
            raise invalid(name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self._members.pop(name, [])
        if not isinstance(value, list | tuple) or len(value) > MOST_SENDERS:
            raise invalid(name)
        if not all(isinstance(item, str) and 0 < len(item) <= LONGEST_TEXT for item in value):
            raise invalid(name)
        return tuple(value)

    def finish(self) -> None:
        """Raise for the first member that nothing has read."""
        for name in self._members:
            raise invalid(str(name)[:100])


def invalid(name: str) -> SourceError:
    """Return the error for a setting that is missing, unknown or not accepted."""
    return SourceError("source_setting_invalid", setting=name)


def read_sftp(settings: Mapping[str, Any], secret: Mapping[str, Any]) -> Sftp:
    """Read the settings of an SFTP source: a password or a private key signs in."""
    given, hidden = Members(settings), Members(secret)
    read = Sftp(
        host=given.text("host"),
        port=given.port(22),
        user=given.text("user"),
        folder=given.text("folder", ""),
        pattern=given.text("pattern", "*"),
        password=hidden.secret("password"),
        private_key=hidden.secret("privateKey"),
        passphrase=hidden.secret("passphrase"),
    )
    given.finish()
    hidden.finish()
    if not read.password and not read.private_key:
        raise invalid("password")
    return read


def read_bucket(settings: Mapping[str, Any], secret: Mapping[str, Any]) -> Bucket:
    """Read the settings of a bucket; without an endpoint it is at Amazon."""
    given, hidden = Members(settings), Members(secret)
    region = given.text("region", "us-east-1")
    if not region.replace("-", "").isalnum():
        raise invalid("region")
    read = Bucket(
        endpoint=given.text("endpoint", "") or f"https://s3.{region}.amazonaws.com",
        region=region,
        bucket=given.text("bucket"),
        prefix=given.text("prefix", ""),
        pattern=given.text("pattern", "*"),
        access_key=hidden.secret("accessKey", None),
        secret_key=hidden.secret("secretKey", None),
    )
    given.finish()
    hidden.finish()
    if not read.bucket.replace("-", "").replace(".", "").replace("_", "").isalnum():
        raise invalid("bucket")
    return read


def read_web(settings: Mapping[str, Any], secret: Mapping[str, Any]) -> Web:
    """Read the settings of an HTTPS address."""
    given, hidden = Members(settings), Members(secret)
    auth: WebAuth = given.choice("auth", "none", "basic", "bearer", "header")
    member = {"basic": "password", "bearer": "token", "header": "value"}.get(auth)
    read = Web(
        url=given.text("url"),
        auth=auth,
        user=given.text("user", None if auth == "basic" else ""),
        header=given.text("header", None if auth == "header" else ""),
        secret=hidden.text(member) if member else "",  # one line: it becomes a header
    )
    given.finish()
    hidden.finish()
    if read.auth == "header" and not _is_free_header(read.header):
        raise invalid("header")
    if not read.secret.isascii() and read.auth != "basic":
        raise invalid(str(member))
    return read


def _is_free_header(name: str) -> bool:
    """Return whether a header may carry a secret: a name that the request itself does not use."""
    used = {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "range"}
    used |= {"if-none-match", "if-modified-since", "te", "upgrade", "expect"}
    is_name = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return is_name and name.lower() not in used


def read_mailbox(settings: Mapping[str, Any], secret: Mapping[str, Any]) -> Mailbox:
    """
    Read the settings of a mailbox.

    Senders are addresses or domains (``@example.com``). Either the mail server that proves them is
    named, or the feed takes what a mail says of itself.
    """
    given, hidden = Members(settings), Members(secret)
    tls: MailTls = given.choice("tls", "implicit", "starttls", "none")
    read = Mailbox(
        host=given.text("host"),
        port=given.port(993 if tls == "implicit" else 143),
        tls=tls,
        user=given.text("user"),
        folder=given.text("folder", "INBOX"),
        pattern=given.text("pattern", "*"),
        senders=given.texts("senders"),
        auth_server=given.text("authServer", ""),
        takes_unproven=given.flag("unprovenSenders"),
        password=hidden.secret("password", None),
    )
    given.finish()
    hidden.finish()
    if not read.senders or not all(_is_sender(sender) for sender in read.senders):
        raise invalid("senders")
    if bool(read.auth_server) == read.takes_unproven:  # one of both, and knowingly
        raise invalid("authServer")
    return read


def _is_sender(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    return bool(at and domain) and "@" not in local and not any(mark.isspace() for mark in text)
