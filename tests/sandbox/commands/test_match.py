import json

import pytest

from tabular.__main__ import main

CATALOG = {
    "key": "invoices",
    "entries": [
        {
            "id": "invoices",
            "fields": [
                {"key": "number", "label": "Invoice number", "columnType": "string"},
                {"key": "date", "label": "Invoice date", "columnType": "date"},
                {"key": "net", "label": "Net amount", "columnType": "float"},
                {"key": "gross", "label": "Gross amount", "columnType": "float"},
            ],
        }
    ],
}


@pytest.fixture
def files(tmp_path):
    source = tmp_path / "rechnungen.csv"
    source.write_text("Rechnungsnr;Datum;Betrag\nR-1;01.02.2024;10,00\nR-2;11.02.2024;20,50\n")
    catalog = tmp_path / "catalog.json"
    catalog.write_text(json.dumps(CATALOG))
    return source, catalog


def test_a_file_is_matched_as_json(files, capsys):
    source, catalog = files

    code = main(["match", str(source), "--catalog", str(catalog), "--json"])

    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert document["mapping"] == {
        "Rechnungsnr": "invoices.number",
        "Datum": "invoices.date",
        "Betrag": None,
    }
    (question,) = document["questions"]
    assert question["kind"] == "column"
    assert question["columns"] == ["Betrag"]
    assert set(question["candidates"]) == {"invoices.net", "invoices.gross"}
    assert document["reasons"]["Datum"] == "Same meaning; 100 % are dates; the words are alike"


def test_several_files_are_a_line_each(files, capsys):
    source, catalog = files

    main(["match", str(source), str(source), "--catalog", str(catalog), "--jsonl"])

    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [str(source)] * 2


def test_people_see_a_table_with_reasons(files, capsys):
    source, catalog = files

    main(["match", str(source), "--catalog", str(catalog)])

    shown = capsys.readouterr().out
    assert "Rechnungsnr  invoices.number" in shown
    assert "? Betrag: Net amount or Gross amount" in shown


def test_a_single_entry_is_a_catalog_too(files, capsys):
    source, catalog = files
    catalog.write_text(json.dumps(CATALOG["entries"][0]))

    assert main(["match", str(source), "--catalog", str(catalog), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mapping"]["Datum"] == "invoices.date"


def test_an_unreadable_file_is_a_problem_of_its_own(files, tmp_path, capsys):
    source, catalog = files
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04 nothing")

    code = main(["match", str(broken), str(source), "--catalog", str(catalog), "--jsonl"])

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert code == 3
    assert "problem" in first
    assert second["mapping"]["Datum"] == "invoices.date"


@pytest.mark.parametrize("text", ["{", '{"entries": 5}', "[]"])
def test_what_is_not_a_catalog_stops_the_command(files, text, capsys):
    source, catalog = files
    catalog.write_text(text)

    with pytest.raises(SystemExit):
        main(["match", str(source), "--catalog", str(catalog)])

    assert "is not a catalog" in capsys.readouterr().err
