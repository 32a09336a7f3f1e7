"""Rows that nearly are duplicates: which ones are grouped, and which are not."""

import random

import pytest

from staging.changes import BeyondEffort, Effort, UnknownField
from staging.duplicates import near as near_module
from staging.duplicates.grouping import Grouping, find
from staging.duplicates.near import TooManyToCompare
from staging.duplicates.resolving import Keeping, resolved

PEOPLE = {
    "name": ["Anna Schmidt", "Anna Schmitt", "SCHMIDT, Anna", "Bert Huber", "Anna Schmidt", None],
    "street": ["Hauptstraße 5", "Haupstrasse 5", "Hauptstr. 5", "Weg 1", "Hauptstraße 7", None],
}


def groups(staged, columns, *names, threshold=0.9):
    table = staged(columns, fields=[{"key": name} for name in columns])
    paths = tuple(f"e.{name}" for name in names)
    (duplicates,) = find(table, Grouping("near", paths, threshold))
    return list(duplicates.groups())


def test_typing_errors_case_accents_and_the_order_of_words_do_not_count(staged):
    assert groups(staged, PEOPLE, "name") == [[0, 1, 2, 4]]


def test_every_chosen_field_is_similar(staged):
    """Rows 0 and 4 have the same name at different street numbers."""
    assert groups(staged, PEOPLE, "name", "street") == [[0, 1]]


def test_a_lower_threshold_finds_more(staged):
    assert groups(staged, PEOPLE, "name", "street", threshold=0.8) == [[0, 1, 2]]


def test_an_empty_cell_resembles_an_empty_cell_alone(staged):
    columns = {"name": ["Anna Schmidt"] * 3, "street": ["Weg", None, None]}

    assert groups(staged, columns, "name", "street") == [[1, 2]]


def test_groups_are_the_same_whatever_the_order_of_the_rows(staged):
    order = list(range(6))
    random.Random(2).shuffle(order)
    columns = {name: [texts[row] for row in order] for name, texts in PEOPLE.items()}

    shuffled = groups(staged, columns, "name")

    assert shuffled == [sorted(order.index(row) for row in (0, 1, 2, 4))]


def test_similar_pairs_are_joined(staged):
    """The first and the last are not similar, but each is similar to one between them."""
    names = ["abcdefghij", "abcdefghix", "abcdefghyx", "abcdefgzyx"]

    assert groups(staged, {"name": names}, "name") == [[0, 1, 2, 3]]


def test_a_group_that_is_too_large_is_shown_and_not_resolved(staged, monkeypatch):
    monkeypatch.setattr(near_module, "MOST_IN_GROUP", 3)
    names = ["Anna Schmidt"] * 4 + ["Bert Huber"] * 2
    table = staged({"name": names}, fields=[{"key": "name"}])
    grouping = Grouping("near", ("e.name",))

    (duplicates,) = find(table, grouping)
    made = resolved(table, grouping, Keeping("first"))

    assert duplicates.is_too_large.tolist() == [True, False]
    assert made.changes.exclude.tolist() == [5]
    assert (made.groups, made.too_large) == (1, 1)


def test_values_other_than_texts_are_equal_or_different(staged):
    columns = {"name": ["Anna Schmidt"] * 3, "amount": ["100", "-100", "100"]}
    fields = [{"key": "name"}, {"key": "amount", "columnType": "int"}]
    table = staged(columns, fields=fields)

    (duplicates,) = find(table, Grouping("near", ("e.name", "e.amount")))

    assert list(duplicates.groups()) == [[0, 2]]


def test_too_many_rows_are_refused(staged, monkeypatch):
    monkeypatch.setattr(near_module, "MOST_ROWS", 5)

    with pytest.raises(TooManyToCompare):
        groups(staged, PEOPLE, "name")


def test_a_field_that_the_rows_lack_is_refused(staged):
    with pytest.raises(UnknownField):
        groups(staged, PEOPLE, "surname")


def test_many_rows_are_left_to_a_worker(staged):
    table = staged(PEOPLE, fields=[{"key": name} for name in PEOPLE])

    with pytest.raises(BeyondEffort):
        resolved(table, Grouping("near", ("e.name",)), Keeping("first"), Effort(cells=100))


def test_a_revision_is_compared_once(staged, monkeypatch):
    table = staged(PEOPLE, fields=[{"key": name} for name in PEOPLE])
    grouping = Grouping("near", ("e.name",))
    (first,) = find(table, grouping)
    monkeypatch.setattr(near_module, "_near", None)

    (again,) = find(table, grouping)

    assert again is first
