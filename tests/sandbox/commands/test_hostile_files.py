"""The command line reads in a limited child, so a hostile file ends in one sentence."""

import json
import subprocess
import sys

import pytest

from sandbox import JobFailed
from sandbox.commands import runner
from tabular.__main__ import main
from tests.tabular.reading import ole, xlsb

CATALOG = '{"key": "c", "entries": [{"id": "e", "fields": [{"key": "id"}]}]}'


def unknown_shared_string():
    """Return an xlsb whose cell names a text that the workbook does not have."""
    named = xlsb.record(7, (1).to_bytes(4, "little") + bytes(4) + (300).to_bytes(4, "little"))
    rows = xlsb.sheet({0: {0: "id", 1: "name"}, 1: {0: 1.0, 1: "x"}})
    return xlsb.workbook(
        rows.replace(xlsb.cell(1, "x"), named),
        {"xl/sharedStrings.bin": xlsb.record(159, bytes(8)) + xlsb.record(160)},
    )


@pytest.mark.parametrize(
    "content",
    [
        ole.ring_in_the_directory(),
        ole.ring_in_the_workbook(),
        ole.ring_among_the_tables(),
        ole.with_sectors_of(63),
        unknown_shared_string(),
    ],
    ids=["directory ring", "stream ring", "table ring", "sector shift", "panic"],
)
def test_a_hostile_workbook_is_refused_in_a_sentence(tmp_path, capfd, content):
    path = tmp_path / "hostile"
    path.write_bytes(content)

    code = main(["read", str(path)])

    shown = capfd.readouterr()
    assert code == 3
    assert shown.out == (
        f"{path}: The workbook is incomplete or damaged. Save or send it again. (damaged_file)\n"
    )
    assert shown.err == ""


@pytest.mark.parametrize("command", ["read", "match", "transform"])
@pytest.mark.parametrize(
    ("limit", "value", "code"),
    [("SECONDS", "0", "invalid_setting"), ("MEMORY_BYTES", "1000000", "too_large")],
)
def test_every_command_keeps_the_limits(tmp_path, capsys, monkeypatch, command, limit, value, code):
    monkeypatch.setenv(f"IMPORT_LIMIT_{limit}", value)
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "c.json").write_text(CATALOG)
    catalog = [] if command == "read" else ["--catalog", str(tmp_path / "c.json")]

    status = main([command, str(tmp_path / "a.csv"), *catalog, "--json"])

    assert status == 3
    assert json.loads(capsys.readouterr().out)["problem"]["code"] == code


def test_a_reader_that_breaks_is_a_problem_with_a_next_step(tmp_path, capsys, monkeypatch):
    def broken(*arguments, **others):
        raise JobFailed("the job ended with status 1: Traceback ...", sign="status 1")

    monkeypatch.setattr(runner, "run_job", broken)
    (tmp_path / "a.csv").write_text("id\n1\n")

    code = main(["read", str(tmp_path / "a.csv")])

    assert code == 3
    assert "Save it again as XLSX or CSV, and retry. (parser_crashed)" in (capsys.readouterr().out)


def test_the_parent_of_a_command_loads_no_reader(tmp_path):
    (tmp_path / "a.csv").write_text("id\n1\n")
    code = (
        "import sys; from tabular.__main__ import main;"
        f"main(['read', {str(tmp_path / 'a.csv')!r}]);"
        "print([n for n in ('pyarrow', 'pandas', 'python_calamine', 'tabular.reading')"
        " if n in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert done.stdout.endswith("\n[]\n"), done.stderr


@pytest.mark.parametrize(
    ("option", "text", "code"),
    [
        ("--mapping", "{", "invalid_json"),
        ("--answers", "[]", "invalid_json"),
        ("--answers", '{"date_order": {"a.b": "ydm"}}', "invalid_answers"),
        ("--recipe", '{"steps": 5}', "invalid_recipe"),
    ],
)
def test_a_wrong_file_of_ones_own_is_a_problem_that_names_it(tmp_path, capsys, option, text, code):
    (tmp_path / "a.csv").write_text("id\n1\n")
    (tmp_path / "c.json").write_text(CATALOG)
    (tmp_path / "given.json").write_text(text)

    status = main(
        [
            *("transform", str(tmp_path / "a.csv"), "--catalog", str(tmp_path / "c.json")),
            *(option, str(tmp_path / "given.json")),
        ]
    )

    shown = capsys.readouterr().out
    assert status == 3
    assert "given.json" in shown
    assert f"({code})" in shown
