from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('deliveries', '0007_refusing'),
    ]

    operations = [
        migrations.AddField(
            model_name='registration',
            name='nested',
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
