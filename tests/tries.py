"""
How many examples the hypothesis tests try.

All of them before a landing (IMPORT_CI), always the same ones; a part of them on developers'
machines, with new ones each time.
"""

import os

BEFORE_A_LANDING = bool(os.environ.get("IMPORT_CI"))
PART, FEWEST = 3, 3
USUALLY = 100  # if a test sets no number


def tries(number: int = USUALLY) -> int:
    """Return how many of these examples are tried here."""
    return number if BEFORE_A_LANDING else max(number // PART, FEWEST)
