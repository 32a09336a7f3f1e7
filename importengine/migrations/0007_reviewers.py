"""Editors and publishers work on imports; others of the staff see no rows and no files."""

from django.db import migrations

GROUPS = ("editor", "publisher")


def let_review(apps, schema_editor):
    """Add the permissions to the groups that still exist."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    content_type, _ = kinds.get_or_create(app_label="imports", model="importrecord")
    may_review, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=content_type,
        codename="review_importrecord",
        defaults={"name": "Can see and change the rows and files of import records"},
    )
    for group in apps.get_model("auth", "Group").objects.filter(name__in=GROUPS):
        group.permissions.add(may_review)


class Migration(migrations.Migration):
    dependencies = [
        ("importengine", "0006_known_entities"),
        ("imports", "0017_reviewers"),
    ]

    operations = [migrations.RunPython(let_review, migrations.RunPython.noop)]
