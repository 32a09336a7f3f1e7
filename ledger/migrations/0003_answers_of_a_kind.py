"""Index remembered answers by kind, without holding up who writes them meanwhile."""

from django.db import migrations, models

from common.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('ledger', '0002_model_answers'),
        ('licensing', '0005_test_keys'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='answer',
            index=models.Index(fields=['tenant', 'kind', '-id'], name='answers_of_a_kind'),
        ),
    ]
