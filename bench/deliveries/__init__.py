"""Sending: small deliveries through one worker, and large bodies. docs/webhooks.md."""

import os
from collections.abc import Iterator

from bench.figures.figure import Measured, Skipped
from bench.figures.services import NEEDS, given, scaled


def main() -> None:
    """Print the figures of sending; those of a worker require PostgreSQL and Redis."""
    from bench.deliveries import body

    body.main()
    for item in figures():
        item.show()


def figures() -> Iterator[Measured]:
    """Yield how much one worker sends, next to the usual design."""
    from bench.deliveries import rate

    services = given()
    if not services:
        yield Skipped("deliveries through one worker", NEEDS)
        return
    os.environ |= services
    yield from rate.figures(scaled(rate.COUNT, least=200))
