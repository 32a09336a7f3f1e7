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
KINDS = {"rec": "import", "dlv": "delivery"}  # by the beginning of the id

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
        logger.log,
        level,
        "%s %s: %s -> %s %s",
        what,
        public_id,
        before or "new",
        after,
        members,
        extra={"about": _ids(public_id, about)},
    )
    transaction.on_commit(line, robust=True)


def _ids(public_id: str, about: Mapping[str, Detail]) -> dict[str, str]:
    """Return the ids that a line in JSON has as members: of the object, its import, its tenant."""
    ids = {name: str(about[name]) for name in ("tenant", "import") if about.get(name)}
    kind = KINDS.get(public_id.partition("_")[0])
    return ids | ({kind: public_id} if kind else {})


def _shown(value: Detail) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
