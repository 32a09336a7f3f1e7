"""
Which encoding a text file has, and how sure we are.

1. A byte order mark settles it.
2. NULs on every other byte mean UTF-16 (or UTF-32) without a mark.
3. Bytes that are valid UTF-8 to the last one are UTF-8: chance does not produce that.
4. Otherwise each candidate is judged by the words it makes of the non-ASCII bytes (``alphabets``).
"""

import codecs
from dataclasses import dataclass, replace
from pathlib import Path

from tabular.model.problem import UnreadableFile, UnusableRequest
from tabular.reading.text import alphabets
from tabular.reading.text.survey import survey

_CHUNK = 1 << 20
_SAMPLE = 1 << 18
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """A Python codec name, with the reason it was chosen."""

    name: str
    confidence: float  # 0 to 1
    reason: str
    is_valid: bool = True  # every byte was checked to exist in it
    rivals: tuple[str, ...] = ()  # other codecs that fit nearly as well

    @property
    def is_utf8(self) -> bool:
        """Whether the file's bytes are UTF-8 as they stand, after its mark if it has one."""
        return self.name in {"utf-8", "utf-8-sig"}


def detect(path: Path, *, chosen: str | None = None) -> Encoding:
    """
    Find the encoding of the whole file.

    Raises UnreadableFile (binary_file) and UnusableRequest (unknown_encoding, wrong_encoding).
    """
    if chosen is not None:
        return _settled(path, chosen)
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
    for mark, name in _MARKS:
        if head.startswith(mark):
            reason = "the file starts with a byte order mark"
            return Encoding(name, 1.0, reason, is_valid=_is_valid(path, name))
    if wide := _wide_without_mark(head):
        return replace(wide, is_valid=_is_valid(path, wide.name))
    found = survey(path)
    if found.controls > max(8, min(found.size, 4 << 20) // 100):
        raise UnreadableFile(
            "binary_file", "The file is not text: it holds too many control characters."
        )
    if found.is_ascii:
        return Encoding("utf-8", 1.0, "every byte is ASCII")
    if found.is_utf8:
        if _is_all_controls(found.foreign):
            return Encoding("cp1252", 0.5, "as UTF-8 its only foreign characters are controls")
        return Encoding("utf-8", 0.99, "every byte sequence is valid UTF-8")
    if _is_damaged_utf8(found.foreign):
        return Encoding("utf-8", 0.8, "nearly every byte sequence is valid UTF-8", False)
    return _judged(found.foreign)


def _is_all_controls(foreign: bytes) -> bool:
    """Say whether UTF-8 would give nothing but C1 controls, which no text holds."""
    text = foreign.decode("utf-8", "ignore")
    return all("\x80" <= character < "\xa0" for character in text if not character.isascii())


def _is_damaged_utf8(foreign: bytes) -> bool:
    text = foreign.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(not character.isascii() for character in text) - broken
    return whole > 10 * broken


def _settled(path: Path, chosen: str) -> Encoding:
    try:
        name = codecs.lookup(chosen).name
    except LookupError as error:
        sentence = f"The encoding {chosen!r} is not known."
        raise UnusableRequest("unknown_encoding", sentence) from error
    with path.open("rb") as file:
        head = file.read(4)
    if name == "utf-8" and head.startswith(codecs.BOM_UTF8):
        name = "utf-8-sig"
    if not _is_valid(path, name):
        sentence = f"The file cannot be read as {chosen}: some of its bytes do not exist there."
        raise UnusableRequest("wrong_encoding", sentence, encoding=chosen)
    return Encoding(name, 1.0, "a person chose it")


def _wide_without_mark(head: bytes) -> Encoding | None:
    even, odd = head[0::2], head[1::2]
    if len(head) < 4:
        return None
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    reason = "every other byte is NUL, as in UTF-16 without a byte order mark"
    for name, many, few in (
        ("utf-16-le", zeros_odd, zeros_even),
        ("utf-16-be", zeros_even, zeros_odd),
    ):
        if many > 0.3 and few < 0.05 and many > 4 * few:
            return Encoding(name, 0.9, reason)
    return None


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _is_valid(path: Path, name: str) -> bool:
    decoder = codecs.getincrementaldecoder(name)()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if not _decodes(decoder, chunk):
                return False
    return _decodes(decoder, b"", final=True)


def _judged(foreign: bytes) -> Encoding:
    scores = alphabets.rank(foreign)
    name, best = scores[0]
    close = tuple(rival for rival, score in scores[1:] if best - score < alphabets.CLOSE)
    margin = best - scores[1][1] if len(scores) > 1 else 1.0
    confidence = round(min(0.95, 0.5 + margin), 2)
    reason = "its words look most natural in this encoding"
    return Encoding(name, confidence, reason, is_valid=False, rivals=close)
