"""A fix writes the values that it read, digit by digit."""

import pytest

from staging.edits.fixes import Fix, fix_group


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("column_type", "code", "text", "written"),
    [
        ("percentage", "not_a_percentage", "29,0 %", "29 %"),
        ("percentage", "not_a_percentage", "0,57 %", "0.57 %"),
        ("float", "not_a_number", "1.234,1", "1234.1"),
        ("float", "not_a_number", "0,0000001", "0.0000001"),
        ("currency_eur", "not_an_amount", "1.234,10 €", "1234.1000"),
    ],
)
def test_a_fix_writes_exactly_what_it_read(staged, column_type, code, text, written):
    fields = [{"key": "share", "columnType": column_type, "numberFormat": "us"}]
    table = staged({"share": [text, "1"]}, fields=fields)

    changes = fix_group(table, field="e.share", code=code, fix=Fix(read_as="eu"))

    (texts,) = changes.texts.values()
    assert texts.texts.to_pylist() == [written]
