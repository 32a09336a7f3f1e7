from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("licensing", "0005_session_rights"),
    ]

    operations = [
        migrations.AddField(
            model_name="pagesession",
            name="region",
            field=models.CharField(blank=True, default="", max_length=2),
            preserve_default=False,
        ),
    ]
