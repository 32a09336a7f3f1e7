"""
How many examples the hypothesis tests try.

All of them before a landing (IMPORT_CI), always the same ones; a part of them on developers'
machines, with new ones each time, and where the same tests run again on PostgreSQL.
"""

import os

BEFORE_A_LANDING = bool(os.environ.get("IMPORT_CI"))
ALL = BEFORE_A_LANDING and not os.environ.get("IMPORT_POSTGRES_URL")
PART, FEWEST = 3, 3
USUALLY = 100  # if a test sets no number


def tries(number: int = USUALLY) -> int:
    """Return how many of these examples are tried here."""
    return number if ALL else max(number // PART, FEWEST)
