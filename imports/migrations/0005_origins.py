from django.db import migrations

import common.json_text


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0004_announced_waits'),
    ]

    operations = [
        migrations.AddField(
            model_name='importrecord',
            name='origin',
            field=common.json_text.JsonTextField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='importrecord',
            name='held',
            field=common.json_text.JsonTextField(blank=True, null=True),
        ),
    ]
