"""The example files: generating them again changes nothing, and their expectations agree."""

import json
import zipfile
from pathlib import Path
from xml.etree.ElementTree import canonicalize

import pytest

from examples.making import orders, price_list, stock
from tabular.model.catalog import Catalog

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
MAKERS = (orders, stock, price_list)
CATALOGS = ("orders", "stock", "prices")


def expectation(name):
    return json.loads((EXAMPLES / "expected" / f"{name}.json").read_text("utf-8"))


def catalog(name):
    return Catalog.model_validate_json((EXAMPLES / "catalogs" / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("maker", [orders, price_list], ids=lambda maker: maker.FILE)
def test_the_committed_file_is_what_the_script_makes(maker):
    assert (EXAMPLES / maker.FILE).read_bytes() == maker.content()


def test_the_committed_workbook_has_the_parts_the_script_makes(tmp_path):
    # Not the bytes: another zlib packs the same parts differently, another writer spells XML so.
    made = tmp_path / "made.xlsx"
    made.write_bytes(stock.content())

    with zipfile.ZipFile(made) as new, zipfile.ZipFile(EXAMPLES / stock.FILE) as old:
        assert new.namelist() == old.namelist()
        assert all(spelled(new.read(name)) == spelled(old.read(name)) for name in new.namelist())


def spelled(part: bytes) -> str:
    return canonicalize(part.decode(), rewrite_prefixes=True)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.FILE)
def test_the_committed_expectation_is_what_the_script_makes(maker):
    expected = maker.expected()

    assert expectation(expected["catalog"]) == expected


@pytest.mark.parametrize("name", CATALOGS)
def test_every_field_of_a_catalog_is_fed_by_one_column(name):
    assert sorted(expectation(name)["mapping"].values()) == sorted(catalog(name).fields_by_path)


@pytest.mark.parametrize("name", CATALOGS)
def test_every_column_is_a_name_or_an_alias_of_its_field(name):
    fields = catalog(name).fields_by_path

    for column, path in expectation(name)["mapping"].items():
        names = (fields[path].label, *(fields[path].alternative_matches or ()))
        assert column.casefold() in [name.casefold() for name in names]


@pytest.mark.parametrize("name", CATALOGS)
def test_every_row_is_delivered_or_has_a_cell_that_holds_it_back(name):
    expected = expectation(name)

    held_back = {cell["bodyRow"] for cell in expected["failed"]}
    assert expected["counts"]["imported"] == len(expected["rows"])
    assert expected["counts"]["failed"] == len(held_back)
    assert expected["counts"]["rows"] == len(expected["rows"]) + len(held_back)


@pytest.mark.parametrize("name", CATALOGS)
def test_a_delivered_row_has_every_field_and_every_required_value(name):
    fields = catalog(name).fields_by_path

    for row in expectation(name)["rows"]:
        assert set(row) == set(fields)
        assert all(row[path] is not None for path, field in fields.items() if field.is_required)
