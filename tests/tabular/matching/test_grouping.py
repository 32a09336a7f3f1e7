"""Children in numbered columns, and parents in the first line only, are recognised."""

import pyarrow as pa
import pytest

from tabular.matching import Learned, propose
from tabular.matching.asking.grouping import with_groups
from tests.jobs import catalog_of

ORDERS = {
    "key": "orders",
    "entries": [
        {
            "id": "order",
            "groupBy": ["number"],
            "fields": [{"key": "number", "label": "Order number"}, {"key": "city"}],
        },
        {
            "id": "line",
            "childOf": "order",
            "fields": [{"key": "item"}, {"key": "qty", "columnType": "int"}],
        },
        {"id": "fee", "childOf": "order", "fields": [{"key": "reason"}]},
    ],
}


def proposed(columns, *, rows=None, catalog=ORDERS):
    """Return the proposal with a question about groups, or None."""
    sample = pa.table({name: pa.array(texts, pa.string()) for name, texts in columns.items()})
    catalog = catalog_of(catalog)
    proposal = propose(tuple(columns), sample, catalog=catalog)
    return with_groups(proposal, sample, catalog=catalog, learned=Learned(), rows=rows)


WIDE = {
    "Order number": ["A", "B"],
    "city": ["Rome", "Oslo"],
    "item": ["Bolt", "Pin"],
    "item2": ["Nut", None],
    "qty2": ["5", None],
    "qty_3": ["7", " "],
}


def test_columns_of_one_name_are_one_field_whatever_numbers_they_have():
    proposal = proposed(WIDE)

    question = proposal.questions[-1]
    assert question.default == {
        "item": "line.item",
        "item2": "line.item",
        "qty2": "line.qty",
        "qty_3": "line.qty",
    }
    assert proposal.mapping == {"Order number": "order.number", "city": "order.city"}
    assert question.candidates[0].effect == (
        "2 rows become 4 rows, one for each filled group of item ... qty_3"
    )


def test_the_rows_of_a_large_file_are_estimated():
    assert (
        proposed(WIDE, rows=2_000)
        .questions[-1]
        .candidates[0]
        .effect.startswith("2,000 rows become about 4,000 rows")
    )
    heads = {"Order number": ["A", None], "city": ["Rome", None], "item": ["Bolt", "Nut"]}
    assert [c.effect for c in proposed(heads, rows=2_000).questions[-1].candidates] == [
        "Rows that take values from above: about 1,000",
        "Rows that stay without Order number: about 1,000",
    ]


def test_numbers_may_begin_with_zero_and_be_within_a_path():
    columns = {"Order number": ["A"], "lines[0].item": ["Bolt"], "lines[0].qty": ["5"]}
    columns |= {"lines[1].item": ["Nut"], "lines[1].qty": [None]}

    assert list(proposed(columns).questions[-1].default) == list(columns)[1:]


def test_columns_of_the_child_with_most_of_them_become_its_rows():
    columns = {**WIDE, "reason1": ["late", None], "reason2": ["rush", None]}

    question = proposed(columns).questions[-1]

    assert set(question.default.values()) == {"line.item", "line.qty"}
    assert question.columns == ("item", "item2", "qty2", "qty_3")


@pytest.mark.parametrize(
    "columns",
    [
        {"Order number": ["A"], "item": ["Bolt"], "qty": ["5"]},
        {"Order number": ["A"], "item1": [None], "item2": [" "]},  # nothing to make rows of
        {"Order number": ["A"], "item 2023": ["Bolt"], "item 2024": ["Nut"]},  # years
        {"Order number": ["A"], "item1": ["Bolt"]},  # one alone
        {"Order number": ["A"], "item": ["Bolt"], "qty1": ["5"], "qty2": ["6"]},  # a line a row
        {"Order number": ["A"], "city1": ["Rome"], "city2": ["Oslo"]},  # of the parent
    ],
)
def test_nothing_is_asked_without_numbered_columns_of_a_child(columns):
    assert proposed(columns) is None


def test_nothing_is_asked_for_a_catalog_without_children():
    entries = [{**entry} for entry in ORDERS["entries"]]
    for entry in entries:
        entry.pop("childOf", None)

    assert proposed(WIDE, catalog={**ORDERS, "entries": entries}) is None
