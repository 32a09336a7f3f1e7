"""Damage a file in one of the ways that files get damaged, or that an attacker tries."""

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from random import Random

MOST_FLIPPED = 24
MOST_BYTES = 64 * 1024  # of a part that is repeated or removed
_NUMBER = re.compile(rb"\d+")
NUMBERS = (b"0", b"-1", b"65536", b"2147483647", b"4294967295", b"99999999999999999999")

# What zipfile raises for an archive that is damaged, encrypted or packed in an unknown way.
UNUSABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)

Mutation = Callable[[bytes, Random], bytes]


def mutated(content: bytes, random: Random) -> tuple[str, bytes]:
    """Return the name of a mutation and the mutated content."""
    archive = content[:2] == b"PK"
    name = random.choice([*MUTATIONS, *(OF_ARCHIVES * 2 if archive else ())])
    mutation = MUTATIONS.get(name) or ARCHIVE_MUTATIONS[name]
    return name, mutation(content, random)


def _flip(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.randint(1, MOST_FLIPPED) if changed else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _overwrite(content: bytes, random: Random) -> bytes:
    start, end = _range(content, random)
    return content[:start] + random.randbytes(end - start) + content[end:]


def _cut(content: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


def _remove(content: bytes, random: Random) -> bytes:
    start, end = _range(content, random)
    return content[:start] + content[end:]


def _repeat(content: bytes, random: Random) -> bytes:
    start, end = _range(content, random)
    return content[:end] + content[start:end] * random.randint(1, 20) + content[end:]


def _resize(content: bytes, random: Random) -> bytes:
    """Replace one number in the text of a file: a size, an index, an offset."""
    numbers = list(_NUMBER.finditer(content))
    if not numbers:
        return _flip(content, random)
    number = random.choice(numbers)
    return content[: number.start()] + random.choice(NUMBERS) + content[number.end() :]


def _range(content: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(content))
    return start, min(len(content), start + random.randint(1, MOST_BYTES))


def _without_part(content: bytes, random: Random) -> bytes:
    return _packed_again(content, random, lambda _name, _body: None)


def _changed_part(content: bytes, random: Random) -> bytes:
    """Mutate one part of an archive before it is compressed, so that its checksum is right."""
    mutation = random.choice(list(MUTATIONS.values()))
    return _packed_again(content, random, lambda _name, body: mutation(body, random))


def _packed_again(
    content: bytes, random: Random, changed: Callable[[str, bytes], bytes | None]
) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = [(name, archive.read(name)) for name in archive.namelist()]
    except UNUSABLE:  # damaged already: it is mutated like any other bytes
        return _flip(content, random)
    if not parts:
        return _flip(content, random)
    chosen = random.randrange(len(parts))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, (name, body) in enumerate(parts):
            kept = changed(name, body) if place == chosen else body
            if kept is not None:
                # A name alone would be dated now: the same seed must make the same bytes.
                archive.writestr(zipfile.ZipInfo(name), kept, zipfile.ZIP_DEFLATED)
    return made.getvalue()


MUTATIONS: dict[str, Mutation] = {
    "flip": _flip,
    "overwrite": _overwrite,
    "cut": _cut,
    "remove": _remove,
    "repeat": _repeat,
    "resize": _resize,
}
ARCHIVE_MUTATIONS: dict[str, Mutation] = {
    "without part": _without_part,
    "changed part": _changed_part,
}
OF_ARCHIVES = tuple(ARCHIVE_MUTATIONS)
