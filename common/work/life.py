"""
The log of imports and deliveries: one line per change of state.

A line has ids, states, counts, seconds and codes. It never has a cell, a file name, a reason that
users wrote, or a URL.
"""

import logging
from collections.abc import Mapping
from functools import partial

from django.db import transaction

logger = logging.getLogger("life")

Detail = str | int | float | None


def tell(
    what: str,
    public_id: str,
    *,
    before: str,
    after: str,
    about: Mapping[str, Detail],
    level: int = logging.INFO,
) -> None:
    """Log a change of state once its transaction commits."""
    members = " ".join(f"{name}={_shown(value)}" for name, value in about.items() if value != "")
    line = partial(
        logger.log, level, "%s %s: %s -> %s %s", what, public_id, before or "new", after, members
    )
    transaction.on_commit(line, robust=True)


def _shown(value: Detail) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
