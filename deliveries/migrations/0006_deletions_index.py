"""Index deletions that a later import outdates, without holding up who writes them meanwhile."""

from django.db import migrations, models

from common.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('deliveries', '0005_deletions_outdated'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='delivery',
            index=models.Index(fields=['tenant'], name='deletions_to_outdate', condition=models.Q(('action', 'delete'), ('is_outdated', False))),
        ),
    ]
