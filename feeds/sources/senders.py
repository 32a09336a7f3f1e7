"""
Who sent a mail, and what proves it.

The ``From`` line proves nothing: anyone can write it. The mail server that received the mail checks
SPF, DKIM and DMARC, and writes what it saw into ``Authentication-Results`` (RFC 8601). Such a line
counts if it is the first that names this server; a conforming server removes those that came with
the mail.
"""

import email
from collections.abc import Iterable, Sequence
from email import policy

import authres
from authres import dmarc

LONGEST_LINE = 10_000
LONGEST_ADDRESS = 1_000
FEATURES = authres.FeatureContext(dmarc)


def proven_sender(headers: bytes, *, auth_server: str, takes_unproven: bool) -> str:
    """Return the address that a mail is from, in lower case; empty if that is not proven."""
    message = email.message_from_bytes(headers, policy=policy.compat32)
    senders = message.get_all("from", [])
    address = read_address(str(senders[0])) if len(senders) == 1 else ""
    if not address or takes_unproven:
        return address
    results = map(str, message.get_all("authentication-results", []))
    return address if _is_proven(address.rpartition("@")[2], results, auth_server) else ""


def is_allowed(address: str, allowed: Sequence[str]) -> bool:
    """
    Return whether an address is one of those allowed, or of one of their domains.

    >>> is_allowed("a@x.example", ["@x.example"]), is_allowed("a@x.example.evil", ["@x.example"])
    (True, False)
    """
    domain = address[address.rfind("@") :]
    return bool(address) and any(item.lower() in (address, domain) for item in allowed)


def read_address(line: str) -> str:
    """
    Return the only address of a ``From`` line; empty if it has none, several or an odd one.

    >>> read_address("Ann <Ann@Example.com>"), read_address("a@x.example, b@x.example")
    ('ann@example.com', '')
    """
    if len(line) > LONGEST_ADDRESS:
        return ""
    try:
        addresses = policy.default.header_factory("from", line).addresses
    except Exception:  # noqa: BLE001 - the library raises many kinds for odd lines
        return ""
    if len(addresses) != 1 or not addresses[0].username or not addresses[0].domain:
        return ""
    return str(addresses[0].addr_spec).lower()


def _is_proven(domain: str, lines: Iterable[str], auth_server: str) -> bool:
    for line in lines:
        if len(line) > LONGEST_LINE:
            return False
        server = line.partition(";")[0].split()
        if not server or server[0].lower() != auth_server.lower():
            continue
        try:
            text = "Authentication-Results: " + " ".join(line.split())
            results = FEATURES.parse(text).results
        except Exception:  # noqa: BLE001 - what cannot be read proves nothing
            return False
        return any(_proves(result, domain) for result in results)
    return False


def _proves(result: authres.core.AuthenticationResult, domain: str) -> bool:
    """Return whether one result is a pass for the domain that the mail says it is from."""
    if (result.result or "").lower() != "pass":
        return False
    shown = {
        f"{item.type}.{item.name}".lower(): str(item.value or "").lower().rpartition("@")[2]
        for item in result.properties
    }
    match result.method.lower():
        case "dmarc":
            return shown.get("header.from") == domain
        case "dkim":
            return _is_within(domain, shown.get("header.d") or shown.get("header.i", ""))
        case "spf":
            return shown.get("smtp.mailfrom") == domain
    return False


def _is_within(domain: str, owner: str) -> bool:
    """Return whether who signs for ``owner`` also speaks for ``domain``."""
    return "." in owner and (domain == owner or domain.endswith(f".{owner}"))
