"""Regular expressions: linear in time by RE2, others with a limit. Spec: validation > regex."""

import re
from collections.abc import Iterator
from functools import lru_cache
from time import thread_time
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import regex

from tabular.model.sentences import Sentence

LONGEST = 1_000  # characters; a longer pattern is a program


def pattern_problem(pattern: str) -> str | None:
    """
    Return why a pattern cannot be used, or None.

    >>> pattern_problem("^[A-Z]+$") is None, "(?=" in (pattern_problem("(?=x)") or "")
    (True, True)
    """
    if len(pattern) > LONGEST:
        return Sentence("The pattern has more than {n1} characters.", n1=str(LONGEST))
    try:
        pc.match_substring_regex(pa.array([""]), pattern)
    except pa.ArrowInvalid as error:
        reason = str(error).partition("Invalid regular expression: ")[2] or str(error)
        return Sentence(
            "This pattern cannot be used: {reason}. Patterns follow RE2, which has no "
            "look-around and no back-references, so that every file is checked in linear "
            "time.",
            reason=reason,
        )
    return None


def rewrite_problem(pattern: str, by: str) -> str | None:
    r"""
    Return why a replacement cannot be used, or None.

    >>> rewrite_problem("(a)b", r"\1"), rewrite_problem("a", r"\1")
    (None, 'The replacement uses group 1, but the pattern has only 0.')
    """
    bare = by.replace("\\\\", "")
    if re.search(r"\\(?![0-9])", bare):
        return "In a replacement, write a digit or another backslash after a backslash."
    groups = len(re.findall(r"(?<!\\)\((?:(?!\?)|\?P?<)", pattern))
    used = max((int(digit) for digit in re.findall(r"\\([0-9])", bare)), default=0)
    if used > groups:
        return Sentence(
            "The replacement uses group {group}, but the pattern has only {groups}.",
            group=used,
            groups=groups,
        )
    return None


FLAGS = {"i": "i", "m": "m", "s": "s", "g": "", "u": "", "y": "", "d": "", "v": ""}
ACTING = frozenset("ims")  # of JavaScript's flags; the others do not affect a single text
PATIENCE_S = 0.25  # CPU seconds for one text
EXHAUSTED_S = 5.0  # CPU seconds for all unanswered texts of one rule; the rest is undecided
REMEMBERED = 100_000  # distinct texts
WIDEST = 20_000  # positions of a pattern whose counted repetitions are written out
_REPEAT = regex.compile(r"\{(\d*)(?:(,)(\d*))?\}")


class Pattern:
    """One pattern, ready to search many arrays. It caches its results."""

    def __init__(self, pattern: str, flags: str = "") -> None:
        letters = "".join(sorted({FLAGS.get(letter, "") for letter in flags}))
        self._linear = f"(?{letters})(?:{pattern})" if letters else pattern
        self._backtracking: Any = None if _is_linear(self._linear) else _compiled(pattern, letters)
        self._found: dict[str, bool | None] = {}
        self._lost_s = 0.0

    @property
    def is_linear(self) -> bool:
        """Whether every text is decided."""
        return self._backtracking is None

    def search(self, texts: pa.Array) -> pa.Array:
        """Return which of n strings match the pattern; null for no text or an undecided one."""
        if self._backtracking is None:
            return pc.match_substring_regex(texts, self._linear)
        encoded = texts.dictionary_encode()
        matches = [None if t is None else self._in(t) for t in encoded.dictionary.to_pylist()]
        return pa.array(matches, pa.bool_()).take(encoded.indices)

    def undecided(self, texts: pa.Array) -> pa.Array:
        """Return which of n strings took too long."""
        if self._backtracking is None:
            return pa.array(np.zeros(len(texts), dtype=bool))
        return pc.and_(pc.is_valid(texts), pc.is_null(self.search(texts)))

    def _in(self, text: str) -> bool | None:
        if len(self._found) > REMEMBERED:
            self._found.clear()
        if text not in self._found:
            self._found[text] = self._backtrack(text) if self._lost_s < EXHAUSTED_S else None
        return self._found[text]

    def _backtrack(self, text: str) -> bool | None:
        begun = thread_time()
        try:
            return self._backtracking.search(text, timeout=PATIENCE_S, concurrent=True) is not None
        except TimeoutError:
            self._lost_s += thread_time() - begun
            return None


def search_problem(pattern: str) -> str | None:
    """
    Return why a pattern of a catalog cannot be searched, or None.

    >>> search_problem(r"(?<=a)b"), search_problem("a{2000}"), search_problem("[")
    (None, None, 'This pattern cannot be read: unterminated character set at position 1.')
    """
    if _is_linear(pattern):
        return None
    if _width(pattern) > WIDEST:
        return "The repetitions of this pattern are too many to be searched."
    try:
        _compiled(pattern, "")
    except (regex.error, RecursionError, OverflowError) as error:
        return Sentence("This pattern cannot be read: {error}.", error=error)
    return None


@lru_cache(maxsize=256)
def _is_linear(pattern: str) -> bool:
    try:
        pc.match_substring_regex(pa.array([""]), pattern)
    except pa.ArrowInvalid:
        return False
    return True


@lru_cache(maxsize=256)
def _compiled(pattern: str, letters: str) -> Any:
    flags = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL}
    chosen = regex.VERSION0
    for letter in letters:
        chosen |= flags[letter]
    return regex.compile(pattern, chosen)


def _width(pattern: str) -> int:
    """Return the approximate positions of a pattern with its counted repetitions written out."""
    sums, last = [0], 0
    for part, times in _parts(pattern):
        if part == "(":
            sums.append(0)
            last = 0
        elif part == ")" and len(sums) > 1:
            last = sums.pop()
            sums[-1] += last
        elif part == "{":
            sums[-1] += last * (times - 1)
            last *= times
        else:
            last = 1
            sums[-1] += 1
    return sum(sums)


def _parts(pattern: str) -> Iterator[tuple[str, int]]:
    """Yield what counts: groups, repetitions with their number, everything else."""
    at, in_set = 0, False
    while at < len(pattern):
        sign = pattern[at]
        repeat = None if in_set or sign != "{" else _REPEAT.match(pattern, at)
        if sign == "\\":
            yield "x", 1
            at += 2
            continue
        if repeat is not None:
            yield "{", max(1, int(repeat[1] or 0), int(repeat[3] or 0))
            at = repeat.end()
            continue
        yield ("x" if in_set else sign), 1
        in_set = sign == "[" or (in_set and sign != "]")
        at += 1
