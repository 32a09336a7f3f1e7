from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('import_receiver', '0002_reverts'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReceivedEntity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entity', models.CharField(max_length=64)),
                ('ref', models.CharField(max_length=64)),
                ('values', models.JSONField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('entity', 'ref'), name='a_ref_names_one_entity')],
            },
        ),
    ]
