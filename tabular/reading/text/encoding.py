"""Detect a text file's encoding, in one pass over all its bytes, with a confidence."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from tabular.model.problem import UnreadableFile, UnusableRequest
from tabular.model.sentences import Sentence
from tabular.reading.text import alphabets

_CHUNK = 1 << 20
_BY_ARROW = 1 << 20  # bytes; the kernels of Arrow take as long to import as decoding 16 MB
_SAMPLE = 1 << 18
_SEPARATORS = b"\x01\x1c\x1d\x1e\x1f"  # exports separate cells and records with them
_CONTROLS = bytes(range(32)).translate(None, b"\a\b\t\n\v\f\r\x1a\x1b" + _SEPARATORS)
_CONTROLS_WITHIN = 4 << 20


@dataclass(slots=True)
class Survey:
    """What the bytes of a file consist of."""

    size: int = 0
    is_ascii: bool = True
    is_utf8: bool = True
    controls: int = 0  # in the first megabytes, and wherever there are NULs
    foreign: bytes = b""  # lines with non-ASCII bytes, about a quarter of a megabyte


def survey(path: Path) -> Survey:
    """Read every byte once."""
    statistics = Survey()
    rest = b""
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            statistics.size += len(chunk)
            if statistics.size <= _CONTROLS_WITHIN or b"\0" in chunk:
                statistics.controls += len(chunk) - len(chunk.translate(None, _CONTROLS))
            if chunk.isascii() and not rest:
                continue
            statistics.is_ascii = False
            if len(statistics.foreign) < _SAMPLE:
                statistics.foreign += _foreign_lines(chunk)
            if statistics.is_utf8:
                rest = _check_utf8(statistics, rest + chunk)
    statistics.is_utf8 = statistics.is_utf8 and not rest
    return statistics


def _check_utf8(statistics: Survey, chunk: bytes) -> bytes:
    """Check all whole characters. Return the bytes of a last one that is cut off."""
    cut = len(chunk)
    for back in range(1, min(4, cut) + 1):
        if chunk[cut - back] >= 0xC0:  # a character starts here
            cut -= back
            break
        if chunk[cut - back] < 0x80:
            break
    statistics.is_utf8 = _is_utf8(chunk[:cut])
    tail = chunk[cut:]
    if tail and _is_utf8(tail):
        return b""
    return tail


def _is_utf8(chunk: bytes) -> bool:
    """Validate by decoding; from a certain size on with Arrow, which is four times as fast."""
    if len(chunk) < _BY_ARROW:
        try:
            chunk.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True
    import pyarrow as pa

    offsets = pa.py_buffer(bytes(4) + len(chunk).to_bytes(4, "little"))
    array = pa.Array.from_buffers(pa.binary(), 1, [None, offsets, pa.py_buffer(chunk)])
    try:
        array.cast(pa.string())
    except pa.ArrowInvalid:
        return False
    return True


def _foreign_lines(chunk: bytes) -> bytes:
    lines = chunk.replace(b"\r", b"\n").split(b"\n")
    return b"\n".join(line[:2000] for line in lines if not line.isascii())[:_SAMPLE] + b"\n"


_SHOWN_LINES = 3
_MOST_RIVALS = 4
_ODD = 0.02
_FEWEST_WIDE = 8  # bytes of UTF-32 that can be told from others
_NARROW_BREAKS = 8  # bytes of line breaks for each wide one, in text with foreign letters
_NO_TEXT = frozenset({"Cc", "Cn", "Co"})  # controls, unassigned characters
_BREAKS = frozenset("\t\n\r\x01\x1c\x1d\x1e\x1f")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """A Python codec name, with the reason for it."""

    name: str
    confidence: float  # 0 to 1
    reason: str
    is_valid: bool = True  # every byte was checked to exist in it
    rivals: tuple[str, ...] = ()  # other codecs that fit almost as well, and read it differently
    sample: bytes = b""  # lines that the rivals read differently

    @property
    def is_utf8(self) -> bool:
        """Whether the file's bytes are UTF-8 as they are, after a byte order mark if any."""
        return self.name in {"utf-8", "utf-8-sig"}


