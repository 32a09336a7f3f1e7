"""Any folder of files, and mutated ones: what is counted, and what makes the command fail."""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from openpyxl import Workbook

from eval.corpus import command, fuzz, outcomes
from eval.corpus.mutations import ARCHIVE_MUTATIONS, MUTATIONS, mutated
from eval.corpus.outcomes import Outcome, outcome_of
from eval.corpus.texts import share_of_texts

CSV = b"article,quantity\nLX-100,2\nLX-200,3\n"


def workbook() -> bytes:
    book = Workbook()
    book.active.append(["article", "quantity"])
    book.active.append(["LX-100", 2])
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a list, a workbook, and a file that has no table."""
    made = tmp_path / "files" / "below"
    made.mkdir(parents=True)
    (made / "list.csv").write_bytes(CSV)
    (made / "book.xlsx").write_bytes(workbook())
    (made / "empty.csv").write_bytes(b"")
    return made.parent


def test_every_file_is_counted_with_its_refusal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([str(folder), "--refusals"]) == 0

    printed = capsys.readouterr().out
    assert "3 files: 2 read, 1 refused" in printed
    assert "refusals: empty_file 1" in printed
    assert "1.0000 of 3 text cells of 1 workbooks" in printed
    assert "crashes: 0, beyond a limit: 0" in printed


def test_the_words_of_a_header_of_several_rows_are_accounted_for(tmp_path: Path) -> None:
    book = Workbook()
    for row in (["Article", "Phase 1", None], [None, "#", "%"], ["LX-1", 2, 0.5], ["LX-2", 3, 0.7]):
        book.active.append(row)
    book.active.merge_cells("B1:C1")
    book.save(tmp_path / "phases.xlsx")

    assert share_of_texts(tmp_path / "phases.xlsx") == (6, 6)


def test_a_crash_and_a_slow_file_fail_the_command_and_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(_path: Path) -> Outcome:
        return Outcome("crashed", code="JobCrashed", sentence="boom")

    outcomes = [("list.csv", crash(folder)), ("slow.csv", Outcome("read", "csv", seconds=11.0))]

    assert command.print_outcomes(outcomes) == 1
    printed = capsys.readouterr().out
    assert "list.csv: JobCrashed" in printed
    assert "slow.csv: read, 11.0 s" in printed
    assert "crashes: 1, beyond a limit: 1" in printed


def test_a_file_that_ends_its_process_is_a_crash(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_about: object, **_more: object) -> None:
        raise outcomes.JobFailed("the process ended with -11")

    monkeypatch.setattr(outcomes, "run_job", ended)

    outcome = outcome_of(folder / "below" / "list.csv")

    assert (outcome.kind, outcome.sentence) == ("crashed", "the process ended with -11")


def test_a_seed_makes_the_same_mutants_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments: Sequence[str] = [str(folder), "--files", "12", "--seed", "7", "--minutes", "5"]

    fuzz.main(arguments)
    first = capsys.readouterr().out
    fuzz.main(arguments)

    assert first.splitlines()[1:3] == capsys.readouterr().out.splitlines()[1:3]
    assert "12 files: " in first


@pytest.mark.parametrize("name", [*MUTATIONS, *ARCHIVE_MUTATIONS])
def test_every_mutation_takes_any_content(name: str) -> None:
    mutation = {**MUTATIONS, **ARCHIVE_MUTATIONS}[name]
    contents = [b"", b"PK", CSV, workbook(), workbook()[:400], b"PK\5\6" + bytes(18)]

    for content in contents:
        for seed in range(20):
            assert mutation(content, Random(seed)) == mutation(content, Random(seed))


def test_a_part_of_an_archive_is_mutated_below_its_checksum() -> None:
    made = [ARCHIVE_MUTATIONS["changed part"](workbook(), Random(seed)) for seed in range(10)]

    for content in made:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert archive.testzip() is None
    assert len(set(made)) > 1


def test_only_archives_get_mutations_of_archives() -> None:
    names = {mutated(CSV, Random(seed))[0] for seed in range(200)}

    assert names == set(MUTATIONS)
    assert {mutated(workbook(), Random(seed))[0] for seed in range(200)} >= set(ARCHIVE_MUTATIONS)
