"""Record since when a receiver refuses what it is sent."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deliveries', '0006_deletions_index'),
    ]

    operations = [
        migrations.AddField(
            model_name='registration',
            name='refusing_since',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
