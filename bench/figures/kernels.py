"""Parts of the core on their own: similar rows, a join, a nested body."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

from bench.figures.figure import Measured
from bench.figures.services import scaled
from bench.review import settings_of


def near_duplicates() -> Iterator[Measured]:
    """Measure near-duplicates of 100,000 rows."""
    from pathlib import Path

    with tempfile.TemporaryDirectory() as name:
        os.environ |= settings_of(Path(name))
        import django

        django.setup()
        from bench.review import near

        yield from near.figures(scaled(near.ROWS, least=1_000))


def join() -> Iterator[Measured]:
    """Measure a join of 500,000 and 500,000 rows."""
    from bench import joining

    return joining.figures(scaled(joining.ROWS, least=100))


def nested_body() -> Iterator[Measured]:
    """Measure a nested body of a million lines against a flat one."""
    from bench.deliveries import nested

    return nested.figures(scaled(nested.ROWS // nested.BATCH_ROWS) * nested.BATCH_ROWS)
