"""What receivers reported about rows agrees with what was delivered, or does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from changesets.proof.reconciliation import OUTCOMES, judge, rows_with, tally
from deliveries.answer import REFUSING

KNOWN = ("new", "changed", "unchanged", "unclear", None)
WORDS = ("created", "updated", "unchanged", "accepted", "refused", " Failed ", "x")
answers = st.dictionaries(st.integers(0, 19), st.sampled_from(WORDS))
statuses = st.lists(st.sampled_from(KNOWN), min_size=20, max_size=20)


@pytest.mark.parametrize(
    ("answer", "known", "outcome"),
    [
        (None, "new", "notAnswered"),
        ("created", "new", "agreed"),
        ("updated", "new", "differs"),
        ("unchanged", "new", "differs"),
        ("created", "changed", "differs"),
        ("Created ", "unchanged", "differs"),
        ("updated", "changed", "agreed"),
        ("unchanged", "changed", "agreed"),  # a person had typed the same there
        ("updated", "unchanged", "agreed"),  # many receivers say so of every known row
        ("created", "unclear", "agreed"),
        ("updated", None, "agreed"),  # nothing was compared, so nothing is contradicted
        ("ok", "new", "agreed"),  # a word of the receiver's own
        *((word, known, "differs") for word in sorted(REFUSING) for known in KNOWN),
    ],
)
def test_the_outcome_of_a_row(answer, known, outcome):
    assert judge(answer, known) == outcome


@given(answers, statuses)
def test_each_row_has_one_outcome_and_is_counted_once(given_answers, known):
    counted = tally(given_answers, known.__getitem__, 20)

    rows = {
        outcome: list(rows_with(outcome, given_answers, known.__getitem__, range(20)))
        for outcome in OUTCOMES
    }
    assert {outcome: len(some) for outcome, some in rows.items()} == {
        outcome: counted.of(outcome) for outcome in OUTCOMES
    }
    assert sorted(row for some in rows.values() for row in some) == list(range(20))
    assert counted.refused <= counted.differs


@given(answers, statuses, st.integers(0, 20))
def test_a_page_begins_where_the_former_ends(given_answers, known, place):
    for outcome in (None, *OUTCOMES):
        every = list(rows_with(outcome, given_answers, known.__getitem__, range(20)))
        after = list(rows_with(outcome, given_answers, known.__getitem__, range(place, 20)))
        assert after == [row for row in every if row >= place]
