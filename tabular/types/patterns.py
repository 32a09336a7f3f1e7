"""Regular expressions, linear in time: what RE2 takes."""

import re

import pyarrow as pa
import pyarrow.compute as pc

LONGEST = 1_000  # characters; a longer pattern is a program


def pattern_problem(pattern: str) -> str | None:
    """
    Say why a pattern cannot be used, or None.

    >>> pattern_problem("^[A-Z]+$") is None, "(?=" in (pattern_problem("(?=x)") or "")
    (True, True)
    """
    if len(pattern) > LONGEST:
        return f"The pattern has more than {LONGEST} characters."
    try:
        pc.match_substring_regex(pa.array([""]), pattern)
    except pa.ArrowInvalid as error:
        reason = str(error).partition("Invalid regular expression: ")[2] or str(error)
        return (
            f"This pattern cannot be used: {reason}. Patterns follow RE2, which has no look-around"
            " and no back-references, so that every file is checked in linear time."
        )
    return None


def rewrite_problem(pattern: str, by: str) -> str | None:
    r"""
    Say why a replacement cannot be used, or None.

    >>> rewrite_problem("(a)b", r"\1"), rewrite_problem("a", r"\1")
    (None, 'The replacement uses group 1, but the pattern has only 0.')
    """
    if re.search(r"\\(?![0-9\\])", by):
        return "In a replacement a backslash stands before a digit or another backslash."
    groups = len(re.findall(r"(?<!\\)\((?:(?!\?)|\?P?<)", pattern))
    used = max((int(digit) for digit in re.findall(r"\\([0-9])", by)), default=0)
    if used > groups:
        return f"The replacement uses group {used}, but the pattern has only {groups}."
    return None
