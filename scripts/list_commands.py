"""
Write ``docs/commands.md``: every command of ``manage.py`` with its options, and of ``make``.

    python scripts/list_commands.py         write it
    python scripts/list_commands.py check   say whether it follows the source
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import django
from django.core.management import BaseCommand, get_commands, load_command_class

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from development import environment  # noqa: E402 (the path is set above)

PAGE = ROOT / "docs" / "commands.md"
HEAD = """# Commands

Run the commands of the engine with `python manage.py`, in the environment of
[production](production.md). On a machine that `make run` set up, write
`.venv/bin/python scripts/development.py` instead of `python manage.py`; it adds the keys of
development. Each command explains itself with `--help`, and exits with 1 when it fails.

Of Django's own commands you need `migrate`, `createsuperuser`, `check --deploy` and `shell`.

<!-- Written by scripts/list_commands.py. -->
"""
MAKE = """## make

These commands run in a copy of the repository, and set up what they need.

| Command | What it does |
|---|---|
"""
TARGET = re.compile(r"^([a-z-]+):.*?## (.*)$", re.MULTILINE)


class UndocumentedCommand(ValueError):
    """A command or an option does not say what it does."""


def page() -> str:
    """Return the whole page. Raise UndocumentedCommand."""
    lines = [line for name in commands() for line in section(name)]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = [f"| `make {name}` | {cell(text)} |" for name, text in TARGET.findall(makefile)]
    return f"{HEAD}\n" + "\n".join(lines) + f"\n{MAKE}" + "\n".join(targets) + "\n"


def commands() -> list[str]:
    """Return the names of the engine's own commands."""
    return sorted(name for name, app in get_commands().items() if (ROOT / app).is_dir())


def section(name: str) -> Iterator[str]:
    """Yield the lines about a command, its verbs and its options."""
    command = load_command_class(get_commands()[name], name)
    parser = command.create_parser("manage.py", name)
    common = {option.dest for option in BaseCommand().create_parser("manage.py", name)._actions}
    if not command.help:
        raise UndocumentedCommand(f"{name} has no help")
    yield from (f"## {name}", "", command.help, "")
    verbs = [item for item in parser._actions if isinstance(item, argparse._SubParsersAction)]
    options = [item for item in parser._actions if item.dest not in common and item not in verbs]
    yield from usage(f"python manage.py {name}", options, bool(verbs))
    for verb in verbs:
        helps = {choice.dest: choice.help for choice in verb._choices_actions}
        for choice, inner in verb.choices.items():
            own = [item for item in inner._actions if item.dest not in common]
            yield from (f"### {name} {choice}", "", helps.get(choice) or "", "")
            yield from usage(f"python manage.py {name} {choice}", own, False)


def usage(call: str, options: list[argparse.Action], has_verbs: bool) -> Iterator[str]:
    """Yield how a command is called, and a table of its options."""
    if has_verbs and not options:
        return
    needed = [named(item) for item in options if item.required]
    yield from ("```text", " ".join([call, *needed]), "```", "")
    if options:
        yield from ("| Option | Meaning |", "|---|---|")
        for item in options:
            if not item.help:
                raise UndocumentedCommand(f"{call}: {named(item)} has no help")
            need = " Required." if item.required and item.option_strings else ""
            yield f"| `{cell(named(item))}` | {cell(item.help)}{need} |"
        yield ""


def named(item: argparse.Action) -> str:
    """Return an option with its value, as a person types it."""
    value = item.metavar if isinstance(item.metavar, str) else item.dest.upper()
    if item.choices is not None:
        value = "|".join(map(str, item.choices))
    if not item.option_strings:
        return value
    return item.option_strings[-1] + ("" if item.nargs == 0 else f" {value}")


def cell(text: str) -> str:
    """Return a text that fits into a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    os.environ.update(environment(os.environ))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    sys.path.insert(0, str(ROOT))
    django.setup()
    text = page()
    if arguments != ["check"]:
        PAGE.write_text(text, "utf-8")
    elif PAGE.read_text("utf-8") != text:
        print("docs/commands.md does not follow the source: run scripts/list_commands.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
