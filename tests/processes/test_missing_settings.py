"""Every program stops at its start and names what is missing or invalid. Real processes."""

import os
import re
import subprocess
import sys

import pytest

from tests.processes.conftest import free_port
from tests.processes.template import ROOT

pytestmark = pytest.mark.processes
CELERY = [sys.executable, "-m", "celery", "-A", "importengine"]
GRANIAN = [sys.executable, "-m", "granian"]
PROGRAMS = {
    "web": [
        sys.executable,
        "-m",
        "granian",
        "--interface",
        "asgi",
        "importengine.asgi:application",
    ],
    "worker": [*CELERY, "worker", "--pool", "threads"],
    "beat": [*CELERY, "beat"],
    "serve": [sys.executable, "manage.py", "serve"],
}
NAMES = ("IMPORT_SECRET_KEY", "IMPORT_ENCRYPTION_KEYS", "IMPORT_LICENSE_PUBLIC_KEY")
LIMIT_S = 300


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("missing", [NAMES, NAMES[:1], NAMES[1:2]])
def test_a_program_without_its_settings_ends_and_names_them(program, missing, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name[:7] != "IMPORT_"}
    environment |= {name: "x" for name in NAMES if name not in missing}
    environment["IMPORT_DATA_DIR"] = str(tmp_path)
    command = list(PROGRAMS[program])
    if program in {"web", "serve"}:
        command += ["--port", str(free_port())]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )

    output = ended.stdout + ended.stderr
    assert ended.returncode != 0
    assert f"Not started: {' and '.join(missing)}" in output, output


@pytest.mark.parametrize("program", [*PROGRAMS, "doctor", "migrate"])
def test_a_program_with_an_invalid_setting_ends_with_one_sentence_that_names_it(program, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name[:7] != "IMPORT_"}
    environment |= dict.fromkeys(NAMES, "x") | {"IMPORT_RETENTION_DAYS": "a week"}
    environment["IMPORT_DATA_DIR"] = str(tmp_path)
    command = list(PROGRAMS.get(program, [sys.executable, "manage.py", program]))
    if program in {"web", "serve"}:
        command += ["--port", str(free_port())]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )

    output = ended.stdout + ended.stderr
    wanted = "Not started: IMPORT_RETENTION_DAYS must be a whole number of at least 1, not 'a week'"
    assert ended.returncode != 0
    assert wanted in output, output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["doctor"], "IMPORT_SECRET_KEY is not set."),
        (["check", "--deploy"], "IMPORT_SECRET_KEY is not set."),
        (["runserver", "--noreload"], "Not started: IMPORT_SECRET_KEY"),
    ],
)
def test_a_command_without_keys_names_them(arguments, sentence, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name[:7] != "IMPORT_"}
    environment["IMPORT_DATA_DIR"] = str(tmp_path)
    ended = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )

    output = ended.stdout + ended.stderr
    assert ended.returncode == 1
    assert sentence in output, output
    assert "Traceback" not in output


def test_serve_names_the_command_that_makes_its_tables(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name[:7] != "IMPORT_"}
    environment["IMPORT_DATA_DIR"] = str(tmp_path)
    development = [sys.executable, "scripts/development.py"]
    options = {"cwd": ROOT, "env": environment, "timeout": LIMIT_S}
    subprocess.run([*development, "version"], **options, check=False, stdout=subprocess.DEVNULL)
    ended = subprocess.run(
        [*development, "serve", "--port", str(free_port())],
        **options,
        capture_output=True,
        text=True,
    )

    assert ended.returncode == 1, ended.stderr
    assert re.fullmatch(
        r"The database lacks \d+ migrations\. Run `manage\.py migrate` first\.\n", ended.stderr
    )


def test_serve_ends_with_what_the_checks_refuse(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name[:7] != "IMPORT_"}
    environment |= dict.fromkeys(NAMES, "x") | {"IMPORT_DATA_DIR": str(tmp_path)}
    command = [*PROGRAMS["serve"], "--port", str(free_port())]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT_S
    )

    assert ended.returncode == 1
    assert "IMPORT_LICENSE_PUBLIC_KEY holds neither" in ended.stderr
