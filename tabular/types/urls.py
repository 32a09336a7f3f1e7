"""Web addresses in three forms (RFC 3986). Spec: columnType url, url_www, url_https."""

import re
from urllib.parse import urlsplit

import idna
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.how import How
from tabular.types.parsed import Parsed, bulk_then_distinct, faults
from tabular.values.arrays import where

_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = rf"(?:{_LABEL}\.)+[a-z]{{2,63}}\.?"
_REST = r"(?::[0-9]{1,5})?(?:[/?#][!-~]*)?"
_LONGEST = 2_048


def read_url(texts: pa.Array, how: How) -> Parsed:
    """
    Read addresses with a scheme: http, https, ftp.

    texts: n tidy strings. Returns n addresses, scheme and host in lower case. A host without a
    scheme gets ``https://`` and the warning ``scheme_added``.
    """
    return _with_scheme(texts, ("http", "https", "ftp"), "not_a_url")


def read_url_https(texts: pa.Array, how: How) -> Parsed:
    """Read addresses with https; others are as in ``read_url``, http is refused."""
    return _with_scheme(texts, ("https",), "not_an_https_url")


def read_url_www(texts: pa.Array, how: How) -> Parsed:
    """Read addresses as ``www.example.com/page``. texts: n tidy strings; a scheme is taken off."""
    bare = pc.replace_substring_regex(texts, r"^(?i:https?)://", "")

    def one(text: str) -> str | None:
        found = _one(f"https://{text}", ("https",))
        return found.removeprefix("https://") if found and found[8:12] == "www." else None

    plain = rf"^www\.{_HOST}{_REST}$"
    return bulk_then_distinct(
        bare,
        bulk=lambda texts: pc.if_else(pc.match_substring_regex(texts, plain), texts, None),
        one=one,
        code="not_a_www_url",
    )


def _with_scheme(texts: pa.Array, schemes: tuple[str, ...], code: str) -> Parsed:
    bare = pc.match_substring_regex(texts, r"^[^:/?#\s@]+\.[^:/?#\s@.]{2,}(?::[0-9]+)?(?:[/?#]|$)")
    full = pc.if_else(bare, pc.binary_join_element_wise("https://", texts, ""), texts)
    plain = rf"^(?:{'|'.join(schemes)})://{_HOST}{_REST}$"
    parsed = bulk_then_distinct(
        full,
        bulk=lambda texts: pc.if_else(pc.match_substring_regex(texts, plain), texts, None),
        one=lambda text: _one(text, schemes),
        code=code,
    )
    added = where(pc.and_(bare, pc.is_valid(parsed.values)))
    return Parsed(parsed.values, parsed.faults + faults("scheme_added", added, "warning"))


def _one(text: str, schemes: tuple[str, ...]) -> str | None:
    """
    Read one address.

    >>> _one("HTTP://Example.org/A b", ("http",)), _one("HTTP://Example.org/A", ("http",))
    (None, 'http://example.org/A')
    """
    if len(text) > _LONGEST or re.search(r"[\s<>\"{}|\\^`\x00-\x1f]", text):
        return None
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in schemes or not host or not _is_host(host):
        return None
    user = parts.netloc.rpartition("@")[0]
    place = (f"{user}@" if user else "") + host + (f":{port}" if port is not None else "")
    return parts._replace(netloc=place).geturl()


def _is_host(host: str) -> bool:
    if re.fullmatch(_HOST, host):
        return True
    if re.fullmatch(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}", host):
        return all(int(part) <= 255 for part in host.split("."))
    try:
        ascii_host = idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        return False
    return re.fullmatch(rf"(?:{_LABEL}\.)+[a-z0-9-]{{2,63}}", ascii_host) is not None
