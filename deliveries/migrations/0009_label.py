from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deliveries', '0008_plural'),
    ]

    operations = [
        migrations.AddField(
            model_name='registration',
            name='label',
            field=models.CharField(blank=True, default='', max_length=80),
            preserve_default=False,
        ),
    ]
