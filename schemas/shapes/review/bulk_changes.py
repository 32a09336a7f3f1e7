"""The wire shape of changes in bulk that a worker makes."""

from rest_framework import serializers

from imports.bulk_changes.model import BulkChange
from schemas.localized import LocalizedProblem


class BulkChangeOut(serializers.Serializer[BulkChange]):
    """A change of many cells: made by a worker as one revision, all of it or nothing."""

    changeId = serializers.CharField(source="public_id")
    recordId = serializers.CharField(source="record.public_id")
    kind = serializers.ChoiceField(choices=["replace", "fix", "duplicates"])
    state = serializers.ChoiceField(choices=BulkChange.State.choices)
    stage = serializers.CharField(
        allow_blank=True, help_text="Empty until a worker begins; then finding, then changing."
    )
    done = serializers.IntegerField(help_text="Rows that are done in this stage.")
    total = serializers.IntegerField(help_text="Rows in all.")
    revision = serializers.IntegerField(
        allow_null=True, help_text="That it made; undo takes it back. Null until it is done."
    )
    cells = serializers.IntegerField(help_text="How many it changed, once it is done.")
    problem = LocalizedProblem(allow_null=True)
