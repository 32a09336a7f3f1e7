"""Let groups of the admin see and delete value lists. docs/admin.md."""

from django.db import migrations


def let_groups_see_lists(apps, schema_editor):
    """Let a group do with value lists what it may do with catalogs."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    content_type, _ = kinds.get_or_create(app_label="references", model="valuelist")
    for verb in ("view", "change"):
        permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=content_type,
            codename=f"{verb}_valuelist",
            defaults={"name": f"Can {verb} value list"},
        )
        groups = apps.get_model("auth", "Group").objects.filter(
            permissions__content_type__app_label="catalogs",
            permissions__codename=f"{verb}_catalog",
        )
        for group in groups:
            group.permissions.add(permission)


class Migration(migrations.Migration):

    dependencies = [
        ('references', '0006_value_lists'),
        ('importengine', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(let_groups_see_lists, migrations.RunPython.noop),
    ]
