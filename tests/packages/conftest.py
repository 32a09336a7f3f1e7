"""The packages as a host's developer gets them: built, then installed into empty projects."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

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
