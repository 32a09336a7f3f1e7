"""The structure of the project: packages, layers, and what a web process loads."""

import ast
import configparser
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
OUTSIDE_THE_LAYERS = {"tests", "examples", "scripts", "eval", "bench"}
MOST_MODULES = 16  # in one package
NOT_COUNTED = {"tests", "migrations"}
ROUTES = ("importengine.urls", "api.v1.urls")
SHAPES = ("schemas", "rest_framework.serializers", "drf_spectacular.plumbing", "importengine.admin")
CLIENTS = ("redis", "requests", "urllib3", "josepy", "psutil")
HEAVY = ("pandas", "pyarrow", "openpyxl", "PIL", "python_calamine", "pypdfium2", "pyreadstat")


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
    "feeds/transitions.py",
    "imports/bulk_changes/transitions.py",
    "imports/exports/transitions.py",  # workbooks
    "imports/transitions.py",
    "ledger/transitions.py",
    "links/transitions.py",
    "mails/transitions.py",
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


def loaded_by(start, names):
    """Return those of the modules that a program on the embedded default loads as it starts."""
    code = f"{start}; import sys; print([name for name in {names!r} if name in sys.modules])"
    environment = {
        "DJANGO_SETTINGS_MODULE": "importengine.settings",
        "IMPORT_SECRET_KEY": "x",
        "IMPORT_ENCRYPTION_KEYS": "x",
        "IMPORT_LICENSE_PUBLIC_KEY": "x",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    return done.stdout.strip() or done.stderr


WEB = "import importengine.asgi, importengine.urls"
WORKER = "from importengine.celery import app; app.loader.import_default_modules()"
BEAT = "from importengine.celery import app; app.Beat(quiet=True).init_loader()"
COMMAND = "import django; django.setup()"


def test_a_web_process_loads_no_reader():
    assert loaded_by(WEB, HEAVY) == "[]"


def test_a_web_process_has_its_routes_before_the_first_call():
    assert loaded_by("import importengine.asgi", ROUTES) == str(list(ROUTES))


@pytest.mark.parametrize("start", [WORKER, BEAT, COMMAND])
def test_programs_without_calls_load_no_routes_and_no_shapes(start):
    assert loaded_by(start, (*HEAVY, *ROUTES, *SHAPES)) == "[]"


@pytest.mark.parametrize("start", [BEAT, COMMAND])
def test_beat_and_commands_load_no_work(start):
    assert loaded_by(start, (*CLIENTS, "imports.services", "deliveries.services")) == "[]"


def test_the_garbage_collector_does_not_look_at_what_was_imported():
    start = f"{COMMAND}; import gc; assert gc.get_freeze_count() > 50_000, gc.get_freeze_count()"

    assert loaded_by(f"{start}; assert gc.get_threshold()[0] < 1_000", ("gc",)) == "['gc']"
