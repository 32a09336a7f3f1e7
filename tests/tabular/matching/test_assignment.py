from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tabular.matching.assignment import assign
from tests.tries import tries

GRIDS = st.integers(1, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=1, max_size=5)
)


def best_sum(grid):
    """Return the best of all assignments of columns to fields or empty places."""
    places = range(len(grid[0]) + len(grid))
    return max(
        sum(grid[c][f] for c, f in enumerate(way) if f < len(grid[0]))
        for way in permutations(places, len(grid))
    )


@settings(max_examples=tries(150))
@given(GRIDS)
def test_no_other_assignment_has_a_greater_sum(grid):
    scores = {(c, f): s for c, row in enumerate(grid) for f, s in enumerate(row) if s}

    chosen = assign(scores)

    assert sum(scores[pair] for pair in chosen.items()) == best_sum(grid)
    assert len(set(chosen.values())) == len(chosen)


def test_a_column_steps_aside_for_one_that_fits_only_there():
    scores = {(0, 0): 90, (0, 1): 80, (1, 0): 85}

    chosen = assign(scores)

    assert chosen == {0: 1, 1: 0}


def test_nothing_admissible_leaves_everything_out():
    assert assign({}) == {}
