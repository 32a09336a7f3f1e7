"""Lists of objects in records become rows, where a catalog has entries with children."""

import json
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabular.model.places import ReadingChoices
from tabular.model.problem import LimitExceeded, Limits
from tabular.reading import read
from tests.tabular.reading.test_structured import rows_of
from tests.tabular.reading.test_xml_records import ORDERS as XML
from tests.tries import tries

AS_ROWS = ReadingChoices(lists_as_rows=True)
ORDERS = [
    {"no": "A", "by": {"city": "Rome"}, "lines": [{"sku": "x", "qty": 1.10}, {"sku": "y"}]},
    {"no": "B", "lines": []},
    {"no": "C", "lines": [{"sku": "z", "tags": ["new"]}], "note": "late"},
]
COLUMNS = ("no", "by.city", "lines.sku", "lines.qty", "lines.tags", "note")
ROWS = [
    ["A", "Rome", "x", "1.1", None, None],
    ["A", "Rome", "y", None, None, None],
    ["B", None, None, None, None, None],
    ["C", None, "z", None, '["new"]', "late"],
]


@pytest.fixture
def opened(tmp_path):
    """Return a function that writes a file and reads it."""

    def read_text(text, encoding="utf-8", choices=AS_ROWS, **more):
        path = tmp_path / "file"
        path.write_text(text, encoding)
        return read(path, choices=choices, **more)

    return read_text


def written(records, form):
    if form == "json":
        return json.dumps(records)
    if form == "wrapped":
        return json.dumps({"day": "2026-01-02", "data": {"orders": records}})
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize("form", ["json", "wrapped", "lines"])
def test_each_item_of_the_list_is_a_row_with_the_cells_of_its_record(opened, form):
    reading = opened(written(ORDERS, form))

    (table,), (body,) = reading.tables, reading.bodies
    order = [COLUMNS.index(name) for name in table.columns]
    assert sorted(order) == list(range(len(COLUMNS)))
    assert rows_of(body) == [[row[place] for place in order] for row in ROWS]
    assert table.row_count == 4
    numbers = [n for batch in body.batches() for n in batch.column(0).to_pylist()]
    assert numbers == [0, 1, 2, 3]  # no two rows have one place
    assert table.document == ({"day": "2026-01-02"} if form == "wrapped" else {})


@pytest.mark.parametrize("form", ["json", "lines"])
def test_without_children_in_the_catalog_a_list_stays_a_cell(opened, form):
    reading = opened(written(ORDERS, form), choices=ReadingChoices())

    assert reading.tables[0].columns == ("no", "by.city", "lines", "note")
    assert reading.tables[0].row_count == 3


def test_a_file_that_is_one_record_is_a_row_for_each_item_of_its_list(opened):
    record = {"no": "A", "by": {"city": "Rome"}, "lines": [{"sku": "x"}, {"sku": "y"}]}

    reading = opened(json.dumps(record))

    assert reading.tables[0].columns == ("no", "by.city", "lines.sku")
    assert rows_of(reading.bodies[0]) == [["A", "Rome", "x"], ["A", "Rome", "y"]]


def test_several_lists_are_tables_of_their_own(opened):
    records = [{"no": "A", "lines": [{"sku": "x"}, {"sku": "y"}], "fees": [{"sum": 5}, {"sum": 6}]}]

    reading = opened(json.dumps(records))

    assert [(table.sheet, table.columns, table.row_count) for table in reading.tables] == [
        ("lines", ("no", "lines.sku"), 2),
        ("fees", ("no", "fees.sum"), 2),
    ]
    assert [question.kind for question in reading.questions] == ["table"]


def test_lists_under_names_that_are_values_stay_cells(opened):
    records = [{"no": "A", **{f"day {n}": [{"sum": n}] for n in range(21)}}]

    assert opened(json.dumps(records)).tables[0].row_count == 1


def test_items_without_members_and_a_single_object_keep_their_values(opened):
    records = [{"no": "A", "lines": [{"sku": "x"}, "y"]}, {"no": "B", "lines": {"sku": "z"}}]

    reading = opened(json.dumps(records))

    assert reading.tables[0].columns == ("no", "lines.sku", "lines.value")
    assert rows_of(reading.bodies[0]) == [["A", "x", None], ["A", None, "y"], ["B", "z", None]]


def test_a_column_that_is_named_like_one_of_an_item_is_kept(opened):
    reading = opened(json.dumps([{"lines.sku": "own", "lines": [{"sku": "x"}]}]))

    assert rows_of(reading.bodies[0]) == [["own", "x"]]
    assert len(set(reading.tables[0].columns)) == 2


@pytest.mark.parametrize("form", ["json", "lines"])
def test_items_count_as_rows_of_the_file(opened, form):
    with pytest.raises(LimitExceeded) as refused:
        opened(written(ORDERS, form), limits=Limits(rows=3))

    assert refused.value.details["limit"] == "rows"


def test_elements_in_an_element_are_rows_with_its_cells(opened):
    reading = opened(XML, "latin-1")

    (table,) = reading.tables
    rows = [dict(zip(table.columns, row, strict=True)) for row in rows_of(reading.bodies[0])]
    assert [(row["id"], row["Price"], row["Lines.Line.Sku"]) for row in rows] == [
        ("A-1", "2.50", "X"),
        ("A-1", "2.50", "Y"),
        ("A-2", "3", "Z"),
    ]
    assert [row["Tag"] for row in rows] == [None, None, '["a", "b"]']
    assert (table.sheet, table.document) == ("Order", {"exported": "today", "Seller": "Bäcker"})


def test_several_kinds_of_elements_in_an_element_are_tables_of_their_own(opened):
    text = "<all>" + "".join(
        f'<order no="{no}"><line sku="x"/><line sku="y"/><fee sum="5"/><fee sum="6"/></order>'
        for no in "AB"
    )

    reading = opened(f"{text}</all>")

    assert [(table.sheet, table.columns, table.row_count) for table in reading.tables] == [
        ("order.line", ("no", "line.sku"), 4),
        ("order.fee", ("no", "fee.sum"), 4),
    ]


TEXTS = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=4)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {"no": TEXTS, "lines": st.lists(st.fixed_dictionaries({"sku": TEXTS}), max_size=3)}
    ),
    min_size=2,
    max_size=6,
).filter(lambda records: any(record["lines"] for record in records))


def expected(records):
    return [
        (record["no"], line.get("sku")) for record in records for line in record["lines"] or [{}]
    ]


def cells_of(reading, names):
    (table,) = reading.tables
    places = [table.columns.index(name) for name in names]
    return [tuple(row[place] for place in places) for row in rows_of(reading.bodies[0])]


@settings(max_examples=tries(40))
@given(records=RECORDS, form=st.sampled_from(["json", "wrapped", "lines"]))
def test_no_record_and_no_item_is_lost(tmp_path_factory, records, form):
    path = tmp_path_factory.mktemp("lists") / "file"
    path.write_text(written(records, form))

    assert cells_of(read(path, choices=AS_ROWS), ("no", "lines.sku")) == expected(records)


@settings(max_examples=tries(40))
@given(records=RECORDS.filter(lambda r: max(len(record["lines"]) for record in r) > 1))
def test_no_element_is_lost(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("lists") / "file.xml"
    inner = "".join(
        f"<order><no>{escape(record['no'])}</no>"
        + "".join(f"<line><sku>{escape(line['sku'])}</sku></line>" for line in record["lines"])
        + "</order>"
        for record in records
    )
    path.write_text(f"<all>{inner}</all>")

    assert cells_of(read(path, choices=AS_ROWS), ("no", "line.sku")) == expected(records)
