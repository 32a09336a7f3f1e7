"""Everybody in a group sees the counts of known entities; editors and publishers may delete them."""

from django.db import migrations

GRANTS = {
    "view": ["viewer", "editor", "publisher", "operator"],
    "change": ["editor", "publisher"],
}


def let_see(apps, schema_editor):
    """Add the permissions to the groups that still exist."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    permissions = apps.get_model("auth", "Permission").objects
    for model in ("knownset", "knownentity"):
        content_type, _ = kinds.get_or_create(app_label="references", model=model)
        named = apps.get_model("references", model)._meta.verbose_name
        for verb, names in GRANTS.items():
            may, _ = permissions.get_or_create(
                content_type=content_type,
                codename=f"{verb}_{model}",
                defaults={"name": f"Can {verb} {named}"},
            )
            for group in apps.get_model("auth", "Group").objects.filter(name__in=names):
                group.permissions.add(may)


class Migration(migrations.Migration):
    dependencies = [
        ("importengine", "0005_seen_processes"),
        ("references", "0002_known_entities"),
    ]

    operations = [migrations.RunPython(let_see, migrations.RunPython.noop)]
