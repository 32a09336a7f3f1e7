"""Which option a text is a typing error of."""

import pytest

from tabular.types.similarity import nearest, similar

OPTIONS = {
    "books": 1, "boots": 2, "open": 3, "high": 4, "completed": 5, "abcde12": 6, "kitchenware": 7,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("boosk", "books"),  # two letters exchanged
        ("booksa", "books"),  # one too many
        ("bocks", "books"),  # one replaced
        ("boos", None),  # of four letters
        ("boobs", None),  # books or boots
        ("ofen", None),
        ("hgih", None),
        ("opens", "open"),
        ("complted", "completed"),
        ("compelted", "completed"),
        ("cmpletd", None),  # two slips
        ("uncompleted", None),
        ("kitchnware", "kitchenware"),
        ("kitchwaer", None),
        ("abcde13", None),  # another number
        ("abcde12x", "abcde12"),
        ("12345", None),
    ],
)
def test_one_slip_is_forgiven_in_five_letters_where_one_option_is_as_near(text, spelling):
    assert nearest(text, OPTIONS) == spelling


def test_spellings_of_one_option_are_not_rivals():
    assert nearest("colou", {"color": 1, "colour": 1}) in {"color", "colour"}
    assert nearest("colou", {"color": 1, "colour": 2}) is None


def test_likeness_is_a_share_of_a_hundred():
    assert similar("book", ["toys", "books", "book"], limit=2) == [
        ("book", 100.0),
        ("books", pytest.approx(88.9, abs=0.1)),
    ]
