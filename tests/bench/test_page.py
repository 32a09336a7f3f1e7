"""The page of benchmarks: made-up figures in, Markdown out."""

from pathlib import Path

import pytest

from bench.figures import sections
from bench.figures.figure import RATIO, Figure, Result, Skipped, keep, kept
from bench.figures.sections import Section as EngineSection
from bench.figures.sections import measured
from bench.peers import comparing, contest
from bench.peers.contest import Figures, Racer, race
from bench.peers.page import Page, Section, table_of

PAGE = Figure("page, p95", 14.26, "ms", 12)
RATE = Figure("deliveries", 2_104.6, "a second", 2_000, is_least=True)
AGAINST = Figure("S3 against the folder", 1.2, RATIO, 1.3)
FREE = Figure("the upload itself", 3.0, "s")


def rows_of(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("| ")][1:]


@pytest.fixture
def page() -> Page:
    return Page({"Python": "3.11"}, rounds=3)


def written(page: Page, folder: Path) -> str:
    page.write(folder / "page.md", minutes=12)
    return (folder / "page.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("value", "target", "is_least", "reached"),
    [
        (12.0, 12, False, True),
        (12.01, 12, False, False),
        (2_000, 2_000, True, True),
        (1_999, 2_000, True, False),
        (7, None, True, True),  # without a target there is none to miss
    ],
)
def test_a_target_is_the_most_or_the_least(value, target, is_least, reached):
    assert Figure("any", value, "ms", target, is_least).is_reached is reached


def test_a_table_marks_what_misses_its_target_and_nothing_else():
    rows = rows_of(table_of(Result("Calls", "", (PAGE, RATE, FREE))))

    assert rows == [
        "| page, p95 | at most 12.0 ms | 14.3 ms **missed** |",
        "| deliveries | at least 2,000 a second | 2,105 a second |",
        "| the upload itself |  | 3.00 s |",
    ]


def test_ratios_come_first():
    rows = rows_of(table_of(Result("Calls", "", (PAGE, AGAINST))))

    assert [row.split(" | ")[0] for row in rows] == ["| S3 against the folder", "| page, p95"]


def test_what_was_not_measured_is_named_and_is_not_met(page, tmp_path):
    page.add_result(Result("Calls", "", (RATE, Skipped("on PostgreSQL", "it is not set"))))

    text = written(page, tmp_path)

    assert "| on PostgreSQL | | not measured here: it is not set |" in text
    assert "- **Targets**: 1 of 1 met\n- **Not measured here**: on PostgreSQL\n" in text


def test_the_head_counts_targets_and_names_misses(page, tmp_path):
    page.add_result(Result("Calls", "", (PAGE, RATE, FREE)))

    text = written(page, tmp_path)

    assert "- **Targets**: 1 of 2 met\n- **Missed**: page, p95\n" in text
    assert "12 minutes" in text


def test_a_section_that_failed_keeps_its_figures_and_is_named(page, tmp_path):
    page.add_result(Result("Calls", "", (RATE,), "ended with exit code 1: no | space\nleft"))

    text = written(page, tmp_path)

    assert "| deliveries |" in text
    assert "**Not finished**: ended with exit code 1: no \\| space left\n" in text
    assert "- **Not finished**: Calls\n" in text


def test_other_sizes_than_those_of_the_targets_are_said(tmp_path):
    assert "**Scale**: the sizes are 0.02 of" in written(Page({}, 1, scale=0.02), tmp_path)
    assert "**Scale**" not in written(Page({}, 1), tmp_path)


def figures_of(cpu: float) -> Figures:
    return Figures(process_cpu=[cpu], wall=[cpu], peak_mb=[100], cpu=[], last={})


def test_tools_are_compared_by_ratio_the_fastest_first(page, tmp_path):
    figures = {"**us**": figures_of(2.0), "other": figures_of(1.0)}
    page.add(Section("A file", "", "**us**", figures, {"other": "less"}))

    first, second = rows_of(written(page, tmp_path).splitlines())

    assert first.startswith("| other | 0.50 |")
    assert first.endswith("| less |")
    assert second.startswith("| **us** | 1.00 |")


def test_the_head_names_the_tools_that_are_faster_and_no_others(page, tmp_path):
    figures = {"slow": figures_of(3.0), "**us**": figures_of(2.0), "fast": figures_of(1.0)}
    page.add(Section("A file", "", "**us**", figures, {}))
    page.add(Section("Another", "", "**us**", {"**us**": figures_of(1.0)}, {}))

    head = written(page, tmp_path).partition("\n## ")[0]

    assert "  - A file: fast\n" in head
    assert "slow" not in head
    assert "Another" not in head


def test_one_round_is_not_several(tmp_path):
    assert "1 round;" in written(Page({}, 1), tmp_path)
    assert "3 rounds;" in written(Page({}, 3), tmp_path)


def test_a_table_without_the_engine_is_not_finished(page, tmp_path):
    page.add(Section("A file", "", "**us**", {"other": figures_of(1.0)}, {}))

    assert "- **Not finished**: A file\n" in written(page, tmp_path)


def test_a_comparison_that_fails_is_named_and_the_next_one_is_added(page, tmp_path):
    def fails() -> list[Section]:
        raise OSError("no space left")

    comparing.add(page, "A workbook", fails)
    comparing.add(page, "Calls", lambda: [Result("Calls", "", (RATE,))])

    text = written(page, tmp_path)
    assert "**Not finished**: OSError: no space left" in text
    assert "| deliveries |" in text


def test_figures_are_kept_as_they_are_measured(tmp_path):
    file = tmp_path / "figures"
    for item in (PAGE, Skipped("another", "it is not set")):
        keep(item, file)

    assert list(kept(file)) == [PAGE, Skipped("another", "it is not set")]
    assert list(kept(tmp_path / "none")) == []


def test_a_section_whose_process_fails_says_why(tmp_path):
    unknown = EngineSection("Unknown", "", lambda: iter(()))

    result = measured("no-such-section", unknown, tmp_path)

    assert result.items == ()
    assert result.failure == "ended with exit code 1: KeyError: 'no-such-section'"


def test_a_section_that_takes_too_long_says_so_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(sections, "MOST_S", 0.01)

    result = measured("near", sections.SECTIONS["near"], tmp_path)

    assert result.failure == "took more than 0.01 seconds"


def test_the_memory_of_the_process_that_compares_is_not_that_of_a_tool():
    filling = bytearray(100 << 20)

    figures = race([Racer("small", ["true"], is_ours=False)], rounds=1)

    assert figures["small"].peak_mb[0] < len(filling) >> 21
    assert figures["small"].wall[0] > 0


def test_a_tool_that_is_not_installed_or_fails_is_left_out(capsys):
    racers = [Racer(name, [name], is_ours=False) for name in ("no-such-tool", "false")]

    assert race(racers, rounds=1) == {}
    assert "no-such-tool could not run here" in capsys.readouterr().out


def test_a_tool_that_is_slow_runs_once(tmp_path, monkeypatch):
    monkeypatch.setattr(contest, "SLOW_S", 0)
    log = tmp_path / "log"
    slow = Racer("slow", ["sh", "-c", f"echo run >> {log}"], is_ours=False)

    race([slow], rounds=3)

    assert log.read_text().count("run") == 1
