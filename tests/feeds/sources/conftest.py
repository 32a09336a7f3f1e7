"""Guards and limits for tests of sources."""

from ipaddress import ip_network

import pytest

from feeds.sources.guard import Guard
from feeds.sources.protocol import Limits

LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.fixture
def guard() -> Guard:
    """Allow what runs on this machine."""
    return Guard(networks=LOOPBACK)


@pytest.fixture
def limits() -> Limits:
    """Wait for no test server longer than a minute."""
    return Limits(answer_s=60, listing_s=60, file_s=60)
