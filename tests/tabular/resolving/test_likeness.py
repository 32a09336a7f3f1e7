"""Which known text a misspelt one means, and how far is looked."""

import itertools
import random

import numpy as np
import pyarrow as pa
import pytest

from tabular.model.catalog import Catalog
from tabular.resolving.deciding import Outcome, decide
from tabular.resolving.entities import Entities
from tabular.resolving.keys import block_digests, folded
from tabular.resolving.likeness import alike, alike_among
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


def pairs_among(texts, min_score=80):
    matches = alike_among([folded(pa.array(texts))], min_score=min_score)
    return {
        tuple(sorted(pair))
        for pair in zip(matches.sought.tolist(), matches.known.tolist(), strict=True)
    }


def test_texts_that_resemble_each_other_are_paired_once_and_never_with_themselves():
    texts = ["Anna Schmidt", "Schmidt Anna", "Anna Schmitt", "Bert Huber", "Anna Schmidt 2"]

    matches = alike_among([folded(pa.array(texts))], min_score=85)

    pairs = sorted(zip(matches.sought.tolist(), matches.known.tolist(), strict=True))
    assert pairs == [(0, 1), (0, 2), (1, 2)]


def test_pairs_among_texts_are_those_between_two_equal_lists():
    chosen = random.Random(5)
    texts = sorted(
        {
            f"{chosen.choice(['anna', 'bert', 'carla'])} {''.join(chosen.choices('abcde', k=6))} "
            f"{chosen.randint(1, 3)}"
            for _ in range(400)
        }
    )

    expected = {pair for pair in pairs(texts, texts, 85) if pair[0] < pair[1]}

    assert len(expected) > 20
    assert pairs_among(texts, 85) >= expected


def alike_in(*fields, same=(), min_score=80):
    columns = [folded(pa.array(texts)) for texts in fields]
    matches = alike_among(columns, min_score=min_score, same=[pa.array(texts) for texts in same])
    pairs = zip(matches.sought.tolist(), matches.known.tolist(), strict=True)
    return dict(zip(sorted(pairs), np.round(matches.scores), strict=True))


def test_records_are_alike_in_each_field_and_not_as_a_whole_alone():
    names = ["Anna Maria Schmidt", "Anna Maria Schmitt", "Anna Maria Schmidt"]
    towns = ["Bonn", "Bonn", "Rome"]

    assert alike_in(names, towns) == {(0, 1): 94}


def test_a_field_that_is_empty_in_both_records_is_the_same_and_in_either_alone_differs():
    names, towns = ["Anna Schmidt"] * 3, ["", "", "Bonn"]

    assert alike_in(names, towns) == {(0, 1): 100}


def test_digits_of_each_field_have_to_be_the_same():
    streets, flats = ["Main Street 12", "Main Street 1"], ["flat", "flat 2"]

    assert alike_in(["Main Street 12"] * 2, ["flat"] * 2) == {(0, 1): 100}
    assert alike_in(streets, flats) == {}


def test_fields_that_may_not_vary_have_to_be_equal():
    names = ["Anna Schmidt", "Anna Schmitt", "Anna Schmidd"]

    assert alike_in(names, same=[["1.5", "1.5", "1.6"]]) == {(0, 1): 92}
