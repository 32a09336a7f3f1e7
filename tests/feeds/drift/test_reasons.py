"""Findings as reasons: what people read about them, in every language."""

import json

import pytest

from common.wording.messages import Message, english
from feeds.drift.comparing import compare
from feeds.drift.finding import CODES, Finding
from feeds.drift.reasons import FIGURES, reason_of
from tabular.model.sentences import LANGUAGES
from tests.feeds.drift.tables import orders, pictured, weeks

SHARES = {name for name in FIGURES.values() if name.endswith("Share")}


def sides(code):
    if code.startswith("dates"):
        return {"first": "2026-01-01", "last": "2026-01-07"}
    name = FIGURES.get(code, "")
    if name in {"header", "kind"}:
        return {name: "Amount"}
    return {name: 0.25 if name in SHARES else 1234.0} if name else {}


def worded(code, language):
    reason = reason_of(Finding(code, column="Total", before=sides(code), after=sides(code)))
    return Message(f"feed_reason.{reason['code']}", **reason).text(language)


@pytest.mark.parametrize("code", CODES)
def test_each_finding_has_words_in_every_language(code):
    texts = [worded(code, language) for language in LANGUAGES]

    assert len(set(texts)) == len(LANGUAGES)
    assert not any("{" in text for text in texts)


def test_no_words_are_left_over():
    keys = {key for key in english().templates if key.startswith("feed_reason.drift_")}

    assert keys == {f"feed_reason.drift_{code}" for code in CODES}


def test_shares_are_read_as_percent_and_numbers_in_the_language():
    assert worded("column_empty", "en") == "Empty cells in column Total: 25.0 %. Usual: 25.0 %."
    assert worded("column_total", "de") == "Summe der Spalte Total: 1.230. Üblich: 1.230."


def test_a_reason_has_both_sides_and_no_value_of_a_cell():
    table = orders(10)
    table["State"] = [f"done: {text}" for text in table["State"]]
    (finding,) = compare(pictured(table), weeks(10))
    reason = reason_of(finding)

    assert finding.after["values"]
    assert "done" not in json.dumps(reason)
    assert reason["figures"]["before"] == {"knownShare": 1.0}
    assert reason["figures"]["after"] == {"knownShare": 0.0}
