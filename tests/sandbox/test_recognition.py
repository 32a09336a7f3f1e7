"""Tesseract next to a job: found at start, confined, and no danger to the job when it fails."""

import mmap
import os
import sys
from pathlib import Path

import pytest

from sandbox import POLICY, recognition, run_job
from sandbox.commands.runner import run_jobs
from tabular.job import isolation
from tabular.model.problem import Limits, TabularProblem, UnusableRequest
from tabular.model.recognition import Picture, Recognition, RecognitionFailed
from tabular.protocol.files import ShowRequest
from tabular.protocol.requests import ReadRequest
from tests.scans import ROWS, picture, recogniser, saved
from tests.scans import recognition as installed

BLANK = Picture(10, 10, bytes(100), 300)
needs_landlock = pytest.mark.skipif(bool(isolation.missing()), reason="the kernel cannot confine")


@pytest.fixture
def standing_in(tmp_path, monkeypatch):
    """
    Return a function that recognises by a program of our own.

    Python takes the first argument of tesseract's command line, ``stdin``, for its script.
    """

    def standing_in(code, page_seconds=20):
        (tmp_path / "stdin").write_text(code)
        monkeypatch.chdir(tmp_path)
        program = str(Path(sys.executable).resolve())
        return recogniser(Recognition(program, str(tmp_path), ("eng",), "0", page_seconds))

    return standing_in


def test_a_program_that_hangs_is_stopped(standing_in):
    with (
        standing_in("while True: pass", page_seconds=1) as beside,
        pytest.raises(RecognitionFailed, match="longer than 1 s"),
    ):
        beside.words(BLANK)


def test_a_program_that_is_killed_fails_one_page_and_not_the_next(standing_in):
    code = "import os, sys\nif sys.stdin.buffer.read(5) == b'P5 10': os.kill(os.getpid(), 9)\n"
    with standing_in(code + "print('words')") as beside:
        with pytest.raises(RecognitionFailed, match="signal 9"):
            beside.words(BLANK)

        assert beside.words(Picture(20, 5, bytes(100), 300)) == "words\n"


def test_a_program_that_fails_is_told_by_its_status(standing_in):
    with standing_in("raise SystemExit(3)") as beside, pytest.raises(RecognitionFailed, match="3"):
        beside.words(BLANK)


def test_a_missing_program_fails_the_page(tmp_path):
    gone = Recognition(str(tmp_path / "tesseract"), str(tmp_path), ("eng",), "0")
    with recogniser(gone) as beside, pytest.raises(RecognitionFailed, match="not be started"):
        beside.words(BLANK)


@needs_landlock
@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/passwd')",
        f"open({str(Path(__file__).resolve())!r})",
        "open('written', 'w')",
        "import socket; socket.socket()",
        "import os; os.fork()",
        "import os; os.execv('/bin/ls', ['ls'])",
        "import os; os.kill(os.getppid(), 0)",
    ],
)
def test_a_program_that_is_taken_over_reaches_nothing(standing_in, attempt):
    code = f"try:\n  {attempt}\nexcept OSError as error: print('denied')\nelse: print('done')"
    with standing_in(code) as beside:
        assert beside.words(BLANK) == "denied\n"


def test_tesseract_is_not_started_for_a_machine_without_it(monkeypatch, tmp_path):
    monkeypatch.setattr(recognition, "FOLDERS", str(tmp_path))

    assert recognition.what_is_wrong(()) == ""
    assert recognition.what_is_wrong(("eng",)) == "tesseract is not installed"


def test_a_language_that_is_missing_is_named():
    installed()

    assert "lacks the language data of xyz" in recognition.what_is_wrong(("eng", "xyz"))
    assert "no language" in recognition.what_is_wrong(("../eng",))


@pytest.mark.parametrize("forking", [False, True])
def test_a_confined_job_reads_a_picture(tmp_path, monkeypatch, forking):
    installed()
    path = saved(tmp_path / "scan.png", picture())
    folder = tmp_path / "job"
    folder.mkdir()
    monkeypatch.setattr(POLICY, "scan_languages", ("eng",))
    monkeypatch.setattr(POLICY, "is_forking", forking)
    monkeypatch.setattr(POLICY, "is_strict", not isolation.missing())

    done = run_job(
        folder, ShowRequest(input=str(path)), progress=lambda *_: None, cancelled=lambda: False
    )

    assert done.document["tables"][0]["rows"] == ROWS


def test_a_picture_is_refused_unless_languages_are_named(tmp_path, monkeypatch):
    path = saved(tmp_path / "scan.png", picture().resize((620, 877)))
    monkeypatch.delenv(recognition.SETTING, raising=False)

    with run_jobs(1) as run, pytest.raises(TabularProblem) as refusal:
        run(ReadRequest(input=str(path), limits=Limits()))

    assert refusal.value.code == "unsupported_format"


def test_a_command_says_what_is_missing(tmp_path, monkeypatch):
    path = saved(tmp_path / "scan.png", picture().resize((620, 877)))
    monkeypatch.setenv(recognition.SETTING, "xyz")

    with run_jobs(1) as run, pytest.raises(UnusableRequest, match="IMPORT_SCAN_LANGUAGES is set"):
        run(ReadRequest(input=str(path)))


def test_the_process_next_to_it_ends_with_its_job(standing_in):
    with standing_in("print('words')") as beside:
        beside.words(BLANK)

    with pytest.raises(ProcessLookupError):
        os.kill(beside.pid, 0)


def test_memory_that_its_parent_holds_is_not_counted(standing_in):
    most = Limits().memory_bytes

    with mmap.mmap(-1, most + 2**30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as held:
        with standing_in("print('words')") as beside:
            assert beside.words(BLANK) == "words\n"

        assert len(held) > most
