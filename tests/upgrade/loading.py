"""
Load the installation that the previous release left behind, and migrate it.

    python -m tests.upgrade.loading FOLDER HOST      the unpacked archive; where its host is now

The same rows load into SQLite and PostgreSQL: the database is migrated as far as the release had
it, gets its rows, and is then migrated by this code. Moments move along, as if it ran until now.
"""

import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from common import clock

KEPT = "kept"


def load(folder: Path, host: str) -> None:
    """Fill an empty database, and migrate it to the present."""
    about = json.loads((folder / "about.json").read_text("utf-8"))
    passed = clock.now() - datetime.fromtimestamp(about["at"], tz=UTC)
    applied = MigrationRecorder(connections[KEPT]).applied_migrations()
    targets = list(dict(sorted(applied)).items())  # the last of each app: names begin with numbers
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    apps = executor.loader.project_state(targets).apps
    with transaction.atomic():
        for model in apps.get_models():
            model._base_manager.all().delete()  # what a migration filled in
        for model in apps.get_models():
            rows = list(model._base_manager.using(KEPT))
            for row in rows:
                _bring_here(row, passed, about["host"], host)
            model._base_manager.bulk_create(rows)
        _count_on(apps.get_models())
    call_command("migrate", verbosity=0)


def _bring_here(row: models.Model, passed: timedelta, before: str, host: str) -> None:
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if isinstance(value, datetime):
            setattr(row, field.attname, value + passed)
        elif isinstance(value, str):
            setattr(row, field.attname, value.replace(before, host))


def _count_on(kinds: list[type[models.Model]]) -> None:
    """Have new rows numbered after those that were loaded."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), kinds):
            cursor.execute(statement)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    file = Path(sys.argv[1]) / "kept.sqlite3"
    settings.DATABASES[KEPT] = {"ENGINE": "django.db.backends.sqlite3", "NAME": file}
    django.setup()
    load(Path(sys.argv[1]), sys.argv[2])
