"""Names of files: which are taken, which are harmless, and what a taken file is called."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from common import clock

LONGEST_NAME = 255


def is_harmless(name: str) -> bool:
    r"""
    Return whether a name is one of a file inside its folder.

    >>> [is_harmless(name) for name in ("a.csv", "..", "../a", "a\nb", "a\\b", "")]
    [True, False, False, False, False, False]
    """
    return (
        0 < len(name) <= LONGEST_NAME
        and name not in {".", ".."}
        and not any(
            character in "/\\" or unicodedata.category(character) in {"Cc", "Cs"}
            for character in name
        )
    )


def is_wanted(name: str, *, pattern: str, ignored_suffix: str) -> bool:
    """
    Return whether a feed takes files of this name. Case does not matter.

    >>> is_wanted("Orders.CSV", pattern="*.csv", ignored_suffix=".done")
    True
    >>> is_wanted("orders.csv.done", pattern="*", ignored_suffix=".done")
    False
    """
    if ignored_suffix and name.endswith(ignored_suffix):
        return False
    return fnmatchcase(name.lower(), pattern.lower())


def with_time(name: str, at: datetime) -> str:
    """
    Return a name with a time before its ending.

    >>> with_time("orders.csv", datetime(2024, 5, 1, 6, 30, tzinfo=UTC))
    'orders.20240501T063000Z.csv'
    """
    stem, dot, ending = name.rpartition(".")
    if not stem:
        stem, dot, ending = name, "", ""
    return f"{stem}.{at.astimezone(UTC):%Y%m%dT%H%M%SZ}{dot}{ending}"


def free_name(path: str, *, is_there: Callable[[str], bool]) -> str:
    """
    Return a path that is not there yet: a file of last week is never overwritten.

    >>> free_name("done/a.csv", is_there=set().__contains__)
    'done/a.csv'
    """
    if not is_there(path):
        return path
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{with_time(name, clock.now())}"


def joined(folder: str, name: str) -> str:
    """
    Return the path of a name in a folder; the folder may be empty or absolute.

    >>> joined("/in/", "a.csv"), joined("", "a.csv"), joined("/", "a.csv")
    ('/in/a.csv', 'a.csv', '/a.csv')
    """
    if not folder:
        return name
    return f"{folder.rstrip('/')}/{name}"
