from django.db import migrations, models


class Migration(migrations.Migration):
    # Apart from the rows it changed before: PostgreSQL refuses both in one transaction.
    dependencies = [("changesets", "0004_preparing_and_revert")]

    operations = [
        migrations.AddConstraint(
            "changeset",
            models.UniqueConstraint(
                fields=["record"],
                condition=models.Q(state__in=("applying", "staged", "applied", "reverting")),
                name="an_import_has_one_live_changeset",
            ),
        ),
        migrations.AddIndex(
            "changeset",
            models.Index(
                fields=["state"],
                name="changesets_to_follow",
                condition=models.Q(learned_at__isnull=True) & ~models.Q(prepared="")
                | models.Q(state="reverting"),
            ),
        ),
    ]
