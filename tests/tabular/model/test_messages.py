"""Messages: every code speaks, in both languages, with what it knows."""

import re

import pytest

from tabular.model.issue import CODES, OPERATORS, SENTENCES, render
from tabular.model.sentences import catalogue

PLACEHOLDER = re.compile(r"\{[A-Za-z]+\}")


@pytest.mark.parametrize("code", CODES)
def test_every_sentence_is_translated_with_the_same_placeholders(code):
    for sentence in SENTENCES[code]:
        german = catalogue("de")[sentence]

        assert sorted(PLACEHOLDER.findall(german)) == sorted(PLACEHOLDER.findall(sentence))


def test_every_operator_is_translated():
    assert set(OPERATORS.values()) <= set(catalogue("de"))


def test_a_message_is_filled_with_its_params():
    message, hint = render("compare", {"value": "3", "op": "gte", "other": "Start"})

    assert message == "“3” must be at least Start."
    assert hint == "A value that is at least Start."


def test_rows_are_counted_from_one_for_people():
    assert render("unique", {"value": "a", "firstRow": 0})[0] == "“a” is a duplicate of row 1."


def test_a_catalogs_own_message_replaces_ours_and_keeps_the_hint():
    params = {"message": "{value} in row {row}?", "value": "a", "row": 4}

    assert render("required", params, language="de") == (
        "a in row 5?",
        "Füllen Sie die Zelle aus.",
    )


def test_a_placeholder_in_a_value_is_left_alone():
    assert render("not_a_number", {"value": "{hint}"})[0] == "“{hint}” is not a number."


@pytest.mark.parametrize("language", ["xx", "", "../de", "DE"])
def test_an_unknown_language_is_english(language):
    assert render("required", {}, language=language)[0] == "A value is required."
