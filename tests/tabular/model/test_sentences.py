"""A sentence keeps its template and values until it is worded, also through JSON and copies."""

import copy
import json
import pickle

import pytest

from tabular.model.sentences import (
    Sentence,
    about,
    coded,
    counted,
    joined,
    numbered,
    packed,
    sized,
    translated,
    unpacked,
)

TABLE = Sentence("The file has no table number {n1}.", n1=1200)
ROWS = Sentence("The file has more than the {ROWS} that may be sent.", ROWS=counted(1200, "row"))


def test_a_sentence_is_its_english_text():
    assert TABLE == "The file has no table number 1,200."
    assert json.dumps([TABLE]) == '["The file has no table number 1,200."]'


@pytest.mark.parametrize(
    ("sentence", "german"),
    [
        (TABLE, "Die Datei hat keine Tabelle mit der Nummer 1.200."),
        (ROWS, "Die Datei hat mehr Zeilen als erlaubt: höchstens 1.200 Zeilen."),
        (joined(counted(2, "row"), counted(1, "column")), "2 Zeilen; 1 Spalte"),
        ("Required", "Pflicht"),  # a text without values is its own template
        (
            Sentence("The sheet {sheet} is empty.", sheet="{n1} rows"),
            "Das Blatt {n1} rows ist leer.",
        ),
        ("The file has no table number 1,200.", "The file has no table number 1,200."),  # no values
        ("numbers", "numbers"),  # only a part of sentences: alone, a person may have typed it
        (Sentence("No template of a catalog: {n1}", n1=3), "No template of a catalog: 3"),
        (Sentence("Fills {field}: {A}", field="Net", A="no phrase"), "Fills Net: no phrase"),
    ],
)
def test_it_is_worded_in_another_language(sentence, german):
    assert translated(sentence, "de") == german


@pytest.mark.parametrize("count", [0, 1, 2, 5, 1200])
def test_a_count_chooses_its_form(count):
    sentence = numbered(count, "1 row", "{n1} rows")

    assert sentence == ("1 row" if count == 1 else f"{count:,} rows")
    assert translated(sentence, "pl").endswith({1: "wiersz", 2: "wiersze"}.get(count, "wierszy"))


@pytest.mark.parametrize("sentence", [TABLE, ROWS, counted(2, "row"), joined(TABLE, ROWS)])
def test_it_comes_back_from_json_and_from_a_copy(sentence):
    through_json = unpacked(json.loads(json.dumps(packed({"detail": [sentence]}))))["detail"][0]

    for other in (through_json, copy.deepcopy(sentence), pickle.loads(pickle.dumps(sentence))):
        assert other == sentence
        assert translated(other, "de") == translated(sentence, "de")
        assert translated(other, "de") != sentence


@pytest.mark.parametrize(
    "document",
    [
        {"$sentence": "x"},
        {"$sentence": None, "value": 1},
        {"$sentence.key": "x", "n1": 2},
        {"a": [{"$sentence": {"$sentence": "y"}}], "b": None},
        {"$sentence": TABLE},
    ],
)
def test_json_that_looks_like_a_sentence_stays_what_it_is(document):
    assert unpacked(json.loads(json.dumps(packed(document)))) == document


@pytest.mark.parametrize(
    ("text", "pointer", "german"),
    [
        (coded("{member} can have at most {n1} items.", n1=3), "/a",
         "„a“ darf höchstens 3 Elemente haben."),
        (coded("{member} may have at most {SIZE} as JSON.", SIZE=sized(16 * 1024)), "/meta",
         "„meta“ darf als JSON höchstens 16 KiB groß sein."),
        (coded("“{input}” is not a value of {member}.", input="x\x1fmember=y"), "/a",
         "„x\x1fmember=y“ ist kein Wert für „a“."),
    ],
)  # fmt: skip
def test_a_framework_that_passes_on_one_text_passes_on_the_values(text, pointer, german):
    assert translated(about(text, pointer), "de") == german


def test_a_text_that_is_not_coded_is_not_cut():
    assert about("a\x1fb={x}", "") == "a\x1fb={x}"
