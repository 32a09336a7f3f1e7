"""Every program of the engine stops at its start and names what is missing. Real processes."""

import os
import subprocess
import sys

import pytest

from tests.processes.conftest import ROOT, free_port

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
