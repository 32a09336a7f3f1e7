from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('changesets', '0009_full_syncs_index'),
    ]

    operations = [
        migrations.AddField(
            model_name='deliverypart',
            name='nested',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
