"""The structure of the project: packages, layers, and what a web process loads."""

import configparser
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUTSIDE_THE_LAYERS = {"tests", "examples", "scripts", "eval", "bench"}
HEAVY = ("pandas", "pyarrow", "openpyxl", "camelot", "python_calamine", "pypdfium2")


def test_every_package_of_the_repository_has_its_layer():
    contract = configparser.ConfigParser()
    contract.read(ROOT / ".importlinter")
    named = contract["importlinter:contract:house"]["layers"].replace("|", " ").split()
    layers = {name for name in named if not name.startswith("(")}
    roots = set(contract["importlinter"]["root_packages"].split())
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - OUTSIDE_THE_LAYERS

    assert packages == layers == roots


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
