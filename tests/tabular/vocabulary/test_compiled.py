"""The vocabulary is compiled for the next process, and never taken when it is out of date."""

import pytest

from tabular.vocabulary import lexicon

SOURCES = {"dates": "[date]"}


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    place = tmp_path / "__pycache__" / "vocabulary"
    monkeypatch.setattr(lexicon, "_place", lambda: place)
    return place


def test_what_was_kept_is_loaded():
    lexicon.keep(SOURCES, {"terms": {"de": {"name": (("name",),)}}})

    assert lexicon.load(SOURCES) == {"terms": {"de": {"name": (("name",),)}}}


def test_other_sources_take_nothing_of_it():
    lexicon.keep(SOURCES, {"terms": {}})

    assert lexicon.load({"dates": "[day]"}) is None
    assert lexicon.load({"days": "[date]"}) is None


@pytest.mark.parametrize("length", [0, 5, 32, 36])
def test_what_was_cut_short_counts_for_nothing(place, length):
    lexicon.keep(SOURCES, {"terms": {"de": {}}})
    place.write_bytes(place.read_bytes()[:length])

    assert lexicon.load(SOURCES) is None


def test_compiled_and_read_the_vocabulary_is_the_same():
    as_read = lexicon.lexicon.__wrapped__()
    lexicon.compile_vocabulary()
    as_kept = lexicon.lexicon.__wrapped__()

    assert as_kept == as_read
    assert as_kept.concepts["date"].near == as_read.concepts["date"].near
    assert "birthdate" in as_kept.terms["en"]
