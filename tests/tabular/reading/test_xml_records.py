"""XML: the elements that repeat are records, and nothing outside of the file is read."""

import json
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.model.problem import LimitExceeded, UnreadableFile
from tabular.reading import read
from tests.tabular.reading.test_structured import rows_of

ORDERS = """<?xml version="1.0" encoding="ISO-8859-1"?>
<Orders xmlns="urn:shop/v1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" exported="today">
  <Seller>Bäcker</Seller>
  <Order id="A-1" xsi:type="Big"><Date>2026-11-01</Date><Price currency="EUR"> 2.50 </Price>
    <Lines><Line><Sku>X</Sku></Line><Line><Sku>Y</Sku></Line></Lines><Note xsi:nil="true"/></Order>
  <Order id="A-2"><Date>2026-11-02</Date><Price currency="CHF">3</Price>
    <Lines><Line><Sku>Z</Sku></Line></Lines><Tag>a</Tag><Tag>b</Tag></Order>
</Orders>
"""


@pytest.fixture
def xml(tmp_path):
    """Return a function that writes a document and reads it."""

    def read_text(text: str, encoding: str = "utf-8"):
        path = tmp_path / "orders.xml"
        path.write_text(text, encoding)
        return read(path)

    return read_text


def table(reading, number=0):
    return reading.tables[number].columns, rows_of(reading.bodies[number])


def test_elements_that_repeat_are_records(xml):
    reading = xml(ORDERS, "latin-1")

    columns, rows = table(reading)
    lists = (json.dumps([{"Sku": "X"}, {"Sku": "Y"}]), json.dumps([{"Sku": "Z"}]))
    assert columns == ("id", "Date", "Price.currency", "Price", "Lines.Line", "Note", "Tag")
    assert rows == [
        ["A-1", "2026-11-01", "EUR", "2.50", lists[0], None, None],
        ["A-2", "2026-11-02", "CHF", "3", lists[1], None, '["a", "b"]'],
    ]
    assert reading.tables[0].sheet == "Order"
    assert reading.tables[0].document == {"exported": "today", "Seller": "Bäcker"}
    assert reading.file_format == "xml"


def test_records_in_records_are_a_table_of_their_own_and_come_after(xml):
    reading = xml(ORDERS, "latin-1")

    assert [(item.sheet, item.row_count) for item in reading.tables] == [("Order", 2), ("Line", 3)]
    assert table(reading, 1) == (("Sku",), [["X"], ["Y"], ["Z"]])


def test_an_element_that_only_groups_records_is_none(xml):
    groups = "<all>" + "<page><row><a>1</a></row><row><a>2</a></row></page>" * 2 + "</all>"

    assert [item.sheet for item in xml(groups).tables] == ["row"]


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("<all><order><no>1</no><to>Bonn</to></order></all>", ("no", "to"), ["1", "Bonn"]),
        ("<order><no>1</no></order>", ("no",), ["1"]),
        ('<orders version="2"><order no="1"><a/></order></orders>', ("no", "a"), ["1", None]),
    ],
)  # fmt: skip
def test_a_document_may_hold_one_record(text, columns, rows, xml):
    assert table(xml(text)) == (columns, [rows])


def test_texts_that_repeat_are_a_column(xml):
    assert table(xml("<names><name>Ann</name><name>Bo</name></names>")) == (
        ("name",), [["Ann"], ["Bo"]]
    )  # fmt: skip


def test_what_shares_a_name_keeps_its_column_in_every_record(xml):
    text = (
        '<all xmlns:x="urn:x" xmlns:y="urn:y">'
        '<row id="1"><id>2</id><x:no>3</x:no><y:no>4</y:no></row>'
        "<row><id>5</id><y:no>6</y:no></row></all>"
    )

    assert table(xml(text)) == (
        ("id", "id (2)", "no", "no (2)"), [["1", "2", "3", "4"], [None, "5", None, "6"]]
    )  # fmt: skip


def test_the_text_of_a_record_has_a_column_of_its_own(xml):
    text = "<all><row><row>in</row>own</row><row>alone</row></all>"

    assert table(xml(text))[1][:2] == [["in", "own"], [None, "alone"]]


