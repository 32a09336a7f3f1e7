"""
The Merkle tree of RFC 6962, section 2.1: one hash that commits to rows and their order.

A leaf is hashed with the prefix 0x00, a node with 0x01, so that no node is mistaken for a leaf. All
functions take the hashes of leaves in order and keep a logarithmic number of them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

LEAF, NODE = b"\x00", b"\x01"
EMPTY = hashlib.sha256(b"").digest()  # the root of a tree without leaves
SMALLEST_BLOCK, MOST_BLOCKS = 64, 256


def leaf(content: bytes) -> bytes:
    """Return the hash of one leaf."""
    return hashlib.sha256(LEAF + content).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of two neighboring subtrees."""
    return hashlib.sha256(NODE + left + right).digest()


class Tree:
    """A tree that grows by a leaf at a time; it keeps one hash for each complete subtree."""

    def __init__(self) -> None:
        self.size = 0
        self._subtrees: list[bytes] = []  # the largest first

    def add(self, hashed: bytes) -> None:
        """Add the hash of a leaf, or of a complete subtree if all leaves are of its size."""
        carried = self.size
        while carried & 1:
            hashed = node(self._subtrees.pop(), hashed)
            carried >>= 1
        self._subtrees.append(hashed)
        self.size += 1

    @property
    def root(self) -> bytes:
        """The hash of everything that was added."""
        if not self._subtrees:
            return EMPTY
        *larger, hashed = self._subtrees
        for subtree in reversed(larger):
            hashed = node(subtree, hashed)
        return hashed


def root(hashes: Iterable[bytes]) -> bytes:
    """
    Return the root of a tree.

    >>> root([]).hex()[:8]
    'e3b0c442'
    """
    tree = Tree()
    for hashed in hashes:
        tree.add(hashed)
    return tree.root


def block_size(count: int) -> int:
    """
    Return the number of leaves of a block: a power of two that leaves at most 256 blocks.

    No block has fewer than 64 leaves: the hash of a single row could be guessed from its values.

    >>> block_size(10), block_size(1_000_000)
    (64, 4096)
    """
    size = SMALLEST_BLOCK
    while size * MOST_BLOCKS < count:
        size *= 2
    return size


def blocks(hashes: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Yield the root of each block of ``size`` leaves; the last one may have fewer."""
    tree = Tree()
    for hashed in hashes:
        tree.add(hashed)
        if tree.size == size:
            yield tree.root
            tree = Tree()
    if tree.size:
        yield tree.root


@dataclass(frozen=True, slots=True)
class Proof:
    """The place of one leaf in a tree, and the hashes next to its way to the root."""

    index: int  # from 0
    size: int  # leaves of the tree
    path: tuple[bytes, ...]  # from the leaf to the root


def prove(hashes: Sequence[bytes], index: int) -> Proof:
    """Return the audit path of a leaf (RFC 6962, 2.1.1). Raise IndexError if there is none."""
    if not 0 <= index < len(hashes):
        raise IndexError(index)
    return Proof(index, len(hashes), tuple(_path(hashes, index)))


def _path(hashes: Sequence[bytes], index: int) -> list[bytes]:
    if len(hashes) == 1:
        return []
    half = 1 << (len(hashes) - 1).bit_length() - 1
    if index < half:
        return [*_path(hashes[:half], index), root(hashes[half:])]
    return [*_path(hashes[half:], index - half), root(hashes[:half])]


def is_included(hashed: bytes, proof: Proof, root: bytes) -> bool:
    """Return whether a leaf is at its place in the tree of a root (RFC 9162, 2.1.3.2)."""
    place, last = proof.index, proof.size - 1
    if not 0 <= place <= last:
        return False
    for neighbor in proof.path:
        if last == 0:
            return False
        if place & 1 or place == last:
            hashed = node(neighbor, hashed)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            hashed = node(hashed, neighbor)
        place, last = place >> 1, last >> 1
    return last == 0 and hashed == root


def superfluous(hashes: Sequence[bytes], root: bytes) -> int | None:
    """
    Return the position of the leaf without which the others have a root; None if there is none.

    Leaving out the next leaf changes one leaf of the tree, so each try hashes only its way.
    """
    levels = _levels(list(hashes[1:]))
    for place in range(len(hashes)):
        if place:
            _replace(levels, place - 1, hashes[place - 1])
        if (levels[-1][0] if levels[-1] else EMPTY) == root:
            return place
    return None


def _levels(hashes: list[bytes]) -> list[list[bytes]]:
    levels = [hashes]
    while len(hashes) > 1:
        hashes = [_over(hashes, place) for place in range((len(hashes) + 1) // 2)]
        levels.append(hashes)
    return levels


def _over(below: Sequence[bytes], place: int) -> bytes:
    """Return a node; one without a right neighbor is the node below it, as in RFC 6962."""
    pair = below[2 * place : 2 * place + 2]
    return node(*pair) if len(pair) == 2 else pair[0]


def _replace(levels: list[list[bytes]], place: int, hashed: bytes) -> None:
    levels[0][place] = hashed
    for below, level in pairwise(levels):
        place //= 2
        level[place] = _over(below, place)
