"""Add the identifier of this database, which a bucket of files names."""

import secrets

from django.db import migrations, models


def _identify(apps, schema_editor):
    apps.get_model("common", "Installation").objects.get_or_create(
        pk=1, defaults={"identifier": secrets.token_hex(16)}
    )


class Migration(migrations.Migration):
    dependencies = [("common", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Installation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("identifier", models.CharField(max_length=32)),
            ],
        ),
        migrations.RunPython(_identify, migrations.RunPython.noop),
    ]
