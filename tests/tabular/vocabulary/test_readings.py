"""How headers are read: terms, compounds, slips, abbreviations, and what stays unknown."""

import pytest

from tabular.vocabulary.meaning import effort, meanings
from tabular.vocabulary.words import read_words, skeleton, understand

READINGS = [  # header, language, head, qualifiers, unknown words, ordinal
    ("Rechnungs-Datum", "de", "date", {"invoice"}, (), None),
    ("Kunden-Nr.", "de", "number", {"customer"}, (), None),
    ("Lieferantenartikelnummer", "de", "number", {"product", "supplier"}, (), None),
    ("Ort der Geburt", "de", "city", {"birth"}, (), None),
    ("Bestellmengen", "de", "quantity", set(), (), None),  # a plural
    ("Kluftnummer", "de", "number", set(), ("kluft",), None),  # half a compound
    ("invoice date", "de", "date", {"invoice"}, (), None),  # a borrowed word
    ("Zahlungsziel (Tage)", "de", "paymentterms", set(), (), None),
    ("Preis (EUR)", "de", "price", set(), (), None),
    ("Preis (netto)", "de", "price", {"net"}, (), None),
    ("Numéro de client", "fr", "number", {"customer"}, (), None),
    ("Date de la dernière facture", "fr", "date", {"current", "invoice"}, (), None),
    ("Order ID", "en", "number", {"order"}, (), None),
    ("ordernumber", "en", "number", {"order"}, (), None),
    ("deal probability", "en", "probability", {"deal"}, (), None),
    ("frobnication rate", "en", "rate", set(), ("frobnication",), None),
    ("Phone 2", "en", "phone", set(), (), 2),
    ("Phone 20241", "en", "phone", set(), (), 2024),
    ("Order Date 2024", "en", "date", {"order"}, (), 2024),
    ("Organization 1 - Title", "en", "jobtitle", set(), (), 1),  # "organization title" is a term
    ("(Name)", "en", "name", set(), (), None),
    ("Weight kg", "en", "weight", set(), (), None),
    ("created at", "en", "date", {"created"}, (), None),
    ("Donated at", "en", "date", {"donation"}, (), None),
    ("Date of birth", "en", "date", {"birth"}, (), None),
    ("amuont", "en", "amount", set(), (), None),
    ("Prodcut", "en", "name", {"product"}, (), None),
    ("e mail", "en", "email", set(), (), None),
    ("n-ame", "en", "name", set(), (), None),
    ("cstmr", "en", "name", {"customer"}, (), None),
]


@pytest.mark.parametrize(("text", "language", "head", "qualifiers", "unknown", "ordinal"), READINGS)
def test_a_header_is_read_first_as_what_it_most_likely_says(
    text, language, head, qualifiers, unknown, ordinal
):
    first = meanings(text, language)[0]

    assert (first.head, set(first.qualifiers)) == (head, qualifiers)
    assert (first.unknown, first.ordinal) == (unknown, ordinal)


def test_a_bare_noun_asks_for_its_name_and_less_likely_for_its_number():
    name, number = meanings("Customer", "en")

    assert (name.head, number.head) == ("name", "number")
    assert (name.is_head_stated, number.is_head_stated) == (False, False)
    assert name.weight > number.weight
    assert meanings("Customers", "en") == meanings("Customer", "en")


def test_the_description_of_a_thing_may_be_its_name():
    described, named = meanings("DEPT_DESC", "en")

    assert (described.head, named.head) == ("description", "name")
    assert described.qualifiers == named.qualifiers == {"department"}
    assert described.weight > named.weight


@pytest.mark.parametrize("text", ["", "Frobnication", "12345", "(kg)"])
def test_a_header_without_a_known_word_says_nothing(text):
    assert not any(
        meaning.is_head_stated and not meaning.head.startswith("=")
        for meaning in meanings(text, "en")
    )


@pytest.mark.parametrize(
    ("easier", "harder", "language"),
    [
        ("Rechnungsdatum", "Zorkeldatum", "de"),
        ("Order date", "Order dtae", "en"),
        ("email", "e-mial", "en"),
        ("Kundennummer", "Zorkelnummer", "de"),
        ("Zorkelnummer", "Zorkelnummern Plonk", "de"),
        ("number", "number 2", "en"),
        ("number 2", "number kg", "en"),
        ("12345", "order", "en"),
        ("invoice date", "invoicedate", "en"),  # words apart are plainer than a compound
        ("the the date", "date kg", "en"),
        ("date 2 2", "the date the", "en"),
        ("invoicedate", "e-mial kg", "en"),
        ("kg kg", "invoicedate", "en"),
    ],
)
def test_what_is_less_clear_costs_more_effort(easier, harder, language):
    assert effort(easier, language) < effort(harder, language)


def test_a_half_known_compound_is_better_than_an_unknown_word_and_worse_than_a_known_one():
    assert effort("Kundennummer", "de") < effort("Kluftnummer", "de") < effort("Zorkel", "de")


@pytest.mark.parametrize(
    ("word", "language", "parts"),
    [
        ("rechnungsdatum", "de", 2),
        ("lieferantenartikelnummer", "de", 2),
        ("rechnungsid", "de", 2),  # a short last part
        ("idrechnung", "de", 0),  # which is not a first one
        ("customers", "en", 1),
        ("prodcut", "en", 1),
        ("pordcut", "en", 0),  # two slips
        ("rpoduct", "en", 0),  # one, but in the first letter
        ("nmae", "en", 0),  # too short to guess
        ("cstmr", "en", 1),
        ("zq", "en", 0),
        ("x" * 41, "en", 0),
        ("größe", "de", 0),  # headers come without accents
    ],
)
def test_a_word_is_understood_by_its_parts_its_ending_or_a_slip(word, language, parts):
    assert len(understand(word, language)) == parts


@pytest.mark.parametrize(
    ("word", "bones"),
    [("quantity", "qnty"), ("address", "adrs"), ("account", "acnt"), ("id", "id"), ("ooo", "o")],
)
def test_a_skeleton_leaves_vowels_and_double_letters_out(word, bones):
    assert skeleton(word) == bones


def test_a_term_of_many_words_wins_over_its_parts():
    whole = read_words(("date", "of", "birth"), "en")

    assert len(whole.terms) == 1
    assert whole.unknown == ()


def test_what_is_behind_an_of_is_not_a_head():
    terms = read_words(("name", "of", "customer"), "en")

    assert [term.after_of for term in terms.terms] == [False, True]
