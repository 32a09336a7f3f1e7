"""Parse the output of ``strace`` for calls that reach out: the peers of a program."""

import re
from collections import Counter
from ipaddress import ip_address

CALLS = "connect,sendto,sendmsg,sendmmsg"
ADDRESS = re.compile(
    r"sa_family=AF_INET6?, sin6?_port=htons\((?P<port>\d+)\)"
    r'.*?(?:inet_addr\("|inet_pton\(AF_INET6, ")(?P<address>[^"]+)"'
)
FAMILY = re.compile(r"sa_family=(AF_\w+)")
NAMES = 53  # any DNS lookup is an attempt to reach something


def attempts_in(text: str) -> Counter[str]:
    """
    Count the addresses in traced calls.

    >>> sorted(attempts_in(
    ...     '1 connect(3, {sa_family=AF_INET, sin_port=htons(80), '
    ...     'sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH\\n'
    ...     '2 connect(3, {sa_family=AF_INET6, sin6_port=htons(53), sin6_flowinfo=htonl(0), '
    ...     'inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}, 28) = 0\\n'
    ...     '3 connect(3, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0\\n').items())
    [('192.0.2.1 port 80', 1), ('::1 port 53', 1), ('AF_UNIX', 1)]
    """
    attempts: Counter[str] = Counter()
    for line in text.splitlines():
        if at := ADDRESS.search(line):
            attempts[f"{at['address']} port {at['port']}"] += 1
        elif family := FAMILY.search(line):
            attempts[family[1]] += 1
    return attempts


def leaves_home(attempt: str) -> bool:
    """
    Return whether an attempt reaches for anything but this machine.

    >>> [leaves_home(to) for to in ("AF_UNIX", "127.0.0.1 port 80", "::1 port 5432")]
    [False, False, False]
    >>> [leaves_home(to) for to in ("192.0.2.1 port 443", "127.0.0.53 port 53", "AF_VSOCK")]
    [True, True, True]
    """
    address, _, port = attempt.partition(" port ")
    if not port:
        return address not in {"AF_UNIX", "AF_NETLINK", "AF_UNSPEC"}
    return not ip_address(address).is_loopback or int(port) == NAMES
