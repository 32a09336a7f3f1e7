"""The attachments of a mail, as the server describes it (RFC 3501, BODYSTRUCTURE)."""

import binascii
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import collapse_rfc2231_value, decode_params
from typing import Any

from feeds.sources import naming
from feeds.sources.protocol import SourceError

DEEPEST = 10  # parts within parts
MOST_PARTS = 500
UNNAMED = "attachment"
SIGNATURES = {"pkcs7-signature", "x-pkcs7-signature", "pgp-signature", "pgp-keys"}
DISPOSITION = {"text": 9, "message": 11}  # where it is, of 8 otherwise
ENCODINGS = {"base64", "quoted-printable", "7bit", "8bit", "binary"}


@dataclass(frozen=True, slots=True)
class Attachment:
    """One part of a mail that is a file."""

    section: str  # its number, as 2.1
    name: str
    encoding: str


def attachments_of(body: Any) -> list[Attachment]:
    """
    Return the files of a mail and of the mails in it. Raise SourceError if it has an odd structure.

    Texts without a name, pictures within the text and signatures are left out.
    """
    files: list[Attachment] = []
    try:
        for number, (section, part) in enumerate(_leaves(body, "", 0)):
            if number >= MOST_PARTS:
                raise SourceError("source_mail_odd")
            if (file := _attachment(section, part)) is not None:
                files.append(file)
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise SourceError("source_mail_odd") from error
    return files


def _leaves(body: Any, section: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the parts that have no parts, with their numbers."""
    if depth > DEEPEST:
        raise SourceError("source_mail_odd")
    parts = _parts(body)
    if parts is not None:
        for number, part in enumerate(parts, 1):
            yield from _leaves(part, f"{section}.{number}" if section else str(number), depth + 1)
    elif _text(body[0]) == "message" and _text(body[1]) == "rfc822" and len(body) > 8:
        inner = body[8]
        start = section or "1"
        yield from _leaves(inner, start if _parts(inner) is not None else f"{start}.1", depth + 1)
    else:
        yield section or "1", body


def _parts(body: Any) -> Any:
    """Return the parts of a multipart, or None."""
    if isinstance(body[0], list):
        return body[0]
    if isinstance(body[0], tuple):
        return [part for part in body if isinstance(part, tuple) and part and _is_body(part)]
    return None


def _is_body(part: Any) -> bool:
    """Return whether a tuple is a part; parameters and dispositions follow the parts."""
    return isinstance(part[0], tuple | list) or len(part) >= 7


def _attachment(section: str, part: Any) -> Attachment | None:
    kind, subtype = _text(part[0]), _text(part[1])
    place = DISPOSITION.get(kind, 8)
    disposition = part[place] if len(part) > place and part[place] else (b"", None)
    how = _text(disposition[0])
    name = _name(disposition[1], "filename") or _name(part[2], "name")
    if how != "attachment" and (not name or (kind == "image" and (how == "inline" or part[3]))):
        return None
    if subtype in SIGNATURES:
        return None
    encoding = _text(part[5]) or "7bit"
    return Attachment(section, name if naming.is_harmless(name) else UNNAMED, encoding)


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace").lower() if isinstance(value, bytes) else ""


def _name(params: Any, wanted: str) -> str:
    """Return a file name from parameters: plain, continued or encoded (RFC 2231, RFC 2047)."""
    if not params:
        return ""
    texts = [_decoded(value) for value in params]
    pairs = list(zip((key.lower() for key in texts[::2]), texts[1::2], strict=False))
    try:
        for key, value in decode_params([("", ""), *pairs]):
            if key == wanted:
                name = collapse_rfc2231_value(value).strip().strip('"')
                if "=?" in name:
                    name = str(make_header(decode_header(name)))
                return name.replace("\\", "/").rpartition("/")[2].strip()
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        pass
    return ""


def _decoded(value: Any) -> str:
    if not isinstance(value, bytes):
        return str(value or "")
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def decoder_of(encoding: str) -> Callable[[bytes, bool], bytes]:
    """Return a function that decodes piece by piece; its second argument is true at the end."""
    if encoding not in ENCODINGS:
        raise SourceError("source_mail_odd")
    if encoding == "base64":
        return _Base64()
    if encoding == "quoted-printable":
        return _QuotedPrintable()
    return lambda piece, is_last: piece


class _Base64:
    def __init__(self) -> None:
        self._rest = b""

    def __call__(self, piece: bytes, is_last: bool) -> bytes:
        text = self._rest + b"".join(piece.split())
        whole = len(text) - len(text) % 4
        self._rest = text[whole:]
        if is_last and self._rest:
            raise SourceError("source_broken_off")
        try:
            return binascii.a2b_base64(text[:whole], strict_mode=True) if whole else b""
        except binascii.Error as error:
            raise SourceError("source_mail_odd") from error


class _QuotedPrintable:
    def __init__(self) -> None:
        self._rest = b""

    def __call__(self, piece: bytes, is_last: bool) -> bytes:
        text = self._rest + piece
        whole = len(text) if is_last else text.rfind(b"\n") + 1
        self._rest = text[whole:]
        return binascii.a2b_qp(text[:whole])