def test_each_kind_of_record_is_read_past_the_others(xml):
    texts = "".join(f"<a><n>{n}</n></a><b><m>{n}</m><c><k>{n}</k></c></b>" for n in range(3))

    reading = xml(f"<all>{texts}</all>")

    kinds = {item.sheet: rows_of(reading.bodies[n]) for n, item in enumerate(reading.tables)}
    assert kinds == {"a": [["0"], ["1"], ["2"]], "b": [["0", "0"], ["1", "1"], ["2", "2"]]}


def test_a_problem_names_neither_the_file_nor_its_folder(xml):
    with pytest.raises(UnreadableFile) as refused:
        xml("<?xml version='1.0'?><a><row><b>1</b></a>")
    assert "orders.xml" not in refused.value.sentence
    assert "line 1" in refused.value.sentence


def test_an_attribute_and_an_element_may_share_a_name(xml):
    text = '<all><row id="1"><id>2</id>own</row><row id="3"/></all>'

    assert table(xml(text)) == (
        ("id", "id (2)", "row"), [["1", "2", "own"], ["3", None, None]]
    )  # fmt: skip


def test_a_document_type_without_entities_is_read(xml):
    text = '<!DOCTYPE all SYSTEM "all.dtd"><all><row><a>1</a></row><row><a>2</a></row></all>'

    assert table(xml('<?xml version="1.0"?>' + text))[1] == [["1"], ["2"]]


LAUGHS = '<!DOCTYPE a [<!ENTITY l "ha"><!ENTITY m "&l;&l;&l;&l;">]>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY l SYSTEM "file:///etc/hostname">]>'
UNKNOWN = '<!DOCTYPE a SYSTEM "a.dtd">'


@pytest.mark.parametrize("declared", [LAUGHS, OUTSIDE, UNKNOWN])
def test_entities_are_refused_and_nothing_is_loaded(declared, xml):
    text = f'<?xml version="1.0"?>{declared}<a><row><b>&l;</b></row><row><b>2</b></row></a>'

    with pytest.raises(UnreadableFile) as refused:
        xml(text)
    assert refused.value.code == "unsafe_file"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<?xml version='1.0'?><a><row><b>1</b></row><row><b>2</b></a>", "damaged_file"),
        ("<?xml version='1.0'?><a><row><b>1</b></row>", "damaged_file"),
        ("<?xml version='1.0'?><a>only a text</a>", "no_table_found"),
        ('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "unsupported_format"),
    ],
)
def test_a_document_without_records_is_refused_in_words(text, code, xml):
    with pytest.raises(UnreadableFile) as refused:
        xml(text)
    assert refused.value.code == code


def test_elements_in_too_many_levels_are_refused(xml):
    with pytest.raises(LimitExceeded):
        xml("<?xml version='1.0'?>" + "<a>" * 100 + "</a>" * 100)


def test_a_text_that_begins_with_an_angle_bracket_stays_a_text(xml):
    reading = xml("<b>,city\n<b>1</b>,Bonn\n<b>2</b>,Ulm\n")

    assert (reading.file_format, reading.tables[0].row_count) == ("csv", 2)
    assert xml("<b>1</b>\n<b>2</b>\n").file_format == "txt"


NAMES = st.from_regex("[a-z][a-z0-9]{0,5}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)


@given(
    rows=st.lists(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=4), min_size=2, max_size=6),
    has_attributes=st.booleans(),
)
def test_what_is_written_is_read(rows, has_attributes, tmp_path_factory):
    def written(row: dict[str, str]) -> str:
        if has_attributes:
            return "<r " + " ".join(f"{k}={quoteattr(v)}" for k, v in row.items()) + "/>"
        return "<r>" + "".join(f"<{k}>{escape(v)}</{k}>" for k, v in row.items()) + "</r>"

    path: Path = tmp_path_factory.mktemp("xml") / "all.xml"
    path.write_text("<?xml version='1.0'?><all>" + "".join(map(written, rows)) + "</all>", "utf-8")

    columns, cells = table(read(path))

    keys = list(dict.fromkeys(key for row in rows for key in row))
    assert list(columns) == keys
    assert cells == [[row.get(key) for key in keys] for row in rows]
