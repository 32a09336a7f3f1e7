"""E-mail addresses (RFC 5321 lengths, RFC 6531 and IDNA 2008 names). Spec: columnType email."""

import pyarrow as pa
import pyarrow.compute as pc

from tabular.types.how import How
from tabular.types.parsed import Parsed, bulk_then_distinct
from tabular.values.arrays import replaced, where

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PLAIN = rf"^{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)+[a-z]{{2,63}}$"
_LOCAL, _ADDRESS = 64, 254  # RFC 5321, 4.5.3.1


def read_email(texts: pa.Array, how: How) -> Parsed:
    """
    Read addresses; the domain is lower-cased, ``Name <a@b.c>`` and ``mailto:`` give the address.

    texts: n tidy strings. Returns n strings.
    """
    return bulk_then_distinct(texts, bulk=_bulk, one=_one, code="not_an_email")


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
    """Keep what RFC 5321 allows for; nearly all addresses are far from it."""
    if (pc.max(pc.binary_length(texts)).as_py() or 0) <= _LOCAL:
        return texts
    short = pc.and_(
        pc.less_equal(pc.find_substring(texts, "@"), _LOCAL),
        pc.less_equal(pc.binary_length(texts), _ADDRESS),
    )
    return pc.if_else(short, texts, None)


def _one(text: str) -> str | None:
    """
    Read one address.

    >>> _one("Jane Roe <jane@Example.org>"), _one("jane at example.org"), _one("jörg@münchen.de")
    ('jane@example.org', None, 'jörg@münchen.de')
    """
    if text.count("@") != 1 or len(text) > 1_000:
        return None
    from email_validator import EmailNotValidError, validate_email

    text = text.removeprefix("mailto:")
    try:
        found = validate_email(
            text, check_deliverability=False, allow_display_name=True, test_environment=True
        )
    except EmailNotValidError:
        return None
    short = len(found.normalized) <= _ADDRESS and len(found.local_part.encode()) <= _LOCAL
    return found.normalized if short else None
