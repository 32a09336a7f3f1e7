"""The text of a cell, sent back as an edit, keeps the value."""

from datetime import date

import pytest

from tests.api.test_values_as_the_file_says import importer, person, xlsx

__all__ = ["importer", "person"]  # fixtures
pytestmark = pytest.mark.django_db
FIELDS = (
    {"key": "amount", "columnType": "float", "numberFormat": "eu"},
    {"key": "share", "columnType": "percentage", "numberFormat": "eu"},
    {"key": "day", "columnType": "date_dmy"},
    {"key": "count", "columnType": "int"},
)
TEXT = "Amount;Share;Day;Count\n1,234;19 %;03.04.2026;7\n1.234,5;7,25 %;13.04.2026;1.200\n"
CELLS = [
    ["Amount", "Share", "Day", "Count"],
    [1.234, 0.19, date(2026, 4, 3), 7],
    [1234.5, 0.0725, date(2026, 4, 13), 1200],
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.csv", TEXT.encode()),
        ("list.xlsx", xlsx(CELLS)),
        ("percent.xlsx", xlsx(CELLS, B="0.00%")),
    ],
)
def test_the_text_of_a_cell_typed_again_changes_nothing(importer, name, content):
    importer.publish(*FIELDS)
    importer.upload(name, content)
    page = importer.call("post", "/rows/query", {"texts": True})
    values = [row["values"] for row in page["rows"]]
    assert [v["e.amount"] for v in values] == [1.234, 1234.5]

    edits = [
        {"row": row["row"], "field": field, "text": text}
        for row in page["rows"]
        for field, text in row["texts"].items()
        if text is not None
    ]
    importer.change("patch", "/rows", edits=edits)

    assert len(edits) == 8
    assert [row["values"] for row in importer.rows()] == values


def test_a_page_has_no_texts_unless_they_are_asked_for(importer):
    importer.publish(*FIELDS)
    importer.upload("list.csv", TEXT.encode())

    assert all("texts" not in row for row in importer.rows())
