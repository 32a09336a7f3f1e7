import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('licensing', '0005_test_keys'),
    ]

    operations = [
        migrations.CreateModel(
            name='Logo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('picture', models.TextField()),
                ('tenant', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo_row', to='licensing.tenant')),
            ],
        ),
        migrations.AddField(
            model_name='pagesession',
            name='corrects',
            field=models.CharField(blank=True, db_default='', max_length=40),
        ),
    ]
