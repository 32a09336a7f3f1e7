"""Logos of hosts and tenants: data URIs of pictures that cannot contain a script."""

import base64
import binascii
import re

from licensing.models import Logo, Tenant

MOST_BYTES = 64 * 1024
DATA_URI = re.compile(r"data:image/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})")
LONGEST = len("data:image/jpeg;base64,") + 4 * -(-MOST_BYTES // 3)  # characters
STARTS = {  # the first bytes of each kind
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
IN_MAILS = ("png", "jpeg")  # other kinds are not shown by every mail program
MOST_IN_MAILS = 48 * 1024  # bytes; a form of the admin has at most 64 KiB


def is_logo(text: str) -> bool:
    """
    Return whether a text is a picture of at most 64 KiB, and of the kind that it names.

    >>> is_logo("data:image/svg+xml;base64,PHN2Zz4="), is_logo("https://example.com/logo.png")
    (False, False)
    """
    match = DATA_URI.fullmatch(text)
    if match is None or len(text) > LONGEST:
        return False
    try:
        picture = base64.b64decode(match[2], validate=True)
    except binascii.Error:
        return False
    return len(picture) <= MOST_BYTES and STARTS[match[1]].match(picture) is not None


def logo_in_mails(picture: bytes) -> str | None:
    """
    Return a picture as a data URI; None if it is too large, or of a kind that not all mails show.

    >>> logo_in_mails(b"<svg>") is None
    True
    """
    kind = next((kind for kind in IN_MAILS if STARTS[kind].match(picture)), None)
    if kind is None or len(picture) > MOST_IN_MAILS:
        return None
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


def logo_of(tenant: Tenant) -> str:
    """Return the logo of a tenant as a data URI; empty without one."""
    mine = Logo.objects.filter(tenant=tenant.owner)
    return mine.values_list("picture", flat=True).first() or ""


def bytes_of(logo: str) -> tuple[str, bytes]:
    """
    Return the kind and the bytes of a logo.

    >>> bytes_of("data:image/png;base64,AAEC")
    ('png', b'\\x00\\x01\\x02')
    """
    match = DATA_URI.fullmatch(logo)
    if match is None:
        raise ValueError("not a logo")
    return match[1], base64.b64decode(match[2])
