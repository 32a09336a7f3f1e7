from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("references", "0001_initial")]

    operations = [
        migrations.AlterModelOptions(
            name="knownentity", options={"verbose_name_plural": "known entities"}
        ),
    ]
