from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("licensing", "0006_session_region"),
    ]

    operations = [
        migrations.AddField(
            model_name="license",
            name="label",
            field=models.CharField(blank=True, default="", max_length=120),
            preserve_default=False,
        ),
    ]
