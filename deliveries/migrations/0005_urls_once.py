"""Add the URL key to registrations; of several with one URL, only the oldest gets it."""

from django.db import migrations, models

from deliveries.targets import read_target


def give_keys(apps, schema_editor):
    registrations = apps.get_model("deliveries", "Registration").objects
    taken = set()
    kept = registrations.filter(deleted_at=None).only("tenant_id", "url")
    for registration in kept.order_by("pk").iterator():
        try:
            mine = registration.tenant_id, read_target(registration.url).key
        except ValueError:  # urllib3's LocationParseError: it never was called
            continue
        if mine not in taken:
            taken.add(mine)
            registrations.filter(pk=registration.pk).update(url_key=mine[1])


class Migration(migrations.Migration):

    dependencies = [
        ("deliveries", "0004_shared_bodies"),
    ]

    operations = [
        migrations.AddField(
            model_name="registration",
            name="url_key",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(give_keys, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.UniqueConstraint(
                condition=models.Q(("deleted_at__isnull", True), models.Q(("url_key", ""), _negated=True)),
                fields=("tenant", "url_key"),
                name="registration_url_is_taken_once",
            ),
        ),
    ]
