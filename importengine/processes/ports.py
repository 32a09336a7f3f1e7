"""The port of the web processes: whether another program has it."""

import errno
import socket
import time

GRACE_S = 10.0  # an engine that is being stopped finishes its calls first
LOOK_EVERY_S = 0.2


def is_in_use(host: str, port: int) -> bool:
    """
    Return whether a program listens at an address.

    The web processes bind with SO_REUSEPORT, so two engines would share a port, and each would
    answer some of the calls. This bind is without it, and fails.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.create_server((host, port), family=family):
            return False
    except OSError as error:
        return error.errno == errno.EADDRINUSE


def becomes_free(host: str, port: int) -> bool:
    """Return whether an address is free, or becomes free in time."""
    until = time.monotonic() + GRACE_S
    while is_in_use(host, port):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK_EVERY_S)
    return True
