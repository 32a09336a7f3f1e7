import pytest

from tabular.matching.lexicon import are_cognates

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


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("kalibrator", "calibrateur", True),
        ("physiotherapie", "fisioterapia", True),
        ("fermentation", "fermentacion", True),
        ("turbine", "tribune", False),
        ("zone", "sone", False),
    ],
)
def test_cognates_are_known_by_their_sound(one, other, expected):
    found = are_cognates(one, other)

    assert found is expected
