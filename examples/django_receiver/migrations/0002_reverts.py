from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('import_receiver', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='receiveddelivery',
            name='reverts',
            field=models.CharField(blank=True, db_index=True, default='', max_length=64),
            preserve_default=False,
        ),
    ]
