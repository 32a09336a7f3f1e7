"""Which known text a misspelt one means, and how far is looked."""

import itertools

import pyarrow as pa
import pytest

from tabular.model.catalog import Catalog
from tabular.resolving.deciding import Outcome, decide
from tabular.resolving.entities import Entities
from tabular.resolving.keys import block_digests, folded
from tabular.resolving.likeness import alike
from tabular.resolving.pointers import pointers_of

ENTRIES = (
    '{"key": "t", "entries": [{"id": "a", "fields": [{"key": "b", "reference": {"entity": "c", '
    '"matchOn": ["name"], "resolve": {"exact": true, "fuzzy": true, "learned": false}}}]}]}'
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def pairs(sought, known, min_score=80):
    likenesses = alike(pa.array(sought), pa.array(known), min_score=min_score)
    return sorted(zip(likenesses.sought.tolist(), likenesses.known.tolist(), strict=True))


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Müller GmbH", "MULLER, gmbh"),  # case, accents and marks
        ("Lovelace, Ada", "Ada Lovelace"),  # the order of words
        ("Lovelce Ada", "Lovelace Ada"),  # a letter less
        ("Xovelace Ada", "Lovelace Ada"),  # another first letter
    ],
)
def test_what_is_alike(text, known):
    assert pairs([text], [known]) == [(0, 0)]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Customer 1001", "Customer 1002"),  # other digits name others
        ("C-1001", "C-1101"),
        ("Ada", "Bob"),
    ],
)
def test_what_is_not(text, known):
    assert pairs([text], [known], min_score=50) == []


def test_a_slip_anywhere_leaves_a_key_in_common():
    text = "maschinenbau"
    for place in range(len(text)):
        slip = text[:place] + "x" + text[place + 1 :]
        _, ours = block_digests("", folded(pa.array([text])))
        _, theirs = block_digests("", folded(pa.array([slip])))
        assert set(ours.tolist()) & set(theirs.tolist()), slip


def crowd(size):
    """Return texts with a common beginning, and one that shares it with them alone."""
    ends = itertools.product(LETTERS, repeat=3)
    known = [f"abcdefgh{''.join(end)}{''.join(end)}" for end in itertools.islice(ends, size)]
    return known, known[0][:-1] + "z"


@pytest.mark.parametrize(("size", "is_found"), [(199, True), (1_999, True), (2_001, False)])
def test_a_key_that_many_share_is_looked_at_only_where_there_is_no_lighter(size, is_found):
    known, sought = crowd(size)

    assert ((0, 0) in pairs([sought], known, min_score=90)) is is_found


def decided(text, *names):
    (pointer,) = pointers_of(Catalog.model_validate_json(ENTRIES), {"a.b"})
    known = {str(n): f'{{"name": "{name}"}}' for n, name in enumerate(names)}
    decision = decide(
        pointer, pa.array([text]), Entities("c", "name", known, None), learned={}, answers={}
    )
    return Outcome(decision.outcomes[0]), decision.refs[0].as_py()


def test_one_slip_in_ten_letters_is_taken_and_two_are_not():
    assert decided("abcdefghi", "abcdefghij") == (Outcome.KNOWN, "0")
    assert decided("abcdefgh", "abcdefghij") == (Outcome.MISSING, None)


def test_a_near_tie_goes_to_neither_and_a_mere_difference_of_case_is_not_a_tie():
    assert decided("abcdefghi", "abcdefghij", "abcdefghik") == (Outcome.UNSURE, None)
    assert decided("ABCDEFGHIJ", "abcdefghij", "abcdefghik") == (Outcome.KNOWN, "0")
