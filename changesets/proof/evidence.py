"""What a receipt says of an apply that never changes, and is kept when its rows are purged."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, ClassVar

import rfc8785


@dataclass(frozen=True, slots=True)
class Evidence:
    """Hashes of the delivered rows and of what made them; no text of the file."""

    VERSION: ClassVar[int] = 1

    root: str  # of the Merkle tree over the delivered rows, hex
    block_size: int
    blocks: list[str]  # the roots of its blocks, hex
    mapping: str  # sha256:...
    recipe: str | None = None
    skipped: dict[str, int] = field(default_factory=dict)  # rows of the file, by reason
    pins: dict[str, str] = field(default_factory=dict)  # of the engine that made the rows


def digest_of(value: Any) -> str:
    """
    Return the digest of the canonical form (RFC 8785) of JSON.

    >>> digest_of({})[:15]
    'sha256:44136fa3'
    """
    return f"sha256:{hashlib.sha256(rfc8785.dumps(value)).hexdigest()}"
