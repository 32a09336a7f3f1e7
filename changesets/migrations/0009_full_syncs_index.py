"""Index full syncs, without holding up who writes them meanwhile."""

from django.db import migrations, models

from common.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('changesets', '0008_full_sync'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='changeset',
            index=models.Index(fields=['tenant'], name='full_syncs', condition=models.Q(('mode', 'full'))),
        ),
    ]
