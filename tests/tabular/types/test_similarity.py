"""Which option a text is a typing error of."""

import pytest

from tabular.types.similarity import likeness, nearest, similar

OPTIONS = {"books": 1, "boots": 2, "cat": 3, "car": 4, "completed": 5, "abc12": 6, "kitchenware": 7}


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("boosk", "books"),  # two letters exchanged
        ("booksa", "books"),  # one too many
        ("bocs", None),
        ("book", "books"),
        ("bocks", None),  # another letter is another word
        ("caat", "cat"),
        ("ca", None),  # two options are as near
        ("complted", "completed"),
        ("compelted", "completed"),
        ("cmpletd", "completed"),  # two slips in a long word
        ("mompletd", None),  # but not in its first letter
        ("uncompleted", None),
        ("incompleted", None),
        ("kitchnware", "kitchenware"),
        ("kitchwaer", None),  # three
        ("abc13", None),  # another number
        ("abc12x", "abc12"),
        ("abc1", None),
    ],
)
def test_a_typing_error_is_forgiven_where_one_option_is_clearly_meant(text, spelling):
    assert nearest(text, OPTIONS) == spelling


def test_spellings_of_one_option_are_no_rivals():
    assert nearest("colr", {"color": 1, "colour": 1}) == "color"
    assert nearest("colur", {"color": 1, "colour": 2}) == "colour"


def test_a_short_spelling_is_alike_to_nothing_but_itself():
    assert nearest("aa", {"a": 1}) is None
    assert nearest("abx", {"ab": 1}) is None
    assert nearest("abcx", {"abc": 1}) == "abc"


def test_likeness_is_a_share_of_a_hundred():
    assert likeness("books", "toys") == 0.0
    assert 0 < likeness("books", "boots") < likeness("boks", "books") < 100
    assert similar("book", ["toys", "books", "book"], limit=2) == [
        ("book", 100.0),
        ("books", pytest.approx(88.9, abs=0.1)),
    ]
