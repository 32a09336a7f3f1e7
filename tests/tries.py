"""
How many examples the tests of hypothesis try.

All of them before a landing (IMPORT_CI), which also tries the same ones each time; a part of them
on the machines of those who change something, where new ones are found each time.
"""

import os

BEFORE_A_LANDING = bool(os.environ.get("IMPORT_CI"))
PART, FEWEST = 3, 3
USUALLY = 100  # where a test says no number


def tries(number: int = USUALLY) -> int:
    """Give how many of so many examples are tried here."""
    return number if BEFORE_A_LANDING else max(number // PART, FEWEST)
