"""
Refuse a migration that the programs of the previous release could not work with.

    python scripts/check_migrations.py            check those since the last release
    python scripts/check_migrations.py release    note the present ones as released

While machines are upgraded one after the other, programs of the previous release still write to the
migrated database. So a release may add tables and columns that the database fills by itself, and
removes nothing that the release before used. What the code stopped using is announced in
``released_migrations.txt`` (``unused imports.importrecord.note``); the release after may remove it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import django
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.loader import MigrationLoader

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "scripts" / "released_migrations.txt"
sys.path.insert(0, str(ROOT / "scripts"))

from development import environment  # noqa: E402 (the path is set above)

AnyField: TypeAlias = "models.Field[Any, Any]"

HEAD = "# Migrations of the last release, and what its code no longer uses.\n"
UNUSED = "unused "
HARMLESS = (
    operations.CreateModel,
    operations.RemoveIndex,
    operations.AddIndex,
    operations.RemoveConstraint,
    operations.AlterModelOptions,
    operations.AlterModelManagers,
    operations.AlterOrderWithRespectTo,
    operations.RunPython,
)


def own_migrations() -> dict[str, Migration]:
    """Return the migrations of the engine's apps, by app and name."""
    loader = MigrationLoader(None)
    return {
        f"{app}.{name}": migration
        for (app, name), migration in sorted(loader.disk_migrations.items())
        if Path(sys.modules[type(migration).__module__].__file__ or "").is_relative_to(ROOT)
        and ".venv" not in (sys.modules[type(migration).__module__].__file__ or "")
    }


def refused(migration: Migration, before: State, unused: set[str]) -> Iterator[str]:
    """Yield what a migration does that the previous release could not work with."""
    for operation in migration.operations:
        if why := _why_not(operation, migration.app_label, before, unused):
            yield f"{migration.app_label}.{migration.name}: {operation.describe()}: {why}"


class State:
    """The tables and fields of the last release, by ``app.model`` and ``app.model.field``."""

    def __init__(self, fields: dict[str, AnyField]) -> None:
        self.fields = fields
        self.models = {path.rpartition(".")[0] for path in fields}

    @classmethod
    def of(cls, released: set[str]) -> State:
        """Return the fields that the released migrations made."""
        loader = MigrationLoader(None)
        nodes = [tuple(name.split(".", 1)) for name in released]
        known = [(app, name) for app, name in nodes if (app, name) in loader.graph.nodes]
        state = loader.project_state(known)
        return cls(
            {
                f"{app}.{model}.{name}": field
                for (app, model), about in state.models.items()
                for name, field in about.fields.items()
            }
        )


def _why_not(
    operation: operations.base.Operation, app: str, before: State, unused: set[str]
) -> str:
    table = getattr(operation, "model_name", None) or getattr(operation, "name", None)
    if table and f"{app}.{table}".lower() not in before.models:
        return ""  # the previous release does not know the table
    match operation:
        case operations.SeparateDatabaseAndState():
            parts = (_why_not(o, app, before, unused) for o in operation.database_operations)
            return next(filter(None, parts), "")
        case operations.AddField(field=field):
            is_filled = field.null or field.many_to_many or field.has_db_default()
            return "" if is_filled else "give the column a db_default, or let it be null"
        case operations.RemoveField(model_name=model, name=name):
            path = f"{app}.{model}.{name}".lower()
            return "" if path in unused else f"announce `{UNUSED}{path}` one release earlier"
        case operations.DeleteModel(name=name):
            path = f"{app}.{name}".lower()
            return "" if path in unused else f"announce `{UNUSED}{path}` one release earlier"
        case operations.AlterField(model_name=model, name=name, field=field):
            return _why_not_altered(before.fields.get(f"{app}.{model}.{name}".lower()), field)
        case _ if isinstance(operation, HARMLESS):
            return ""
        case _:
            return "the previous release does not know the new name or rule"


def _why_not_altered(former: AnyField | None, field: AnyField) -> str:
    """Return why the previous release could no longer write a field; former: None if it is new."""
    if former is None:
        return ""
    if former.null and not field.null and not field.has_db_default():
        return "the previous release may still write null"
    if former.get_internal_type() != field.get_internal_type():
        return "the previous release writes another type"
    if (field.max_length or 0) < (former.max_length or 0):
        return "the previous release may write longer texts"
    return "the previous release may write equal values" if field.unique > former.unique else ""


def main(words: list[str]) -> int:
    """Check, or note what is released; return 1 if a migration is refused."""
    for name, value in environment(os.environ).items():
        os.environ[name] = value
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    django.setup()
    lines = RELEASED.read_text("utf-8").splitlines() if RELEASED.exists() else []
    unused = {line.removeprefix(UNUSED) for line in lines if line.startswith(UNUSED)}
    released = {line for line in lines if line and not line.startswith(("#", UNUSED))}
    present = own_migrations()
    if words == ["release"]:
        RELEASED.write_text(HEAD + "\n".join(sorted(present)) + "\n", "utf-8")
        return 0
    before = State.of(released)
    wrong = [f"{name} is released, and gone" for name in sorted(released - present.keys())]
    for name, migration in present.items():
        if name not in released:
            wrong += refused(migration, before, unused)
    print("\n".join(wrong) or f"migrations: {len(present)}, all of them for the previous release")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
