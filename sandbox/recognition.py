"""Find tesseract on this machine, and say what is missing to recognise text. docs/how-to."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from tabular.model.problem import UnusableRequest
from tabular.model.recognition import Recognition

SETTING = "IMPORT_SCAN_LANGUAGES"
PROGRAM = "tesseract"
FOLDERS = os.pathsep.join(("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"))
LANGUAGE = re.compile(r"[A-Za-z][A-Za-z_]{1,30}")
DATA_FOLDER = re.compile(r'languages in "([^"]+)"')
ASK_S = 20.0


class NoRecognition(Exception):
    """Text recognition is wanted, and the machine lacks something for it; the message says what."""


def recognition_for(languages: Sequence[str]) -> Recognition | None:
    """Return how text is recognised in some languages; None for none. Raise NoRecognition."""
    if not languages:
        return None
    if wrong := [language for language in languages if not LANGUAGE.fullmatch(language)]:
        raise NoRecognition(f"{SETTING} names no language of tesseract: {wrong[0]!r}")
    program = shutil.which(PROGRAM, path=FOLDERS)
    if program is None:
        raise NoRecognition("tesseract is not installed")
    version, folder, there = _installation(program)
    if lacking := [language for language in languages if language not in there]:
        raise NoRecognition(f"tesseract lacks the language data of {', '.join(lacking)}")
    return Recognition(program, folder, tuple(languages), version)


def what_is_wrong(languages: Sequence[str]) -> str:
    """Return what is missing to recognise text; empty if nothing is, or none is wanted."""
    try:
        recognition_for(languages)
    except NoRecognition as missing:
        return str(missing)
    return ""


def languages_of(variables: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the languages that a command's environment names."""
    return tuple(filter(None, map(str.strip, variables.get(SETTING, "").split(","))))


def require_recognition(languages: Sequence[str]) -> None:
    """Raise UnusableRequest if a command names languages that this machine cannot recognise."""
    if wrong := what_is_wrong(languages):
        raise UnusableRequest("invalid_setting", f"{SETTING} is set, but {wrong}.")


@cache
def _installation(program: str) -> tuple[str, str, frozenset[str]]:
    """Return the version, the folder of language data and the languages. Raise NoRecognition."""
    version = re.match(r"tesseract v?(\S+)", _output_of(program, "--version"))
    listed = _output_of(program, "--list-langs")
    folder = DATA_FOLDER.search(listed)
    if version is None or folder is None:
        raise NoRecognition("tesseract does not say its version and its languages")
    there = frozenset(line.strip() for line in listed.splitlines()[1:])
    return version[1], str(Path(folder[1]).resolve()), there


def _output_of(program: str, question: str) -> str:
    try:
        done = subprocess.run(
            [program, question],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=ASK_S,
            env={"LC_ALL": "C.UTF-8"},
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoRecognition(f"tesseract cannot be started ({type(error).__name__})") from error
    return done.stdout.decode("utf-8", "replace")
