"""Refuse small files that would expand endlessly inside pdfium, before it opens them.

Stream dictionaries are uncompressed in a PDF, even an encrypted one; only the content of a stream
is compressed. So streams are found by their keywords, without trusting the cross-reference table.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from tabular.model.problem import LimitExceeded, Limits, UnreadableFile
from tabular.model.sentences import Sentence, sized

STREAM = re.compile(rb"\bstream\r?\n")
OBJECT = re.compile(rb"(\d{1,8})\s+\d{1,5}\s+obj\b")
REFERENCE = re.compile(rb"(\d{1,8})\s+\d{1,5}\s+R\b")
FORM = re.compile(rb"/Subtype\s*/Form\b")
IMAGE = re.compile(rb"/Subtype\s*/Image\b")
FLATE = re.compile(rb"/(?:FlateDecode|Fl)\b")
PAINTED = re.compile(rb"/[^\s/<>\[\]()]+\s+Do\b")
LONGEST_DICTIONARY = 65_536
CHUNK = 1 << 20
SLICE = 1 << 16
MOST_PAINTED = 200_000  # forms painted inside forms
LOOKED_AT = 1 << 22  # bytes of a form searched for the forms it paints


@dataclass(frozen=True, slots=True)
class Packed:
    """One stream: its object's number, its dictionary, and the offset of its bytes."""

    number: int
    dictionary: bytes
    start: int


def refuse_decompression_bombs(content: bytes, limits: Limits) -> None:
    """Refuse streams that expand beyond the limits, and forms that multiply."""
    streams = list(streams_of(content))
    allowed = min(limits.expanded_bytes, limits.memory_bytes // 3)
    total = 0
    for stream in streams:
        if IMAGE.search(stream.dictionary):
            continue
        for chunk in unpacked(content, stream):
            total += len(chunk)
            if total > allowed:
                raise LimitExceeded(
                    Sentence("The PDF unpacks to more than {SIZE}.", SIZE=sized(allowed)),
                    limit="expanded_bytes",
                    allowed=limits.expanded_bytes,
                )
    _refuse_multiplying(content, [s for s in streams if FORM.search(s.dictionary)])


def streams_of(content: bytes) -> Iterator[Packed]:
    """Yield every stream with its dictionary."""
    end = 0
    for keyword in STREAM.finditer(content):
        if keyword.start() < end or content[keyword.start() - 3 : keyword.start()] == b"end":
            continue
        before = content[max(end, keyword.start() - LONGEST_DICTIONARY) : keyword.start()]
        opening = list(OBJECT.finditer(before))
        if opening:
            number = int(opening[-1][1])
            yield Packed(number, before[opening[-1].end() :], keyword.end())
            end = keyword.end()


def unpacked(content: bytes, stream: Packed) -> Iterable[bytes]:
    """Return the chunks of a stream's bytes, with its Flate filters undone."""
    end = content.find(b"endstream", stream.start)
    chunks: Iterable[bytes] = [content[stream.start : end if end >= 0 else len(content)]]
    for _ in FLATE.findall(stream.dictionary):
        chunks = _inflated(chunks)
    return chunks


def _inflated(chunks: Iterable[bytes]) -> Iterator[bytes]:
    inflater = zlib.decompressobj()
    try:
        for part in (part for chunk in chunks for part in _sliced(chunk)):
            rest = part
            while rest and not inflater.eof:
                yield inflater.decompress(rest, CHUNK)
                rest = inflater.unconsumed_tail
    except zlib.error:
        return  # encrypted or damaged: pdfium will report it


def _sliced(chunk: bytes) -> Iterator[bytes]:
    return (chunk[at : at + SLICE] for at in range(0, len(chunk), SLICE))


def _refuse_multiplying(content: bytes, forms: list[Packed]) -> None:
    by_number = {form.number: form for form in forms}

    @cache
    def painted(number: int, depth: int) -> int:
        """Return how many forms painting this one paints, itself included."""
        form = by_number[number]
        inner = {int(n) for n in REFERENCE.findall(form.dictionary)} & by_number.keys() - {number}
        if not inner or depth > len(by_number):
            return 1
        times = len(PAINTED.findall(_beginning(content, form)))
        deepest = max(painted(other, depth + 1) for other in inner) if depth < 40 else 1
        return min(1 + times * deepest, MOST_PAINTED + 1)

    if any(painted(number, 0) > MOST_PAINTED for number in by_number):
        raise UnreadableFile(
            "too_large", "The PDF is damaged: its forms contain each other without end."
        )


def _beginning(content: bytes, form: Packed) -> bytes:
    beginning = b""
    for chunk in unpacked(content, form):
        beginning += chunk
        if len(beginning) > LOOKED_AT:
            break
    return beginning
