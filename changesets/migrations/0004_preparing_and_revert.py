import common.json_text
from django.db import migrations, models


def rename(former, now):
    """Return a function that renames a state, so that writing differs from awaiting approval."""

    def change(apps, schema_editor):
        apps.get_model("changesets", "Changeset").objects.filter(state=former).update(state=now)

    return change


LIVE = ("applying", "staged", "applied", "reverting")


class Migration(migrations.Migration):
    dependencies = [
        ("changesets", "0003_live_changesets"),
        ("imports", "0008_list_filters"),
        ("licensing", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint("changeset", "an_import_has_one_live_changeset"),
        migrations.RunPython(rename("staged", "applying"), rename("applying", "staged")),
        migrations.AddField("changeset", "empty_cells", models.CharField(blank=True, default="", max_length=8), preserve_default=False),
        migrations.AddField("changeset", "only", models.CharField(blank=True, default="", max_length=8), preserve_default=False),
        migrations.AddField("changeset", "needs_look", models.BooleanField(default=False)),
        migrations.AddField("changeset", "applied_by", common.json_text.JsonTextField(null=True)),
        migrations.AddField("changeset", "prepared", models.CharField(blank=True, default="", max_length=200), preserve_default=False),
        migrations.AddField("changeset", "acknowledged_at", models.DateTimeField(null=True)),
        migrations.AddField("changeset", "learned_at", models.DateTimeField(null=True)),
        migrations.AddField("changeset", "reverted_by", common.json_text.JsonTextField(null=True)),
        migrations.AddField("changeset", "is_forced", models.BooleanField(default=False)),
        migrations.AddField("changeset", "revert_parts", common.json_text.JsonTextField(default=list)),
        migrations.AddField("changeset", "revert_notes", common.json_text.JsonTextField(default=list)),
    ]
