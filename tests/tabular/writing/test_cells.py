"""No text of an export runs in a spreadsheet, and every text comes back as it was."""

import re

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular.writing.cells import (
    MAX_CHARACTERS,
    RUNS,
    neutralised,
    restored,
    written,
    written_column,
)

ALPHABET = "=+-@＝＋;\t\r\n a1.,'%\x00"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+cmd", "'+cmd"),
        ("-2+3+cmd", "'-2+3+cmd"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\t'=1"),
        ("\r=1", "'\r'=1"),
        ("\n-x", "'\n'-x"),
        ("a;=1+1", "a;'=1+1"),  # where semicolons part cells
        ("a\t@x\n+y", "a\t'@x\n'+y"),
        ("1;-2\n-3,5", "1;-2\n-3,5"),
        ("＝1+1", "'＝1+1"),
        ("x;－1", "x;'－1"),
        ("a-b; c=d", "a-b; c=d"),
        ("-12.345,60", "-12.345,60"),  # a number is not a formula
        ("+49 170 1234567", "+49 170 1234567"),
        ("12 %", "12 %"),
        ("'quoted", "'quoted"),
        ("", ""),
    ],
)
def test_what_could_run_gets_an_apostrophe(text, cell):
    assert neutralised(text) == cell


@given(st.text(ALPHABET) | st.text())
def test_no_cell_begins_like_a_formula_unless_it_is_a_number(text):
    cell = written(text)

    for part in re.split("[;\t\r\n]", cell):
        assert not part.startswith(RUNS) or not part.strip("+-0123456789., '\u00a0\u202f%")
    assert not cell.startswith(("\t", "\r", "\n"))
    assert len(cell) <= MAX_CHARACTERS


@given(st.lists(st.none() | st.text(ALPHABET) | st.text()))
def test_a_column_is_written_as_its_texts_are(texts):
    texts = [None if text is None else text.encode("utf-8", "replace").decode() for text in texts]

    assert written_column(pa.array(texts, pa.string())).to_pylist() == [written(t) for t in texts]


@given(st.text(ALPHABET) | st.text())
def test_a_text_comes_back(text):
    if re.search("'[=+\\-@＝＋－＠\t\r\n]", text):
        return  # text that looks escaped already is treated as escaped

    assert restored(neutralised(text)) == text


def test_what_xml_refuses_is_replaced():
    assert written("a\x00b\ud800c") == "a\ufffdb\ufffdc"
