"""A template describes each column, and is read back as the catalog's own columns."""

import json
from io import BytesIO

import pytest
from openpyxl import load_workbook

from tabular.model.catalog import Catalog
from tabular.model.sentences import NARROW
from tabular.writing.headers import headers
from tabular.writing.template import template

CATALOG = {
    "key": "people",
    "title": "People: [all]",
    "entries": [
        {
            "id": "person",
            "fields": [
                {"key": "name", "label": "Name", "required": True, "example": "Ada"},
                {"key": "born", "label": "=Born", "columnType": "date_iso"},
                {"key": "secret", "hidden": True},
                {"key": "old", "disabled": True},
                {
                    "key": "size",
                    "columnType": "category",
                    "dropdownOptions": [
                        {"label": "Small", "type": "string", "value": "S"},
                        {"label": "Large", "type": "string", "value": "L"},
                    ],
                },
                {
                    "key": "tags",
                    "columnType": "category",
                    "isMultiSelect": True,
                    "dropdownOptions": [{"label": "New", "type": "int", "value": 1}],
                },
            ],
        },
        {"id": "firm", "fields": [{"key": "name", "label": "name"}]},
    ],
}


@pytest.fixture
def catalog() -> Catalog:
    return Catalog.model_validate_json(json.dumps(CATALOG))


@pytest.fixture
def sheet(catalog):
    return load_workbook(BytesIO(template(catalog))).worksheets[0]


def rules(sheet) -> dict:
    return {str(rule.sqref).split(":")[0]: rule for rule in sheet.data_validations.dataValidation}


def test_the_headers_are_labels_and_paths_where_labels_are_equal(sheet, catalog):
    first = [cell.value for cell in sheet[1]]

    assert first == ["person.name", "'=Born", "size", "tags", "firm.name"]
    assert (
        first[1] == "'" + headers(Catalog.model_validate_json(json.dumps(CATALOG)))["person.born"]
    )
    assert {cell.data_type for cell in sheet[1]} == {"s"}


def test_there_is_no_row_that_could_be_imported(sheet):
    assert sheet.max_row == 1
    assert sheet.title == "People   all"


def test_a_column_says_what_it_wants(sheet):
    assert sheet["A1"].comment.text == "Required\nExample: Ada"
    assert rules(sheet)["A2"].prompt == "Required\nExample: Ada"
    assert sheet.column_dimensions["B"].number_format == "yyyy-mm-dd"
    assert sheet.column_dimensions["A"].number_format == "@"


@pytest.mark.parametrize(
    ("language", "needed", "free", "choose"),
    [
        ("de", "Pflicht\nBeispiel: Ada", "Optional", "Wählen Sie einen Wert aus der Liste."),
        (
            "fr",
            f"Obligatoire\nExemple{NARROW}: Ada",
            "Facultatif",
            "Choisissez une valeur de la liste.",
        ),
        ("es", "Obligatorio\nEjemplo: Ada", "Opcional", "Elija un valor de la lista."),
        ("tlh", "Required\nExample: Ada", "Optional", "Choose one from the list."),
    ],
)
def test_a_template_speaks_the_language_it_is_asked_in(catalog, language, needed, free, choose):
    sheet = load_workbook(BytesIO(template(catalog, language=language))).worksheets[0]

    assert (sheet["A1"].comment.text, rules(sheet)["A2"].prompt) == (needed, needed)
    assert sheet["B1"].comment.text == free
    assert rules(sheet)["C2"].error == choose
    assert sheet["A1"].value == "person.name"


def test_options_are_a_list_that_refuses_others_where_the_field_does(sheet):
    size, tags = rules(sheet)["C2"], rules(sheet)["D2"]
    lists = sheet.parent["Options"]

    assert (size.type, size.formula1, size.showErrorMessage) == ("list", "Options!$A$1:$A$2", True)
    assert (tags.formula1, tags.showErrorMessage) == ("Options!$B$1:$B$1", False)
    assert [cell.value for cell in lists["A"]] == ["Small", "Large"]
    assert lists.sheet_state == "hidden"
