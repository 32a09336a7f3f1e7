"""
Which addresses the engine may call: public ones, and networks that the operator allows.

A name is resolved once; every address must pass, and the connection uses one of them.
"""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from common.wording.messages import Message

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# IANA special-purpose address registries; listed here because ``is_global`` changes with Python.
SPECIAL_V4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
GLOBAL_V6 = IPv6Network("2000::/3")  # the only unicast range assigned by IANA
SPECIAL_V6 = tuple(
    IPv6Network(block)
    for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
NAT64 = IPv6Network("64:ff9b::/96")  # the last 32 bits are the IPv4 address called


WEB_PORTS = (443, 80)

LABEL = re.compile("[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")  # container names have _


class Refused(Exception):
    """The engine does not call this address."""

    def __init__(self, key: str, /, **params: Any) -> None:
        self.message = Message(key, **params)
        super().__init__(self.message.text())


class OutsideNetworks(Refused):
    """The engine calls this address only if the operator allows its network."""


def read_address(text: str) -> Address:
    """Return a resolved address; an IPv4 address inside an IPv6 one is unwrapped."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_public(address: Address) -> bool:
    """Return whether an address is a public Internet address."""
    if isinstance(address, IPv4Address):
        return not any(address in block for block in SPECIAL_V4)
    return address in GLOBAL_V6 and not any(address in block for block in SPECIAL_V6)


def is_allowed(address: Address, networks: Sequence[Network]) -> bool:
    """Return whether the operator's allow list contains the address."""
    return any(address in network for network in networks)


def vet(
    text: str,
    *,
    networks: Sequence[Network],
    tls: bool,
    port: int = 443,
    ports: Sequence[int] = WEB_PORTS,
) -> None:
    """Raise if an address may not be called. No TLS, or other ports: only allowed networks."""
    address = read_address(text)
    if is_allowed(address, networks):
        return
    if not is_public(address):
        raise OutsideNetworks("url_refused.private", address=str(address))
    if not tls:
        raise OutsideNetworks("url_refused.leaves")
    if port not in ports:
        raise Refused("url_refused.port", ports=" or ".join(map(str, ports)))


def vet_url(url: str, *, networks: Sequence[Network], ports: Sequence[int] = WEB_PORTS) -> None:
    """Raise if a URL could never be called; names are vetted when they are resolved."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise Refused("url_refused.unreadable") from error
    if parts.scheme not in {"http", "https"} or not host:
        raise Refused("url_refused.no_host")
    if parts.username is not None or parts.password is not None:
        raise Refused("url_refused.user")
    if parts.fragment:
        raise Refused("url_refused.fragment")
    if port == 0 or any(ord(character) <= 32 or ord(character) == 127 for character in url):
        raise Refused("url_refused.unreadable")
    tls = parts.scheme == "https"
    if not tls and not networks:
        raise OutsideNetworks("url_refused.http")
    port = port or (443 if tls else 80)
    if (literal := _literal(host)) is not None:
        vet(literal, networks=networks, tls=tls, port=port, ports=ports)
    elif port not in ports and not networks:
        raise Refused("url_refused.port", ports=" or ".join(map(str, ports)))


def _literal(host: str) -> str | None:
    """Return the address if a host is one, not a name."""
    if ":" in host:
        return str(_parsed(host))
    try:
        host = host.encode("idna").decode()  # dots and digits of other scripts become ASCII
    except UnicodeError as error:
        raise Refused("url_refused.not_a_name") from error
    if not _is_number(host.rstrip(".").rpartition(".")[2]):
        if not all(LABEL.fullmatch(label) for label in host.removesuffix(".").split(".")):
            raise Refused("url_refused.not_a_name")
        return None  # the last label of a name is never a number
    return str(_parsed(host))


def _is_number(label: str) -> bool:
    digits = label.lower()
    if digits.startswith("0x"):
        return all(character in "0123456789abcdef" for character in digits[2:])
    return digits.isdigit()


def _parsed(host: str) -> Address:
    try:
        return ip_address(host.partition("%")[0])
    except ValueError as error:
        # Decimal, octal, hexadecimal and shortened forms have no legitimate use.
        raise Refused("url_refused.number") from error
