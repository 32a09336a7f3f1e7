"""``python -m tabular read``: the shapes people and programs get."""

import json

from tabular.__main__ import main

CSV = "Stock\n\nid;name;qty\n1;Müller;5\n2;nut;7\n"


def written(tmp_path, name="file.csv", content=CSV):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_json_gives_the_tables_with_their_rows_as_text(tmp_path, capsys):
    code = main(["read", written(tmp_path), "--json"])

    document = json.loads(capsys.readouterr().out)
    table = document["tables"][0]
    assert code == 0
    assert table["headerRow"] == 2
    assert table["columns"] == ["id", "name", "qty"]
    assert table["rows"] == [["1", "Müller", "5"], ["2", "nut", "7"]]
    assert table["rowCount"] == 2
    assert (table["encoding"], table["delimiter"]) == ("utf-8", ";")
    assert table["skipped"]["preamble"] == 1
    assert document["questions"] == []


def test_jsonl_gives_a_line_a_file_and_goes_on_after_a_problem(tmp_path, capsys):
    empty, good = written(tmp_path, "empty", ""), written(tmp_path)

    code = main(["read", empty, good, "--jsonl"])

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert code == 3
    assert first["problem"]["code"] == "empty_file"
    assert second["tables"][0]["columns"] == ["id", "name", "qty"]


def test_a_person_sees_the_table_and_the_reasons(tmp_path, capsys):
    main(["read", written(tmp_path), "--header-row", "3"])

    shown = capsys.readouterr().out
    assert "header in row 3" in shown
    assert "a person chose it" in shown