def detect(path: Path, *, chosen: str | None = None) -> Encoding:
    """
    Detect the encoding of the whole file.

    Raises UnreadableFile (binary_file) and UnusableRequest (unknown_encoding, wrong_encoding).
    """
    if chosen is not None:
        return _chosen_encoding(path, chosen)
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
    for mark, name in _MARKS:
        if head.startswith(mark):
            reason = "the file starts with a byte order mark"
            return Encoding(name, 1.0, reason, is_valid=_is_valid(path, name))
    if wide := _wide_without_mark(head):
        return replace(wide, is_valid=_is_valid(path, wide.name))
    statistics = survey(path)
    if statistics.controls > max(8, min(statistics.size, _CONTROLS_WITHIN) // 100):
        raise UnreadableFile(
            "binary_file", "The file is not text: it holds too many control characters."
        )
    if statistics.is_ascii:
        return Encoding("utf-8", 1.0, "every byte is ASCII")
    if statistics.is_utf8:
        if _is_all_controls(statistics.foreign):
            return Encoding(
                "cp1252", 0.5, "as UTF-8, its only non-ASCII characters are control characters"
            )
        return Encoding("utf-8", 0.99, "every byte sequence is valid UTF-8")
    if _is_damaged_utf8(statistics.foreign):
        return Encoding("utf-8", 0.8, "nearly every byte sequence is valid UTF-8", False)
    return _judged(statistics.foreign)


def _is_all_controls(foreign: bytes) -> bool:
    """Return whether UTF-8 would give nothing but C1 controls, which no text contains."""
    text = foreign.decode("utf-8", "ignore")
    return all("\x80" <= character < "\xa0" for character in text if not character.isascii())


def _is_damaged_utf8(foreign: bytes) -> bool:
    text = foreign.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(not character.isascii() for character in text) - broken
    return whole > 10 * broken


def _chosen_encoding(path: Path, chosen: str) -> Encoding:
    try:
        name = codecs.lookup(chosen).name
    except LookupError as error:
        sentence = Sentence("The encoding {name} is not known.", name=repr(chosen))
        raise UnusableRequest("unknown_encoding", sentence) from error
    with path.open("rb") as file:
        head = file.read(4)
    if name == "utf-8" and head.startswith(codecs.BOM_UTF8):
        name = "utf-8-sig"
    if not _is_valid(path, name):
        sentence = Sentence("The file is not valid {name}. Choose another encoding.", name=chosen)
        raise UnusableRequest("wrong_encoding", sentence, encoding=chosen)
    return Encoding(name, 1.0, "a person chose it")


def _wide_without_mark(head: bytes) -> Encoding | None:
    """Detect UTF-32 and UTF-16 without a mark: read so, and not the other way, it is text."""
    if len(head) < 4 or 0 not in head:
        return None
    for name in ("utf-32-le", "utf-32-be"):
        # Three bytes in four say which of the few existing code points a character is.
        if len(head) >= _FEWEST_WIDE and _odd_share(head, name) <= _ODD:
            return Encoding(name, 0.95, "it is UTF-32 text without a byte order mark")
    shares = {name: _odd_share(head, name) for name in ("utf-16-le", "utf-16-be")}
    name = min(shares, key=lambda codec: shares[codec])
    if shares[name] > _ODD or not _has_wide_lines(head, name):
        return None
    return Encoding(name, 0.9, "it is UTF-16 text without a byte order mark")


def _has_wide_lines(head: bytes, name: str) -> bool:
    """
    Return whether line breaks are two bytes wide or, without any, whether NULs are everywhere.

    Plain text with a stray NUL decodes to rare ideographs, and its line breaks vanish in them.
    """
    narrow = head.count(b"\n") + head.count(b"\r")
    if not narrow:
        return head.count(0) * 8 >= len(head)
    text = codecs.getincrementaldecoder(name)().decode(head)
    wide = text.count("\n") + text.count("\r")
    # Half of an ideograph may be the byte of a line break; plain text has only ASCII bytes.
    return wide * (2 if head.isascii() else _NARROW_BREAKS) >= narrow


def _odd_share(head: bytes, name: str) -> float:
    """Return the share of characters that no text contains, most of all if few are ASCII."""
    try:
        text = codecs.getincrementaldecoder(name)().decode(head)
    except UnicodeDecodeError:
        return 1.0
    odd = sum(unicodedata.category(letter) in _NO_TEXT for letter in text if letter not in _BREAKS)
    plain = sum(letter.isascii() for letter in text)
    return odd / len(text) if plain > 0 else 1.0


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
    text = foreign.decode(name, "replace")
    others = [
        (rival, score) for rival, score in scores[1:] if foreign.decode(rival, "replace") != text
    ]
    near = [rival for rival, score in others if alphabets.are_close(best, score, foreign)]
    close = tuple(near[:_MOST_RIVALS])
    margin = best - others[0][1] if others else 1.0
    confidence = round(min(0.95, 0.5 + margin), 2)
    reason = "its words look most natural in this encoding"
    sample = b"\n".join(_telling_lines(foreign, (name, *close))) if close else b""
    return Encoding(name, confidence, reason, is_valid=False, rivals=close, sample=sample)


def _telling_lines(foreign: bytes, names: Sequence[str]) -> Iterator[bytes]:
    """Return the first lines that the encodings read differently."""
    lines = dict.fromkeys(line.strip() for line in foreign.split(b"\n"))
    telling = (line for line in lines if len({line.decode(name, "replace") for name in names}) > 1)
    return islice(telling, _SHOWN_LINES)
