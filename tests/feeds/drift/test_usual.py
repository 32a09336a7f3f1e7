"""The range of ordinary values."""

import pytest

from feeds.drift.usual import usual


@pytest.mark.parametrize(
    ("examples", "value", "is_usual"),
    [
        ([10, 11, 10, 9, 10, 11, 10, 9], 12, True),
        ([10, 11, 10, 9, 10, 11, 10, 9], 40, False),
        ([10, 20, 30, 40, 50, 60, 70, 80], 90, True),  # it grows
        ([10, 20, 30, 40, 50, 60, 70, 80], 10, False),
        ([10, 10, 10, 99, 10, 10, 10, 10], 99, False),  # one odd file before
        ([10, 10, 10, 99, 10, 10, 10, 10], 10, True),
        ([10], 12, True),  # one example has wide bounds
    ],
)
def test_a_range_follows_a_trend_and_not_an_odd_example(examples, value, is_usual):
    assert (value in usual(examples, floor=2)) is is_usual


def test_few_examples_have_wider_bounds_than_many():
    widths = [usual([10] * count, floor=1).high for count in (1, 2, 3, 4)]

    assert widths == sorted(widths, reverse=True)
    assert widths[0] > widths[-1]
