"""A migration is refused if programs of the previous release could not work after it."""

import pytest
from django.db import models
from django.db.migrations import Migration, operations

from scripts.check_migrations import State, own_migrations, refused

FORMER = {
    "imports.importrecord.note": models.CharField(max_length=40, null=True),
    "imports.importrecord.size": models.BigIntegerField(null=True),
}


def why(operation, *unused: str) -> list[str]:
    migration = Migration("0099_next", "imports")
    migration.operations = [operation]
    return list(refused(migration, State(FORMER), set(unused)))


def altered(name: str, field: models.Field) -> operations.AlterField:
    return operations.AlterField("importrecord", name, field)


@pytest.mark.parametrize(
    "operation",
    [
        operations.RemoveField("ImportRecord", "note"),
        operations.DeleteModel("ImportRecord"),
        operations.RenameField("ImportRecord", "note", "remark"),
        operations.RenameModel("ImportRecord", "Import"),
        operations.AlterModelTable("ImportRecord", "imports"),
        operations.AddField("ImportRecord", "kind", models.CharField(max_length=9, default="")),
        operations.AddConstraint(
            "ImportRecord", models.UniqueConstraint(fields=["note"], name="one")
        ),
        operations.RunSQL("DROP TABLE imports_importrecord"),
        altered("note", models.CharField(max_length=40)),
        altered("note", models.CharField(max_length=20, null=True)),
        altered("note", models.CharField(max_length=40, null=True, unique=True)),
        altered("size", models.CharField(max_length=40, null=True)),
        operations.SeparateDatabaseAndState([operations.RemoveField("ImportRecord", "note")]),
    ],
    ids=lambda operation: operation.describe()[:40],
)
def test_what_the_previous_release_could_not_work_with_is_refused(operation):
    (sentence,) = why(operation)

    assert sentence.startswith("imports.0099_next: ")


@pytest.mark.parametrize(
    "operation",
    [
        operations.CreateModel("Feed", [("id", models.BigAutoField(primary_key=True))]),
        operations.AddField("ImportRecord", "kind", models.CharField(max_length=9, null=True)),
        operations.AddField("ImportRecord", "kind", models.IntegerField(db_default=0)),
        operations.AddIndex("ImportRecord", models.Index(fields=["note"], name="by_note")),
        altered("note", models.CharField(max_length=80, null=True)),
        altered("new", models.CharField(max_length=8)),
        operations.AddField("Feed", "kind", models.CharField(max_length=9)),
        operations.AddConstraint("Feed", models.UniqueConstraint(fields=["kind"], name="one")),
        operations.DeleteModel("Feed"),
    ],
    ids=lambda operation: operation.describe()[:40],
)
def test_what_it_does_not_notice_passes(operation):
    assert why(operation) == []


def test_what_was_announced_one_release_earlier_may_go():
    gone = operations.RemoveField("ImportRecord", "note")

    assert why(gone, "imports.importrecord.note") == []
    assert why(gone, "imports.importrecord.size") != []


def test_every_app_of_the_engine_is_checked():
    apps = {name.partition(".")[0] for name in own_migrations()}

    assert {"imports", "deliveries", "references", "licensing"} <= apps
    assert "auth" not in apps
