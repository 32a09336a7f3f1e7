import common.json_text
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('imports', '0007_passwords_tried'),
    ]

    operations = [
        migrations.AddField(
            model_name='profile',
            name='custom_fields',
            field=common.json_text.JsonTextField(blank=True, null=True),
        ),
    ]
