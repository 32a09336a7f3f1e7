"""Editors edit catalogs and publishers publish them: of people with groups, only theirs may."""

from django.db import migrations

GRANTS = {"catalog": ["editor", "publisher"], "catalogversion": ["publisher"]}


def let_edit(apps, schema_editor):
    """Add the permissions to the groups that still exist."""
    kinds = apps.get_model("contenttypes", "ContentType").objects
    for model, names in GRANTS.items():
        content_type, _ = kinds.get_or_create(app_label="catalogs", model=model)
        may_change, _ = apps.get_model("auth", "Permission").objects.get_or_create(
            content_type=content_type,
            codename=f"change_{model}",
            defaults={"name": f"Can change {apps.get_model('catalogs', model)._meta.verbose_name}"},
        )
        for group in apps.get_model("auth", "Group").objects.filter(name__in=names):
            group.permissions.add(may_change)


class Migration(migrations.Migration):
    dependencies = [("importengine", "0003_groups")]

    operations = [migrations.RunPython(let_edit, migrations.RunPython.noop)]
