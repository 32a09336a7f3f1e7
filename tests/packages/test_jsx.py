"""A strict compiler knows the tags, their attributes and events, in every framework with JSX."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.packages.projects import ROOT, shell_of_a_reader

pytestmark = pytest.mark.packages
TAG = """
export const tag = <service-import catalog-key="orders" api-base-url="https://e.example" />
// @ts-expect-error: a list is not a key
export const wrong = <service-import catalog-key={[1]} />
"""
EVENT = """
export const heard = <service-import
  {NAME}={{event => {{ const rows: number = event.detail.rowCount; void rows }}}} />
// @ts-expect-error: a count is not a text
export const misheard = <service-import {NAME}={{event => {{ event.detail.rowCount.trim() }}}} />
"""
WRAPPER = """
import {ServiceImport} from '@import-engine/elements/react'
export const wrapped = <ServiceImport catalogKey="orders" apiBaseUrl="https://e.example"
  onImportApplied={event => { const rows: number = event.detail.rowCount; void rows }} />
"""


NEWEST = ("@types/react@19.3.0", "preact@11.2.0", "solid-js@1.9.19")


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework with JSX: what its project installs, and a page in it."""

    name: str
    source: str  # of its JSX
    program: str
    installs: tuple[str, ...] = NEWEST

    def __str__(self) -> str:
        return self.name


PROPERTY, PREFIX = EVENT.format(NAME="onimport-applied"), EVENT.format(NAME="on:import-applied")
FRAMEWORKS = (
    Framework("react-18", "react", TAG + WRAPPER, installs=("@types/react@18.3.12",)),
    Framework("react-19", "react", TAG + PROPERTY + WRAPPER),
    Framework("preact", "preact", TAG + PROPERTY),
    Framework("solid", "solid-js", TAG + PREFIX),
)


@pytest.fixture(scope="module")
def project_with(
    archives: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """Return a function that returns a project with the elements and further packages."""

    @cache
    def project_with(*packages: str) -> Path:
        folder = tmp_path_factory.mktemp("jsx")
        (folder / "package.json").write_text('{"type": "module"}', "utf-8")
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline"]
        ignoring = ["--ignore-scripts", "--legacy-peer-deps"]  # types alone: nothing of it runs
        command = [*install, *ignoring, str(archives["elements"]), *packages]
        subprocess.run(command, cwd=folder, env=shell_of_a_reader(), check=True)
        return folder

    return project_with


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=str)
def test_a_strict_project_compiles_with_the_tags_and_refuses_what_they_do_not_take(
    framework: Framework, project_with: Callable[..., Path]
) -> None:
    folder = project_with(*framework.installs)
    types = f"import type {{}} from '@import-engine/elements/jsx/{_types_of(framework)}'\n"
    (folder / "page.tsx").write_text(types + framework.program, "utf-8")
    options = {
        "strict": True, "noEmit": True, "module": "nodenext", "target": "es2022",
        "jsx": "preserve" if framework.source == "solid-js" else "react-jsx",
        "jsxImportSource": framework.source, "lib": ["es2023", "dom"], "types": [],
    }  # fmt: skip
    config = {"compilerOptions": options, "files": ["page.tsx"]}
    (folder / "tsconfig.json").write_text(json.dumps(config), "utf-8")
    compiler = ROOT / "packages" / "node_modules" / "typescript" / "bin" / "tsc"

    compiled = subprocess.run(
        ["node", compiler, "-p", "."],
        cwd=folder, env=shell_of_a_reader(), capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert compiled.returncode == 0, compiled.stdout[:4000]


def _types_of(framework: Framework) -> str:
    return framework.source.removesuffix("-js")
