"""Attempts name the URL that they were sent to."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Two columns; earlier attempts have none."""

    dependencies: ClassVar = [("deliveries", "0009_label")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="attempt",
            name="sent_to",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="attempt",
            name="sent_to_key",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
    ]
