"""``python -m tabular transform``: from a file to typed rows on the command line."""

import json

import pyarrow.parquet as pq
import pytest

from sandbox.commands.transform import run

CATALOG = {
    "key": "people",
    "entries": [
        {
            "id": "person",
            "fields": [
                {"key": "name", "required": True},
                {"key": "born", "columnType": "date", "outputFormat": "DD.MM.YYYY"},
                {"key": "pay", "columnType": "currency_eur", "label": "Salary"},
            ],
        }
    ],
}
FILE = "name;born;Salary\nZoë;31.1.1990;1.234,50 €\n;45322;viel\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "people.csv").write_text(FILE, "utf-8")
    (tmp_path / "catalog.json").write_text(json.dumps(CATALOG), "utf-8")
    return [str(tmp_path / "people.csv"), "--catalog", str(tmp_path / "catalog.json")]


def test_json_holds_rows_issues_and_counts(files, capsys):
    status = run([*files, "--json", "--language", "de"])

    printed = json.loads(capsys.readouterr().out)
    assert status == 0
    assert printed["rows"] == [
        {"person.name": "Zoë", "person.born": "31.01.1990", "person.pay": 1234.5},
        {"person.name": None, "person.born": "31.01.2024", "person.pay": None},
    ]
    assert [(i["row"], i["code"], i["message"]) for i in printed["issues"]] == [
        (1, "required", "Ein Wert ist erforderlich."),
        (1, "not_an_amount", "„viel“ ist kein Betrag in EUR."),
    ]


def test_a_parquet_file_holds_the_typed_columns(files, tmp_path, capsys):
    run([*files, "--out", str(tmp_path / "rows.parquet")])

    table = pq.read_table(tmp_path / "rows.parquet")
    assert [str(value) for value in table["person.born"]] == ["1990-01-31", "2024-01-31"]
    assert "2 rows: 1 valid" in capsys.readouterr().out


def test_a_mapping_of_ones_own_is_used(files, tmp_path, capsys):
    (tmp_path / "mapping.json").write_text('{"Salary": "person.name"}', "utf-8")

    run([*files, "--mapping", str(tmp_path / "mapping.json"), "--json"])

    assert json.loads(capsys.readouterr().out)["rows"][1]["person.name"] == "viel"


def test_a_catalog_that_cannot_be_used_is_a_problem_with_its_places(files, tmp_path, capsys):
    broken = {
        "key": "t",
        "entries": [
            {
                "id": "e",
                "fields": [{"key": "a", "validations": [{"validate": "regex", "regex": 1}]}],
            }
        ],
    }
    (tmp_path / "catalog.json").write_text(json.dumps(broken), "utf-8")

    status = run([*files, "--json"])

    problem = json.loads(capsys.readouterr().out)["problem"]
    assert (status, problem["code"]) == (3, "invalid_catalog")
    assert problem["errors"][0]["pointer"] == "/entries/0/fields/0/validations/0/regex"
