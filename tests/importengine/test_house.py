"""The structure of the project: packages, layers, and what a web process loads."""

import ast
import configparser
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUTSIDE_THE_LAYERS = {"tests", "examples", "scripts", "eval", "bench"}
MOST_MODULES = 16  # in one package
NOT_COUNTED = {"tests", "migrations"}
HEAVY = ("pandas", "pyarrow", "openpyxl", "camelot", "python_calamine", "pypdfium2")


def test_every_package_of_the_repository_has_its_layer():
    contract = configparser.ConfigParser()
    contract.read(ROOT / ".importlinter")
    named = contract["importlinter:contract:layers"]["layers"].replace("|", " ").split()
    layers = {name for name in named if not name.startswith("(")}
    roots = set(contract["importlinter"]["root_packages"].split())
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - OUTSIDE_THE_LAYERS

    assert packages == layers == roots


# The only modules that move each kind of stateful row.
MOVERS = {
    "catalogs/transitions.py",
    "changesets/lookups/transitions.py",
    "changesets/transitions.py",
    "deliveries/rehearsal/transitions.py",
    "deliveries/transitions.py",
    "imports/bulk_changes/transitions.py",
    "imports/exports/transitions.py",  # workbooks
    "imports/transitions.py",
    "ledger/transitions.py",
    "links/transitions.py",
}


def moves_in(path):
    """Return the lines of a module that change the state of a stored row."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = {keyword.arg for keyword in node.keywords}
            if node.func.attr in {"move_to", "put"} and "at" in named:
                yield node.lineno
            if node.func.attr == "update" and "state" in named:
                yield node.lineno


def test_the_state_of_each_machine_changes_in_one_module():
    packages = [path.parent for path in ROOT.glob("*/apps.py") if path.parent.name != "common"]
    modules = [path for package in packages for path in package.rglob("*.py")]
    modules = [path for path in modules if "migrations" not in path.parts]
    movers = {str(path.relative_to(ROOT)) for path in modules if any(moves_in(path))}

    assert movers == MOVERS


def test_no_package_holds_more_modules_than_a_reader_keeps_in_mind():
    roots = [path.parent for path in ROOT.glob("*/__init__.py")]
    modules = [path for root in roots for path in root.rglob("*.py") if path.stem != "__init__"]
    counted = Counter(str(path.parent.relative_to(ROOT)) for path in modules)
    ours = {name: n for name, n in counted.items() if not set(Path(name).parts) & NOT_COUNTED}

    assert {name: n for name, n in ours.items() if n > MOST_MODULES} == {}


def test_a_web_process_loads_no_reader():
    code = (
        "import django, sys; django.setup(); import importengine.urls, importengine.asgi;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    environment = {
        "DJANGO_SETTINGS_MODULE": "importengine.settings",
        "IMPORT_SECRET_KEY": "x",
        "IMPORT_ENCRYPTION_KEYS": "x",
        "IMPORT_LICENSE_PUBLIC_KEY": "x",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )

    assert done.stdout.strip() == "[]", done.stderr
