"""docs/adr/README.md lists every decision, under one topic, with its status."""

import doctest

import pytest

from scripts import index_decisions
from scripts.index_decisions import Record, UnusableRecord, index, index_of, record_in

ONE = Record(1, "The database is the truth", "accepted", "0001-truth.md")


def test_the_index_of_this_tree_follows_its_records():
    written = (index_decisions.FOLDER / index_decisions.INDEX).read_text("utf-8")

    assert written == index(), "run scripts/index_decisions.py"


def test_a_status_that_a_record_states_is_listed():
    record = record_in("0002-wsgi.md", "# 0002 WSGI\n\n**Status:** superseded by 0094\n")

    assert record == Record(2, "WSGI", "superseded by 0094", "0002-wsgi.md")


@pytest.mark.parametrize("text", ["No title", "# 0003 Another number", "## 0002 Too deep"])
def test_a_record_is_titled_as_its_file_is_named(text):
    with pytest.raises(UnusableRecord, match="0002-wsgi"):
        record_in("0002-wsgi.md", text)


@pytest.mark.parametrize("topics", [{}, {"A": (1, 2)}, {"A": (1,), "B": (1,)}])
def test_each_record_has_one_topic(topics):
    with pytest.raises(UnusableRecord, match="one topic"):
        index_of([ONE], topics)


def test_the_examples_hold():
    assert doctest.testmod(index_decisions).failed == 0
