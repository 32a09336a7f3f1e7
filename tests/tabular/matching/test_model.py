import pytest

from tabular.vocabulary.lexicon import are_cognates

DAYS = ["2024-03-01", "2024-04-12", "2024-05-23"]


def fields_of(proposal):
    return {c.column: c.field for c in proposal.columns}


def test_two_unknown_words_in_two_languages_are_paired_when_nothing_else_is_left(matched):
    columns = {
        "Nazwa klienta": ["Anna Nowak", "Jan Lis"],
        "Ulica": ["Lipowa 3", "Polna 8"],
        "Data zgrzytania": DAYS,
    }

    proposal = matched(columns, "customerName", "street", "glimmeringDate:date")

    assert fields_of(proposal)["Data zgrzytania"] == "rows.glimmeringDate"


def test_two_unknown_words_in_one_language_stay_apart(matched):
    columns = {
        "Customer name": ["Anna Nowak", "Jan Lis"],
        "Street": ["Lipowa 3", "Polna 8"],
        "Gurgling date": DAYS,
    }

    proposal = matched(columns, "customerName", "street", "shimmeringDate:date")

    assert fields_of(proposal)["Gurgling date"] is None


def test_of_two_columns_that_are_left_none_is_guessed(matched):
    columns = {
        "Nazwa klienta": ["Anna Nowak", "Jan Lis"],
        "Data zgrzytania": DAYS,
        "Data mruczenia": DAYS,
    }

    proposal = matched(columns, "customerName", "street", "glimmeringDate:date")

    assert "rows.glimmeringDate" not in fields_of(proposal).values()


def test_unlisted_words_are_found_in_the_name_of_a_field(matched):
    columns = {"Zork classifications": ["a b", "c d"], "Glorp cd": ["x y", "u v"]}

    proposal = matched(columns, "zorkClassification", "glorpCode", "city")

    assert fields_of(proposal) == {
        "Zork classifications": "rows.zorkClassification",
        "Glorp cd": "rows.glorpCode",
    }


def test_a_word_in_common_outweighs_what_the_grammar_made_of_it(matched):
    columns = {"open_dt": DAYS, "target_dt": DAYS, "closed_dt": DAYS}

    proposal = matched(columns, "openedAt:date", "town", entry="tickets")

    assert fields_of(proposal)["open_dt"] == "tickets.openedAt"
    assert fields_of(proposal)["target_dt"] is None


def test_a_header_without_rows_is_matched_by_words(matched):
    proposal = matched({"Zork classifications": [], "Town": []}, "zorkClassification", "city")

    assert fields_of(proposal) == {
        "Zork classifications": "rows.zorkClassification",
        "Town": "rows.city",
    }


def test_words_are_compared_however_many_columns_and_fields_are_left(matched):
    columns = {f"{glyph * 4} {n}": ["a b", "c d"] for n in range(60) for glyph in "bd"}

    proposal = matched(
        columns | {"Zork classifications": ["x y", "z u"]},
        "zorkClassification",
        *(f"{glyph * 5}{n}" for n in range(60) for glyph in "km"),
    )

    assert fields_of(proposal)["Zork classifications"] == "rows.zorkClassification"


def test_a_column_that_shares_as_much_with_two_fields_is_left_out(matched):
    proposal = matched({"Zork": ["a b", "c d"]}, "zorkFlap", "zorkTrill")

    assert fields_of(proposal)["Zork"] is None


def test_values_that_object_outweigh_shared_words(matched):
    proposal = matched({"Zork flap": ["a b", "c d"]}, "zorkFlap2:date", "city")

    assert fields_of(proposal)["Zork flap"] is None


def test_values_decide_for_an_unknown_header(matched):
    columns = {"Customer name": ["Anna Nowak", "Jan Lis"], "Zork": ["a@mail.test", "b@mail.test"]}

    proposal = matched(columns, "customerName", "email:email")

    assert fields_of(proposal)["Zork"] == "rows.email"


def test_a_date_is_not_a_reason_to_take_an_unknown_header_for_another_word(
    matched,
):
    columns = {"Customer name": ["Anna Nowak", "Jan Lis"], "Zork": DAYS}

    proposal = matched(columns, "customerName", "shippingDate:date")

    assert fields_of(proposal)["Zork"] is None


def test_a_header_that_is_understood_is_not_taken_for_something_else(matched):
    columns = {"Customer name": ["Anna Nowak", "Jan Lis"], "Phone": ["a@mail.test", "b@mail.test"]}

    proposal = matched(columns, "customerName", "email:email")

    assert fields_of(proposal)["Phone"] is None


@pytest.mark.parametrize(
    ("first", "other", "expected"),
    [
        ("kalibrator", "calibrateur", True),
        ("physiotherapie", "fisioterapia", True),
        ("fermentation", "fermentacion", True),
        ("turbine", "tribune", False),
        ("zone", "sone", False),
    ],
)
def test_cognates_are_known_by_their_sound(first, other, expected):
    is_known = are_cognates(first, other)

    assert is_known is expected
