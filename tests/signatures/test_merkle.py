"""One hash commits to rows and their order, as RFC 6962 says."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signatures import merkle

# The leaves and roots of the reference implementation of Certificate Transparency.
LEAVES = [b"", b"\x00", b"\x10", b" !", b"01", b"@ABC", b"PQRSTUVW", bytes(range(0x60, 0x70))]
HASHES = [merkle.leaf(content) for content in LEAVES]
ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
leaves = st.lists(st.binary(max_size=3).map(merkle.leaf), max_size=70)
some_leaves = leaves.filter(bool)
lone_leaves = st.lists(st.binary(max_size=3).map(merkle.leaf), min_size=1, unique=True)


def defined_root(hashes):
    """Return the root as RFC 6962 defines it: a split at the largest power of two."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    left, right = defined_root(hashes[:half]), defined_root(hashes[half:])
    return hashlib.sha256(b"\x01" + left + right).digest()


@pytest.mark.parametrize(("size", "root"), ROOTS.items())
def test_the_root_is_that_of_the_reference_implementation(size, root):
    assert merkle.root(HASHES[:size]).hex() == root


@given(leaves)
def test_the_root_is_that_of_the_definition(hashes):
    assert merkle.root(hashes) == defined_root(hashes)


@given(lone_leaves, st.data())
def test_each_row_is_proven_at_its_place_only(hashes, data):
    index = data.draw(st.integers(0, len(hashes) - 1))
    other = data.draw(st.integers(0, len(hashes) - 1))
    root, proof = merkle.root(hashes), merkle.prove(hashes, index)

    assert merkle.is_included(hashes[index], proof, root)
    assert not merkle.is_included(merkle.leaf(b"another row"), proof, root)
    moved = merkle.Proof(other, proof.size, proof.path)
    if other != index:
        assert not merkle.is_included(hashes[index], moved, root)


@given(some_leaves, st.data())
def test_a_proof_that_was_changed_fails(hashes, data):
    proof = merkle.prove(hashes, data.draw(st.integers(0, len(hashes) - 1)))
    hashed, root = hashes[proof.index], merkle.root(hashes)

    longer = merkle.Proof(proof.index, proof.size, (*proof.path, merkle.leaf(b"")))
    assert not merkle.is_included(hashed, longer, root)
    assert not merkle.is_included(hashed, merkle.Proof(len(hashes), proof.size, proof.path), root)
    if proof.path:
        shorter = merkle.Proof(proof.index, proof.size, proof.path[:-1])
        assert not merkle.is_included(hashed, shorter, root)


@given(
    st.lists(st.binary(max_size=3).map(merkle.leaf), min_size=2, max_size=40, unique=True),
    st.data(),
)
def test_the_root_follows_order_change_and_loss(hashes, data):
    place = data.draw(st.integers(0, len(hashes) - 2))
    swapped = list(hashes)
    swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
    changed = [*hashes[:place], merkle.leaf(b"changed"), *hashes[place + 1 :]]

    others = [swapped, changed, hashes[:place] + hashes[place + 1 :], [*hashes, hashes[-1]]]
    assert merkle.root(hashes) not in {merkle.root(other) for other in others}


@given(leaves, st.sampled_from([1, 2, 4, 64]))
def test_blocks_are_subtrees_of_the_tree(hashes, size):
    assert merkle.root(merkle.blocks(hashes, size)) == merkle.root(hashes)


@given(some_leaves)
def test_the_one_row_too_many_is_named(hashes):
    for place in range(len(hashes) + 1):
        longer = [*hashes[:place], merkle.leaf(b"too many"), *hashes[place:]]
        assert merkle.superfluous(longer, merkle.root(hashes)) == place
    assert merkle.superfluous(hashes, merkle.leaf(b"another")) is None


def test_there_is_no_proof_of_a_row_behind_the_last():
    with pytest.raises(IndexError):
        merkle.prove(HASHES, len(HASHES))


@pytest.mark.parametrize(
    ("count", "size"), [(0, 64), (16_384, 64), (16_385, 128), (1_000_000, 4_096)]
)
def test_blocks_have_64_rows_or_more_and_are_at_most_256(count, size):
    assert merkle.block_size(count) == size
    assert -(-count // size) <= merkle.MOST_BLOCKS
