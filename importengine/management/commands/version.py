"""``manage.py version``: which engine this is, and whether its parts belong together."""

import json
import platform
import sys
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from typing import Any

import django
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import Error, connection

from common.release import release_in
from importengine.web import elements
from tabular.versions import pins

CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Versions:
    """
    What an operator tells when they report a problem.

    pins: of what decides the outcome of an import, as in a contract. elements: of the widget and
    the editor. migrations: of the database; ``current``, or what is to do.
    """

    engine: str
    pins: dict[str, str]
    elements: str
    python: str
    django: str
    database: str
    migrations: str


class Command(BaseCommand):
    """Print the versions; exit with 1 if elements or database belong to another engine."""

    help = "Print the version of the engine and its parts. Exit code 1 if one is of another engine."
    requires_system_checks = ()  # it tells the version, also where a check would stop it

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the format."""
        parser.add_argument("--json", action="store_true", help="Print JSON for programs.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line a part."""
        printed = versions()
        if options["json"]:
            self.stdout.write(json.dumps(asdict(printed), indent=2))
        else:
            decided = ", ".join(f"{name} {number}" for name, number in printed.pins.items())
            for name, value in {**asdict(printed), "pins": decided}.items():
                self.stdout.write(f"{name.capitalize() + ':':<12}{value}")
        if {printed.elements, printed.migrations} != {CURRENT}:
            sys.exit(1)


def versions() -> Versions:
    """Return the versions of this engine's parts."""
    database, migrations = _database()
    return Versions(
        engine=release_in(settings.BASE_DIR).engine,
        pins=pins(),
        elements=elements.what_is_wrong() or CURRENT,
        python=platform.python_version(),
        django=django.get_version(),
        database=database,
        migrations=migrations,
    )


def _database() -> tuple[str, str]:
    """Return the database and its version, and whether it has this engine's tables."""
    from django.db.migrations.executor import MigrationExecutor

    name = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
    try:
        numbers = connection.get_database_version()
        executor = MigrationExecutor(connection)
    except Error as error:
        return name, f"unknown: the database does not answer ({type(error).__name__})"
    known = executor.loader.graph.nodes.keys()
    newer = executor.loader.applied_migrations.keys() - known
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    state = CURRENT
    if missing:
        state = f"{missing} to apply: run `manage.py migrate`"
    elif newer := {app for app, _ in newer if app in executor.loader.migrated_apps}:
        state = f"of a newer engine ({', '.join(sorted(newer))})"
    return f"{name} {'.'.join(map(str, numbers))}", state
