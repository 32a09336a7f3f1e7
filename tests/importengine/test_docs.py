"""The docs match the code."""

import argparse
import doctest
import re
from dataclasses import fields
from inspect import getsourcefile
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from catalogs.models import CatalogVersion
from changesets.models import Changeset, Lookup
from deliveries.models import Delivery, Rehearsal
from feeds.models import Feed
from imports.models import BulkChange, ImportRecord, Workbook
from ledger.models import Question
from mails.models import Mail
from scripts import api_pages, draw_diagrams, list_commands
from scripts.list_commands import UndocumentedCommand
from tabular.model.problem import ADJUSTABLE, Limits, setting_of

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
DIAGRAMS = DOCS / "diagrams"


@pytest.mark.parametrize(
    "model",
    [
        ImportRecord,
        Question,
        CatalogVersion,
        Changeset,
        Lookup,
        Delivery,
        Rehearsal,
        Workbook,
        BulkChange,
        Feed,
        Mail,
    ],
)
def test_the_table_of_moves_is_the_one_in_the_code(model):
    section = (DOCS / "states.md").read_text("utf-8").split(f"## {model.__name__}\n")[1]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", section.split("\n## ")[0], re.MULTILINE)
    written = {state: set(re.findall(r"`(\w+)`", moves)) for state, moves in rows}

    assert written == {s: set(map(str, model.MOVES.get(s, ()))) for s in model.State.values}


def test_every_setting_is_documented():
    code = (ROOT / "importengine" / "settings.py").read_text("utf-8")
    read = set(re.findall(r"\"(IMPORT_[A-Z_]+)\"", code))
    documented = set(re.findall(r"`(IMPORT_[A-Z_]+)`", (DOCS / "settings.md").read_text("utf-8")))

    assert read <= documented


def test_every_limit_is_documented():
    text = (DOCS / "settings.md").read_text("utf-8")

    missing = {name for name in ADJUSTABLE if f"`{setting_of(name)}`" not in text}
    fixed = {field.name for field in fields(Limits)} - set(ADJUSTABLE)
    assert missing | {name for name in fixed if f"| `{name}` |" not in text} == set()


def test_every_command_of_the_makefile_is_explained():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):(?! export)", makefile, re.MULTILINE))
    explained = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))

    assert targets == explained


def test_every_command_of_the_engine_is_documented():
    page = (DOCS / "commands.md").read_text("utf-8")
    own = {name for name, app in get_commands().items() if (ROOT / app).is_dir()}

    assert own == set(re.findall(r"^## ([a-z-]+)$", page, re.MULTILINE)) - {"make"}
    assert page == list_commands.page(), "run scripts/list_commands.py"


@pytest.mark.parametrize("text", ["", None])
def test_an_option_without_help_is_refused(text):
    option = argparse.ArgumentParser().add_argument("--speed", help=text)

    with pytest.raises(UndocumentedCommand, match="--speed SPEED"):
        list(list_commands.usage("manage.py race", [option], has_verbs=False))


def test_every_diagram_follows_the_code():
    drawn = draw_diagrams.diagrams()

    assert {file.name: file.read_text("utf-8") for file in DIAGRAMS.iterdir()} == drawn
    assert len(drawn) == len(draw_diagrams.MACHINES) + 2


@pytest.mark.parametrize("module", [draw_diagrams, api_pages], ids=lambda module: module.__name__)
def test_the_examples_in_their_docstrings_hold(module):
    outcome = doctest.testmod(module)

    assert (outcome.failed, outcome.attempted > 0) == (0, True)


def test_every_diagram_is_shown_on_a_page():
    shown = "".join(page.read_text("utf-8") for page in DOCS.glob("*.md"))

    assert [file.name for file in DIAGRAMS.iterdir() if f"diagrams/{file.name}" not in shown] == []


def test_production_names_commands_and_settings_that_are_there():
    text = (DOCS / "production.md").read_text("utf-8")
    settings = (DOCS / "settings.md").read_text("utf-8")

    commands = set(re.findall(r"manage\.py ([a-z]+)", text))
    variables = set(re.findall(r"IMPORT_[A-Z_]+[A-Z]", text))

    assert commands - get_commands().keys() == set()
    assert {name for name in variables if f"`{name}`" not in settings} == set()


@pytest.mark.parametrize("file", [ROOT / "README.md", *DOCS.glob("*.md")], ids=lambda p: p.name)
def test_the_options_of_commands_in_the_docs_are_known(file):
    lines = file.read_text("utf-8").replace("\\\n", " ").splitlines()
    for line in lines:
        for words in re.findall(r"manage\.py (\w+(?: [^#`)\n]+)?)", line):
            name, _, rest = words.partition(" ")
            if name not in get_commands():
                continue
            app = get_commands()[name]
            code = load_command_class(app, name).create_parser("manage.py", name).format_help()
            code += Path(getsourcefile(type(load_command_class(app, name)))).read_text("utf-8")
            for option in re.findall(r"(--[a-z-]+)", rest):
                assert option in code, f"{file.name}: {line.strip()}"


def test_every_picture_is_shown_on_a_page():
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    shown = "".join(page.read_text("utf-8") for page in pages if "_site" not in page.parts)

    pictures = [path.name for path in (DOCS / "screens").iterdir()]
    assert [name for name in pictures if f"screens/{name}" not in shown] == []


def test_every_relative_link_of_the_docs_leads_somewhere():
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
