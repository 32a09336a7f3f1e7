"""When the failures of a feed began, and where its next listing begins."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feeds', '0002_groups'),
    ]

    operations = [
        migrations.AddField(
            model_name='feed',
            name='failing_since',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='feed',
            name='position',
            field=models.CharField(blank=True, db_default='', max_length=64),
        ),
        migrations.AddIndex(
            model_name='feed',
            index=models.Index(
                condition=models.Q(('failing_since__isnull', False)),
                fields=['failing_since'],
                name='feeds_failing',
            ),
        ),
    ]
