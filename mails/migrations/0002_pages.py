from django.db import migrations

import common.secrets


class Migration(migrations.Migration):

    dependencies = [
        ('mails', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='line',
            name='page',
            field=common.secrets.SealedTextField(blank=True, null=True),
        ),
    ]
