"""The comparison of one workbook in several formats: what it finds, and what it needs."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from eval.formats import command
from eval.formats.command import Content, contents, differences
from eval.formats.workbooks import KINDS, write

TABLE = Content(("id", "name"), (("1", "bolt"), ("2", "nut")), (("Total", None),))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"columns": ("id", "Name")}, "table 0, names: ('id', 'Name') instead of ('id', 'name')"),
        ({"rows": TABLE.rows[:1]}, "table 0, row: None instead of ('2', 'nut')"),
        ({"left_out": ()}, "table 0, left out: None instead of ('Total', None)"),
    ],
)
def test_each_difference_is_named(change: dict, line: str) -> None:
    assert differences([TABLE], [TABLE]) == []
    assert differences([TABLE], [replace(TABLE, **change)]) == [line]
    assert differences([TABLE], [TABLE, TABLE]) == ["2 tables instead of 1"]


def test_the_workbooks_that_are_converted_have_tables(tmp_path: Path) -> None:
    paths = write(tmp_path)

    tables = {path.stem: contents(path) for path in paths}

    assert len(tables) == len(KINDS)
    assert [name for name, several in tables.items() if len(several) != 1] == []
    names = tables["years_over_quarters"][0].columns
    assert names == ("Region", "2025 Q1", "2025 Q2", "2026 Q1", "2026 Q2", "2026 Q3")


def test_a_format_that_reads_otherwise_fails_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def convert(paths: list[Path], folder: Path, suffix: str) -> None:
        for path in paths:
            other = "plain" if suffix == "ods" else path.stem
            shutil.copy(path.with_stem(other), folder / f"{path.stem}.{suffix}")

    monkeypatch.setattr(command, "convert", convert)
    for path in write(tmp_path):
        if path.stem not in {"plain", "groups"}:
            path.unlink()

    assert command.main([str(tmp_path)]) == 1

    printed = capsys.readouterr().out
    assert "groups.ods: table 0, names:" in printed
    assert printed.endswith("3 of 4 conversions of 2 workbooks read the same\n")


def test_a_missing_program_is_not_a_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)

    assert command.main([]) == 1
    assert "NOT MEASURED: soffice is not installed" in capsys.readouterr().out
