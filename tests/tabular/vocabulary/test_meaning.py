import pytest

from tabular.vocabulary.meaning import meanings


@pytest.mark.parametrize(
    ("text", "language", "head", "qualifiers"),
    [
        ("Rechnungsdatum", "de", "date", {"invoice"}),
        ("invoice date", "en", "date", {"invoice"}),
        ("date de facture", "fr", "date", {"invoice"}),
        ("fecha de la factura", "es", "date", {"invoice"}),
        ("inv_dt", "en", "date", {"invoice"}),
        ("Data di nascita", "it", "date", {"birth"}),
        ("Geboortedatum", "nl", "date", {"birth"}),
        ("Data urodzenia", "pl", "date", {"birth"}),
        ("First Name (Billing)", "en", "name", {"first", "billing"}),
        ("E-mail 1 - Label", "en", "label", {"email"}),
        ("Kundennummer", "de", "number", {"customer"}),
        ("Customer", "en", "name", {"customer"}),  # a bare noun asks for a name
        ("Waehrung", "de", "currency", set()),  # umlauts spelt out
        ("e-mial", "en", "email", set()),  # one slip of the keyboard
        ("Donated at", "en", "date", {"donation"}),
        ("Order Total Tax Amount", "en", "amount", {"total", "tax"}),
        ("amtExclTax", "en", "amount", {"net"}),
        ("qnty", "en", "quantity", set()),  # without its vowels
        ("Mobile phone", "en", "mobile", set()),
        ("customer[email]", "en", "email", {"customer"}),
        ("Lieferadresse", "de", "address", {"shipping"}),
        ("Lieferadresse Vorname", "de", "name", {"first", "shipping"}),  # no address
        ("Shipping address ID", "en", "id", {"shipping"}),
        ("Adresse de livraison prénom", "fr", "name", {"first", "shipping"}),
        ("Customer billing address", "en", "address", {"customer", "billing"}),
        ("Umsatz (ohne Skonto)", "de", "amount", set()),  # excluded from the meaning
        ("Betrag (ohne MwSt)", "de", "amount", {"net"}),  # unless it is a term
    ],
)
def test_a_header_has_a_head_and_qualifiers(text, language, head, qualifiers):
    readings = meanings(text, language)

    assert (head, qualifiers) in [(m.head, set(m.qualifiers)) for m in readings]


@pytest.mark.parametrize(
    ("text", "language", "wrong"),
    [
        ("Shipping address first name", "en", "address"),
        ("Lieferadresse", "de", "amount"),
        ("Adresse de livraison", "fr", "amount"),
        ("Address shipping", "en", "amount"),
        ("Adresse de livraison client", "fr", "name"),
    ],
)
def test_an_address_is_read_as_one_and_nothing_else_is(text, language, wrong):
    assert wrong not in {meaning.head for meaning in meanings(text, language)}


@pytest.mark.parametrize(
    ("text", "head"),
    [("Project total", "amount"), ("Employee start", "date"), ("Project name", "name")],
)
def test_the_last_word_tells_first_what_a_column_is(text, head):
    assert meanings(text, "en")[0].head == head


def test_the_number_of_a_repeated_column_is_its_ordinal():
    (meaning, *_) = meanings("Phone 2", "en")

    assert meaning.ordinal == 2


def test_a_word_that_the_vocabulary_lacks_becomes_a_head_of_its_own():
    (meaning,) = meanings("Order frobnication", "en")[-1:]

    assert meaning.head == "=frobnication"
    assert meaning.qualifiers == {"order"}


def test_the_last_part_of_an_unknown_compound_is_its_head():
    (meaning, *_) = meanings("Zorkelnummer", "de")

    assert meaning.head == "number"
    assert meaning.unknown == ("zorkel",)


def test_a_unit_says_nothing_about_what_a_column_is():
    with_unit = meanings("Weight (kg)", "en")

    assert with_unit == meanings("Weight", "en")
