"""The engine as a wheel: it installs into an empty environment, and a file goes through it."""

import os
import shutil
import site
import subprocess
import sys
import venv
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
import requests

from scripts import build_server, list_components
from scripts.development import environment
from tests.web.walks.engine import free_port, until

pytestmark = pytest.mark.packages
FILE = Path(__file__).parents[2] / "examples" / "orders-cp1252.csv"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_server.build(tmp_path_factory.mktemp("dist"))


class Installed:
    """The wheel in an environment of its own, whose dependencies are those of this run."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv")
        self.program = folder / "venv" / "bin" / "import-engine"
        python = folder / "venv" / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", "--no-deps", wheel], check=True)
        packages = next((folder / "venv" / "lib").glob("python3*/site-packages"))
        (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()), "utf-8")
        self.environment = {
            name: text for name, text in os.environ.items() if not name.startswith("IMPORT_")
        }

    def run(self, *arguments: str) -> str:
        """Run a command of the engine to its end."""
        command = [str(self.program), *arguments]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def serves(self, port: int) -> bool:
        """Return whether the engine becomes ready, elements included, and ends on SIGTERM."""
        command = [str(self.program), "serve", "--port", str(port)]
        with subprocess.Popen(command, cwd=self.folder, env=self.environment) as process:
            try:
                until(lambda: is_ready(port), "the installed engine is ready")
            finally:
                process.terminate()
        return process.returncode == 0


def is_ready(port: int) -> bool:
    with suppress(requests.RequestException):
        return requests.get(f"http://127.0.0.1:{port}/readyz", timeout=5).ok
    return False


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(wheel, tmp_path_factory.mktemp("installed"))


def test_the_wheel_has_what_runs_and_nothing_that_builds_or_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name.split("/")[2] for name in names if name.startswith(f"{build_server.INSIDE}/")}

    assert {"manage.py", "static", "templates", "tabular", "importengine"} <= inside
    assert not inside & {"tests", "frontend", "scripts", "deploy", "bench", "eval", "var"}
    assert f"{build_server.INSIDE}/{build_server.NEEDED}" in names


def test_the_same_files_make_the_same_wheel_and_the_same_bill(wheel: Path, tmp_path: Path) -> None:
    assert build_server.build(tmp_path).read_bytes() == wheel.read_bytes()
    assert list_components.bill() == list_components.bill()


def test_without_built_elements_no_wheel_is_built(tmp_path: Path) -> None:
    with pytest.raises(build_server.NotBuilt, match="make elements"):
        build_server.build(tmp_path / "dist", root=tmp_path)


def test_a_file_goes_through_the_installed_engine_to_a_verified_delivery(
    installed: Installed,
) -> None:
    file = shutil.copy(FILE, installed.folder)
    installed.environment |= environment(
        {**installed.environment, "IMPORT_DATA_DIR": str(installed.folder / "data")}
    )
    installed.run("compile")
    installed.run("license", "keygen")
    installed.environment |= environment(installed.environment)
    installed.run("migrate", "--verbosity", "0")
    port = free_port()
    installed.run("setup", "--port", str(port))
    installed.environment |= environment(installed.environment)

    printed = installed.run("demo", str(file), "--catalog", "orders")

    assert "Received   15 rows, signature verified" in printed
    assert "0.1.0" in installed.run("version")
    assert installed.serves(port)


def test_the_bill_lists_what_is_installed_and_what_the_elements_contain() -> None:
    bill = list_components.bill()

    for url in ("pkg:pypi/django@", "pkg:pypi/pyarrow@", "pkg:npm/lit@"):
        assert url in bill.lower()
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill) is None
