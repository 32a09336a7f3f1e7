"""A host's logo, as a data URI of a picture that cannot contain a script. Pure."""

import base64
import binascii
import re

MOST_BYTES = 64 * 1024
DATA_URI = re.compile(r"data:image/(png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})")
LONGEST = len("data:image/jpeg;base64,") + 4 * -(-MOST_BYTES // 3)  # characters
STARTS = {  # the first bytes of each kind
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "jpeg": re.compile(rb"\xff\xd8\xff"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}


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
