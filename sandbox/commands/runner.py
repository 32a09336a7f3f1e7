"""What the commands share: file checks, jobs in limited children, progress."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Protocol

from sandbox import forks, own_fork
from sandbox.folders import remove, temporary_folder
from sandbox.limits import limits_of
from sandbox.recognition import languages_of, require_recognition
from sandbox.run import POLICY, JobFailed, reader_broke, run_job
from tabular.commands.clean_start import is_clean
from tabular.model.table import Progress, silent
from tabular.protocol.jobs import JobRequest, R

EXIT_PROBLEM = 3
MOST_STARTED = 4  # jobs; beyond this, a server that has imported all of it is cheaper


class RunJob(Protocol):
    """Runs a job; returns its result and the folder of its files, valid until the next job."""

    def __call__(self, request: JobRequest[R]) -> tuple[R, Path]:
        """Run the job. Raise TabularProblem if it fails."""


@contextmanager
def run_jobs(jobs: int) -> Iterator[RunJob]:
    """Yield a function that runs ``jobs`` jobs, each in a limited child and in its own folder."""
    was_forking, POLICY.is_forking = POLICY.is_forking, _begin_forking(jobs)
    languages, POLICY.scan_languages = POLICY.scan_languages, languages_of()
    try:
        with temporary_folder() as folder:
            yield _runner(folder)
    finally:
        POLICY.is_forking, POLICY.scan_languages = was_forking, languages


def _begin_forking(jobs: int) -> bool:
    """Return whether a server forks the jobs; for a few, it is a fork of this command."""
    if jobs > MOST_STARTED or not forks.is_possible():
        return True
    if not (is_clean() and own_fork.is_safe()):
        return False
    forks.SERVERS.fork_own()
    return True


def _runner(folder: Path) -> RunJob:
    numbers = count()

    def run(request: JobRequest[R]) -> tuple[R, Path]:
        number = next(numbers)
        remove(folder / str(number - 2))  # the previous job may be this one's input
        made = folder / str(number)
        made.mkdir()
        limited = replace(request, limits=limits_of())
        require_recognition(POLICY.scan_languages)
        try:
            result = run_job(made, limited, progress=progress(), cancelled=lambda: False)
        except JobFailed as failure:
            raise reader_broke() from failure
        finally:
            if sys.stderr.isatty():
                sys.stderr.write("\r\x1b[K")
        return result, made / "out"

    return run


def existing(files: Sequence[Path], parser: argparse.ArgumentParser) -> Sequence[Path]:
    """Return the files. Exit with the usage if one is missing or not readable by this user."""
    for path in files:
        if not path.is_file():
            parser.error(f"there is no file {path}")
        if not os.access(path, os.R_OK):
            parser.error(f"{path} cannot be read: permission denied")
    return files


def progress() -> Progress:
    """Return a callback that shows progress on a terminal, and does nothing for a program."""
    return _print_progress if sys.stderr.isatty() else silent


def _print_progress(stage: str, done: int, total: int | None) -> None:
    of = f" of {total:,}" if total else ""
    sys.stderr.write(f"\r\x1b[K{stage} {done:,}{of}" if done else f"\r\x1b[K{stage}")
