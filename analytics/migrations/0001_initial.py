

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Cursor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=40, unique=True)),
                ('counted', models.PositiveBigIntegerField(default=0)),
                ('complete', models.PositiveBigIntegerField(default=0)),
                ('seen_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('labels', models.CharField(max_length=400)),
                ('count', models.PositiveBigIntegerField(default=0)),
                ('total', models.FloatField(default=0.0)),
                ('buckets', models.JSONField(default=list)),
            ],
            options={
                'verbose_name_plural': 'series',
                'constraints': [models.UniqueConstraint(fields=('name', 'labels'), name='a_series_is_stored_once')],
            },
        ),
    ]
