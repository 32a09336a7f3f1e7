"""The built packages resolve in every kind of project, and weigh what was promised."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.measure_packages import PARTS, Part, weight

pytestmark = pytest.mark.packages
ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "packages" / "node_modules"


@pytest.fixture(scope="session", params=["elements", "server"])
def archive(request: pytest.FixtureRequest, archives: dict[str, Path]) -> Path:
    name: str = request.param
    return archives[name]


def tool(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = ["node", TOOLS / program, *arguments]
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)


def test_publint_has_nothing_to_say(archive: Path) -> None:
    checked = tool("publint/src/cli.js", "run", archive, "--strict")

    assert checked.returncode == 0, checked.stdout
    assert "All good!" in checked.stdout


def test_the_types_are_right_wherever_the_package_is_imported(archive: Path) -> None:
    program = "@arethetypeswrong/cli/dist/index.js"
    checked = tool(program, archive, "--profile", "esm-only", "--no-emoji", "--no-color")

    assert checked.returncode == 0, checked.stdout
    assert "node16 (from ESM): OK (ESM)" in checked.stdout


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_part_weighs_what_was_promised(part: Part, dist: Path) -> None:
    assert 0 < weight(part, dist) <= part.most_bytes


def test_every_element_is_in_the_manifest_of_its_package(archives: dict[str, Path]) -> None:
    listed = subprocess.check_output(
        ["tar", "-xzOf", archives["elements"], "package/custom-elements.json"], text=True
    )

    tags = {
        declared["tagName"]
        for module in json.loads(listed)["modules"]
        for declared in module["declarations"]
        if "tagName" in declared
    }
    assert tags == {"service-import", "service-catalog-editor"}


def test_the_wheel_has_its_types_and_every_call(archives: dict[str, Path]) -> None:
    names = subprocess.check_output(
        [sys.executable, "-m", "zipfile", "-l", archives["wheel"]], text=True
    )

    assert "import_engine/py.typed" in names
    assert "import_engine/generated/api/sessions/sessions_create.py" in names
