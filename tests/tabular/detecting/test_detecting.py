import pytest

from tabular.detecting import detect, profile, type_fit
from tabular.model.catalog import BuiltinDetector, OneOfDetector, RegexDetector

COLOURS = ["red", "green", "Blue", "red"]


def test_a_profile_counts_cells_and_values():
    statistics = profile(["a", "b", "a", None, " ", ""])

    assert (statistics.rows, statistics.filled, statistics.distinct) == (6, 3, 2)
    assert statistics.unique == pytest.approx(2 / 3)


def test_an_empty_column_says_nothing():
    statistics = profile([None, ""])

    assert statistics.is_empty
    assert type_fit(statistics, "date") is None
    assert detect(statistics, (BuiltinDetector(kind="builtin", name="date"),)) is None


def test_a_share_is_of_distinct_values():
    assert profile(["2024-01-01"] * 9 + ["x"]).share("date") == 0.5


@pytest.mark.parametrize(
    ("detector", "score"),
    [
        (BuiltinDetector(kind="builtin", name="email"), 0.0),
        (OneOfDetector(kind="oneOf", values=("red", "green", "blue")), 0.0),  # Blue is not blue
        (OneOfDetector(kind="oneOf", values=("red", "green", "blue"), case_insensitive=True), 1.0),
        (OneOfDetector(kind="oneOf", values=("red", "green"), min_ratio=0.6), 1.0),
        (RegexDetector(kind="regex", pattern="^[a-z]+$"), 0.0),
        (RegexDetector(kind="regex", pattern="^[a-z]+$", flags="i"), 1.0),
        (RegexDetector(kind="regex", pattern="(a+)+$(?=x)"), 0.0),  # not linear: never recognises
    ],
)
def test_a_detector_recognises_enough_values(detector, score):
    assert detect(profile(COLOURS), (detector,)) == score


def test_detectors_weigh_what_they_say():
    heavy = OneOfDetector(kind="oneOf", values=("red", "green", "Blue"), weight=75)
    light = BuiltinDetector(kind="builtin", name="date", weight=25)

    assert detect(profile(COLOURS), (heavy, light)) == 0.75
