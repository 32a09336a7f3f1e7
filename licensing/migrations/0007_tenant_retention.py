import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('licensing', '0006_correcting_and_logos'),
    ]

    operations = [
        migrations.AddField(
            model_name='tenant',
            name='retention_days',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Delete imports after so many days without an event; never later than IMPORT_RETENTION_DAYS.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='days of retention'),
        ),
    ]
