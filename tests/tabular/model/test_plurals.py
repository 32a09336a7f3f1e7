"""A counted noun has the form that its number needs in each language."""

import pytest

from tabular.model.sentences import FORMS, TWO, form_for


@pytest.mark.parametrize(
    ("language", "chosen"),
    [
        ("en", {0: "other", 1: "one", 2: "other"}),
        ("fr", {0: "one", 1: "one", 2: "other", 1_000_000: "other"}),
        ("pt", {0: "one", 1: "one", 2: "other"}),
        ("it", {1: "one", 1_000_000: "other"}),
        ("nl", {0: "other", 1: "one"}),
        ("pl", {1: "one", 2: "few", 5: "many", 12: "many", 22: "few", 25: "many"}),
        ("he", {1: "one", 2: "two", 3: "other", 20: "other"}),
        ("ar", {0: "zero", 1: "one", 2: "two", 3: "few", 11: "many", 100: "other", 103: "few"}),
        ("ja", {0: "other", 1: "other", 2: "other"}),
    ],
)
def test_a_number_chooses_the_form_of_its_language(language, chosen):
    forms = FORMS.get(language, TWO)

    assert {number: form_for(number, language, forms) for number in chosen} == chosen


@pytest.mark.parametrize("language", ["en", *FORMS])
def test_a_single_form_is_for_every_number(language):
    assert {form_for(n, language, ("{n1} rows",)) for n in range(120)} == {"{n1} rows"}
