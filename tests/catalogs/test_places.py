"""Findings are shown with their lines."""

from catalogs.places import Line, indented, placed, starter
from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import Finding, check_catalog


def test_a_finding_comes_with_the_lines_around_it():
    text = '{\n "key": "a",\n "entries": 1\n}'

    (finding,) = placed(check_catalog(text), text)

    assert finding.line == 3
    assert finding.excerpt == (
        Line(2, ' "key": "a",', is_place=False),
        Line(3, ' "entries": 1', is_place=True),
        Line(4, "}", is_place=False),
    )


def test_text_that_is_not_json_is_marked_where_reading_stopped():
    text = '{\n "key": "a"\n "entries": []\n}'

    (finding,) = placed(check_catalog(text), text)

    assert (finding.line, finding.sentence) == (3, "column 2: Expecting ',' delimiter.")


def test_a_finding_without_a_place_has_no_line():
    text = '{"key": "a", "key": "a"}'
    (finding,) = check_catalog(text)

    assert placed([finding], text)[0].line is None


def test_a_long_line_is_cut():
    text = '{"key": "' + "a" * 1000 + '"}'

    (finding,) = placed([Finding("/key", "too_long", "")], text)

    assert len(finding.excerpt[0].text) == 160


def test_a_document_is_indented_without_changing_what_it_says():
    assert indented('{"b":"ä","a":[]}') == '{\n  "b": "ä",\n  "a": []\n}'


def test_the_catalog_to_begin_with_has_no_findings():
    assert isinstance(check_catalog(starter("customers")), Catalog)
