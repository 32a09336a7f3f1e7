"""The groups of a revision are remembered, and never those of another one or of other rows."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from staging.exports import parents

KEYS = SimpleNamespace(keys=("order.no",))
ALL = np.arange(4)


@pytest.fixture(autouse=True)
def nothing_remembered():
    parents._remembered.clear()
    yield
    parents._remembered.clear()


def groups_of(texts, rows=ALL, *, subject="rec_1", number=1):
    table = SimpleNamespace(
        revision=SimpleNamespace(subject=subject, number=number),
        values=lambda path: pa.chunked_array([texts]),
    )
    return parents._groups(table, KEYS, rows).tolist()


def test_a_revision_is_grouped_once():
    assert groups_of(["A", "B", "A", "B"]) == [0, 1, 0, 1]
    assert groups_of(["never", "looked", "at", "again"]) == [0, 1, 0, 1]


@pytest.mark.parametrize("other", [{"number": 2}, {"subject": "rec_2"}])
def test_another_revision_has_groups_of_its_own(other):
    groups_of(["A", "B", "A", "B"])

    assert groups_of(["A", "A", "B", "B"], **other) == [0, 0, 1, 1]


def test_other_rows_of_a_revision_have_groups_of_their_own():
    texts = ["A", "B", "A", "B"]
    groups_of(texts)

    assert groups_of(texts, np.array([1, 3])) == [0, 0]


def test_a_table_without_a_revision_is_never_remembered():
    groups_of(["A", "B", "A", "B"], subject="")

    assert groups_of(["A", "A", "B", "B"], subject="") == [0, 0, 1, 1]


def test_few_are_remembered():
    for number in range(10):
        groups_of(["A", "B", "A", "B"], number=number)

    assert len(parents._remembered) == parents._MOST_REMEMBERED
