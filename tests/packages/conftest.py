"""The packages as a host's developer gets them: built, then installed into empty projects."""

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.packages.projects import Installed, shell_of_a_reader
from tests.web.browsing import launched
from tests.web.walks.engine import Engine

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def dist() -> Path:
    """Return the folder of the built packages; PACKAGES names one that was built before."""
    if named := os.environ.get("PACKAGES"):
        return Path(named)
    subprocess.run([sys.executable, "scripts/build_packages.py"], cwd=ROOT, check=True)
    return ROOT / "dist"


@pytest.fixture(scope="session")
def archives(dist: Path) -> dict[str, Path]:
    """Return the files of the packages by what they are."""
    patterns = {
        "wheel": "import_engine-*.whl",
        "elements": "import-engine-elements-*.tgz",
        "server": "import-engine-server-*.tgz",
    }
    return {name: next(iter(dist.glob(pattern))) for name, pattern in patterns.items()}


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory, archives: dict[str, Path]) -> Installed:
    """Return a project that installed the client for Python."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder / ".venv")  # the pip of this run installs: a second one takes seconds
    program = folder / ".venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", program, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", archives["wheel"]], check=True)
    return Installed(folder, program, ending="py")


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory, archives: dict[str, Path]) -> Installed:
    """Return a project that installed the client for Node."""
    folder = tmp_path_factory.mktemp("node")
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", archives["server"]]
    subprocess.run(install, cwd=folder, env=shell_of_a_reader(), check=True)
    return Installed(folder, "node", ending="mjs")


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield a running engine of this run."""
    served = Engine(tmp_path_factory.mktemp("engine"))
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield the running browser."""
    with sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()
