"""No text of an export runs in a spreadsheet, and every text comes back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.writing.cells import MAX_CHARACTERS, RUNS, neutralised, restored, written


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+cmd", "'+cmd"),
        ("-2+3+cmd", "'-2+3+cmd"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("-12.345,60", "-12.345,60"),  # a number is no formula
        ("+49 170 1234567", "+49 170 1234567"),
        ("12 %", "12 %"),
        ("'quoted", "'quoted"),
        ("", ""),
    ],
)
def test_what_could_run_gets_an_apostrophe(text, cell):
    assert neutralised(text) == cell


@given(st.text())
def test_no_cell_begins_like_a_formula_unless_it_is_a_number(text):
    cell = written(text)

    assert not cell.startswith(RUNS) or not cell.strip("+-0123456789., '\u00a0\u202f%")
    assert len(cell) <= MAX_CHARACTERS


@given(st.text())
def test_a_text_comes_back(text):
    if text.startswith("'") and text[1:].startswith(RUNS):
        return  # what looks neutralised already is taken for it

    assert restored(neutralised(text)) == text


def test_what_xml_refuses_is_replaced():
    assert written("a\x00b\ud800c") == "a\ufffdb\ufffdc"
