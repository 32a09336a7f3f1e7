"""Let groups of the admin see feeds, and operators act on them. docs/admin.md."""

from django.db import migrations


def let_groups_see_feeds(apps, schema_editor):
    """Let a group do with feeds what it may do with webhooks, which also name another server."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    content_type, _ = kinds.get_or_create(app_label="feeds", model="feed")
    for verb in ("view", "change"):
        permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=content_type, codename=f"{verb}_feed", defaults={"name": f"Can {verb} feed"}
        )
        groups = apps.get_model("auth", "Group").objects.filter(
            permissions__content_type__app_label="deliveries",
            permissions__codename=f"{verb}_registration",
        )
        for group in groups:
            group.permissions.add(permission)


class Migration(migrations.Migration):

    dependencies = [
        ('feeds', '0001_initial'),
        ('importengine', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(let_groups_see_feeds, migrations.RunPython.noop),
    ]
