"""Free text, postcodes, e-mail and web addresses. Spec: columnType string, email, url."""

import re
from urllib.parse import urlsplit

import idna
import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import Parsed, bulk_then_distinct, faults, refused
from tabular.values.arrays import replaced, where


def read_string(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Return the text, without outer white space. texts: n tidy strings. Returns the same."""
    return Parsed(texts)


def read_zip_code_de(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read German postcodes: five digits, from 01001 on.

    texts: n tidy strings, with or without ``D-`` or ``DE-`` in front. A leading zero that a
    spreadsheet dropped is restored. Returns n strings of five digits.
    """
    bare = pc.replace_substring_regex(texts, r"(?i)^DE?[- ]+", "")
    padded = pc.if_else(pc.match_substring_regex(bare, r"^[1-9][0-9]{3}$"), _zero(bare), bare)
    good = pc.match_substring_regex(padded, r"^(0[1-9]|[1-9][0-9])[0-9]{3}$")
    values = pc.if_else(good, padded, None)
    return Parsed(values, faults("not_a_german_postcode", refused(texts, values)))


def _zero(texts: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise("0", texts, "")


_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_DOMAIN_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PLAIN = rf"^{_ATOM}(?:\.{_ATOM})*@(?:{_DOMAIN_LABEL}\.)+[a-z]{{2,63}}$"
_LOCAL, _ADDRESS = 64, 254  # RFC 5321, 4.5.3.1


def read_email(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read addresses; the domain is lower-cased, ``Name <a@b.c>`` and ``mailto:`` give the address.

    texts: n tidy strings. Returns n strings.
    """
    return bulk_then_distinct(texts, bulk=_bulk, read_text=_one_email, code="not_an_email")


def _bulk(texts: pa.Array) -> pa.Array:
    plain = _if_short(pc.if_else(pc.match_substring_regex(texts, _PLAIN), texts, None))
    rest = where(pc.match_substring_regex(pc.if_else(pc.is_null(plain), texts, None), "@.*[A-Z]"))
    if not len(rest):
        return plain
    parts = pc.extract_regex(texts.take(pa.array(rest)), "^(?P<local>[^@]*@)(?P<domain>[^@]*)$")
    lowered = pc.ascii_lower(pc.struct_field(parts, "domain"))
    joined = pc.binary_join_element_wise(pc.struct_field(parts, "local"), lowered, "")
    good = pc.if_else(pc.match_substring_regex(joined, _PLAIN), joined, None)
    return replaced(plain, rest, _if_short(good))


def _if_short(texts: pa.Array) -> pa.Array:
    """Return the texts of a length that RFC 5321 allows; almost all are far from its limit."""
    if (pc.max(pc.binary_length(texts)).as_py() or 0) <= _LOCAL:
        return texts
    short = pc.and_(
        pc.less_equal(pc.find_substring(texts, "@"), _LOCAL),
        pc.less_equal(pc.binary_length(texts), _ADDRESS),
    )
    return pc.if_else(short, texts, None)


def _one_email(text: str) -> str | None:
    """
    Read one address.

    >>> _one_email("Jane Roe <jane@Example.org>"), _one_email("jane at example.org")
    ('jane@example.org', None)
    >>> _one_email("jörg@münchen.de")
    'jörg@münchen.de'
    """
    if text.count("@") != 1 or len(text) > 1_000:
        return None
    from email_validator import EmailNotValidError, validate_email

    text = text.removeprefix("mailto:")
    try:
        email = validate_email(
            text, check_deliverability=False, allow_display_name=True, test_environment=True
        )
    except EmailNotValidError:
        return None
    short = len(email.normalized) <= _ADDRESS and len(email.local_part.encode()) <= _LOCAL
    return email.normalized if short else None


_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = rf"(?:{_LABEL}\.)+[a-z]{{2,63}}\.?"
_REST = r"(?::[0-9]{1,5})?(?:[/?#][!-~]*)?"
_LONGEST = 2_048


def read_url(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """
    Read addresses with a scheme: http, https, ftp.

    texts: n tidy strings. Returns n addresses, scheme and host in lower case. A host without a
    scheme gets ``https://`` and the warning ``scheme_added``.
    """
    return _with_scheme(texts, ("http", "https", "ftp"), "not_a_url")


def read_url_https(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read addresses with https; others are as in ``read_url``, http is refused."""
    return _with_scheme(texts, ("https",), "not_an_https_url")


def read_url_www(texts: pa.Array, parse_options: ParseOptions) -> Parsed:
    """Read addresses as ``www.example.com/page``. texts: n tidy strings; a scheme is removed."""
    bare = pc.replace_substring_regex(texts, r"^(?i:https?)://", "")

    def www_address(text: str) -> str | None:
        url = _one(f"https://{text}", ("https",))
        return url.removeprefix("https://") if url and url[8:12] == "www." else None

    plain = rf"^www\.{_HOST}{_REST}$"
    return bulk_then_distinct(
        bare,
        bulk=lambda texts: pc.if_else(pc.match_substring_regex(texts, plain), texts, None),
        read_text=www_address,
        code="not_a_www_url",
    )


def _with_scheme(texts: pa.Array, schemes: tuple[str, ...], code: str) -> Parsed:
    bare = pc.match_substring_regex(texts, r"^[^:/?#\s@]+\.[^:/?#\s@.]{2,}(?::[0-9]+)?(?:[/?#]|$)")
    full = pc.if_else(bare, pc.binary_join_element_wise("https://", texts, ""), texts)
    plain = rf"^(?:{'|'.join(schemes)})://{_HOST}{_REST}$"
    parsed = bulk_then_distinct(
        full,
        bulk=lambda texts: pc.if_else(pc.match_substring_regex(texts, plain), texts, None),
        read_text=lambda text: _one(text, schemes),
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
