"""Index questions about options, for the texts that no option takes."""

from django.db import migrations, models

from common.indexes import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ('ledger', '0003_answers_of_a_kind'),
    ]

    operations = [
        AddIndexConcurrently(
            model_name='question',
            index=models.Index(fields=['tenant', '-id'], name='questions_about_options', condition=models.Q(('kind', 'category_value'))),
        ),
    ]
