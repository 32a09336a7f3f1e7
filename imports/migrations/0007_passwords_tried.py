from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0006_host_values'),
    ]

    operations = [
        migrations.AddField(
            model_name='importrecord',
            name='passwords_tried',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
