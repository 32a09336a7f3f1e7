import common.json_text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feeds', '0003_failing_since_and_position'),
    ]

    operations = [
        migrations.AddField(
            model_name='feed',
            name='profile_id',
            field=models.CharField(blank=True, db_default='', max_length=40),
        ),
        migrations.AddField(
            model_name='feed',
            name='sender',
            field=common.json_text.JsonTextField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='feed',
            name='summary_due_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='takenfile',
            name='sender',
            field=models.CharField(blank=True, db_default='', max_length=254),
        ),
        migrations.AddField(
            model_name='takenfile',
            name='mailed',
            field=models.CharField(blank=True, db_default='', max_length=8),
        ),
        migrations.AddIndex(
            model_name='feed',
            index=models.Index(condition=models.Q(('summary_due_at__isnull', False)), fields=['summary_due_at'], name='feeds_summaries_due'),
        ),
    ]
