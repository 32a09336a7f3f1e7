"""Undo leads across transforms: which transform numbered the rows of a revision."""

import common.json_text
from django.db import migrations, models
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce


def name_transforms(apps, schema_editor):
    Revision = apps.get_model("staging", "Revision")
    LostEdit = apps.get_model("staging", "LostEdit")
    made = Revision.objects.filter(subject=OuterRef("subject"), kind="transform")
    newest = made.order_by("-number").values("number")
    before = made.filter(number__lte=OuterRef("number")).order_by("-number").values("number")
    Revision.objects.update(transform=Coalesce(Subquery(before[:1]), 0))
    LostEdit.objects.update(revision=Coalesce(Subquery(newest[:1]), 0))


class Migration(migrations.Migration):

    dependencies = [
        ('staging', '0002_review'),
    ]

    operations = [
        migrations.AddField(
            model_name='lostedit',
            name='revision',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='revision',
            name='about',
            field=common.json_text.JsonTextField(default=dict),
        ),
        migrations.AddField(
            model_name='revision',
            name='transform',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(name_transforms, migrations.RunPython.noop),
    ]
