from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("import_receiver", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="receiveddelivery",
            name="catalog_key",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
