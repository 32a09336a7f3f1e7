import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.vocabulary.headers import MAX_WORDS, Header, normalise, take_apart


@pytest.mark.parametrize(
    ("text", "words", "aside"),
    [
        ("firstName", ("first", "name"), ()),
        ("FIRST_NAME", ("first", "name"), ()),
        ("*ContactName", ("contact", "name"), ()),
        ("POAddressLine1", ("po", "address", "line", "1"), ()),
        ("Weight (kg)", ("weight",), ("kg",)),
        ("[optional]", ("optional",), ()),  # nothing outside the brackets: they are the header
        ("Größe", ("grosse",), ()),
        ("Łódź", ("lodz",), ()),
        ("Employee #", ("employee", "number"), ()),
        ("N° facture", ("number", "facture"), ()),
        ("Zahlungsempfänger*in", ("zahlungsempfanger",), ()),
        ("cust_e-mail", ("cust", "e", "mail"), ()),  # "_e" is not a feminine ending here
        ("  ", (), ()),
    ],
)
def test_a_header_is_taken_apart_into_words(text, words, aside):
    assert take_apart(text) == Header(words, aside)


@pytest.mark.parametrize("text", ["First name", "first_name", "FirstName", "FIRST-NAME "])
def test_spellings_of_one_header_are_remembered_as_one(text):
    assert normalise(text) == "first name"


@given(st.text(max_size=300))
def test_any_text_gives_a_bounded_number_of_words(text):
    header = take_apart(text)

    assert len(header.words) <= MAX_WORDS
    assert all(header.words)
