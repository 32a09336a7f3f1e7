import pytest

from tabular.matching.lexical import Rarity, letters_alike, name_words, names_of, overlap, word_fit
from tabular.model.catalog import Field

EN, DE = ("en",), ("de", "en")


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("categories", "category"),
        ("qnty", "quantity"),
        ("depr", "depreciation"),
        ("frobnicator", "frobnikator"),
        ("lagerplatz", "platz"),
    ],
)
def test_words_are_alike_by_their_letters(first, other):
    assert letters_alike(first, other) >= 0.7
    assert letters_alike(other, first) == letters_alike(first, other)


@pytest.mark.parametrize(
    ("first", "other"), [("rate", "date"), ("id", "idea"), ("invoice", "delivery"), ("cst", "list")]
)
def test_words_that_only_look_alike_are_not(first, other):
    assert letters_alike(first, other) < 0.7


def test_words_of_two_languages_are_alike_by_what_they_mean():
    assert word_fit("rechnung", DE, "invoice", EN) > 0.9
    assert word_fit("rechnung", DE, "delivery", EN) == 0.0


def test_a_word_that_only_one_field_has_says_more_than_one_that_all_have():
    mine = name_words("zork name", EN)
    fields = [
        names_of(Field(key=key, column_type="string"), EN) for key in ("zorkName", "flubName")
    ]
    usual, common = Rarity(fields), Rarity([(mine,)])

    right, wrong = (overlap(mine, names[0], common, usual).share for names in fields)

    assert right > 0.9
    assert wrong < 0.4


def test_two_known_words_that_differ_contradict():
    mine, theirs = name_words("shipping zork", EN), name_words("invoice zork", EN)
    alone = Rarity([(mine,)])

    shared = overlap(mine, theirs, alone, Rarity([(theirs,)]))

    assert shared.contradicts


def test_small_words_digits_and_units_say_nothing():
    assert name_words("the zork of 2", EN).words == ("zork",)
