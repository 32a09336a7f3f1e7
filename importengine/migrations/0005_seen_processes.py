from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('importengine', '0004_catalog_editors'),
    ]

    operations = [  # what was seen is of no use after a minute
        migrations.DeleteModel(name='SeenProgram'),
        migrations.CreateModel(
            name='SeenProgram',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, unique=True)),
                ('host', models.CharField(default='', max_length=255)),
                ('queues', models.CharField(max_length=200)),
                ('began_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('clock_ahead_s', models.FloatField(default=0.0)),
            ],
        ),
    ]
