from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("imports", "0015_trials")]

    operations = [
        migrations.AddField(
            model_name="importrecord",
            name="failure",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
    ]
