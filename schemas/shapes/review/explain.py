"""The wire shape of where a row comes from."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger.models import Question
from schemas.moments import MomentField
from schemas.shapes.review.questions import Anything, RecalledOut, recalled_shown
from schemas.shapes.targets.catalogs import ActorOut


class StepStoryOut(serializers.Serializer[Any]):
    """One step of the recipe that had a hand in a value."""

    step = serializers.IntegerField()
    do = serializers.CharField()
    texts = serializers.DictField(child=serializers.CharField(allow_null=True))


class CellPlaceOut(serializers.Serializer[Any]):
    """The place of the cell that a value comes from; ``cell`` is null outside of workbooks."""

    name = serializers.CharField()
    row = serializers.IntegerField()
    column = serializers.IntegerField(allow_null=True)
    cell = serializers.CharField(allow_null=True)
    box = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="In a PDF the cell's own box on the page, in points from its upper left corner: "
        "left, top, right, bottom.",
    )
    confidence = serializers.IntegerField(
        allow_null=True,
        help_text="Of a cell recognised in a picture how sure the recognition is, from 0 to 100; "
        "null for text that the file itself holds.",
    )
    clip = serializers.CharField(
        allow_null=True,
        default=None,
        help_text="Below this import, what shows the cell as it is on the page: "
        "`tables/{table}/page/{page}?box=`. Null where the file has no pages.",
    )


class FileOut(serializers.Serializer[Any]):
    """The file that the rows come from."""

    filename = serializers.CharField()
    sha256 = serializers.CharField()


class CellAnswerOut(serializers.Serializer[Any]):
    """An answer that a value goes by, and where it was first given."""

    questionId = serializers.CharField(source="public_id")
    kind = serializers.CharField()
    answer = Anything(allow_null=True)
    answeredBy = ActorOut(source="answered_by")
    answeredAt = MomentField(source="answered_at")
    recalled = serializers.SerializerMethodField(
        help_text="Of an answer that was given for an earlier import; null for any other."
    )

    @extend_schema_field(RecalledOut(allow_null=True))
    def get_recalled(self, question: Question) -> dict[str, Any] | None:
        """Return when and by whom it was first given, if that was for another import."""
        return recalled_shown(question, self.context)


class OutcomeOut(serializers.Serializer[Any]):
    """What a cell comes to."""

    value = serializers.JSONField(allow_null=True)
    issues = serializers.ListField(
        child=serializers.CharField(), help_text="The codes of its issues."
    )


class CellSettingOut(serializers.Serializer[Any]):
    """A setting of this customer alone that changed what a cell comes to."""

    setting = serializers.CharField(
        help_text="A JSON pointer into what the import was sent with, such as "
        "`/context/defaults/order.currency` or `/fields/order.number/required`."
    )
    without = OutcomeOut(
        allow_null=True,
        help_text="What the cell would come to without it; null where the setting decides whether "
        "the field exists, is offered, or by which name its column is recognised.",
    )


class CellStoryOut(serializers.Serializer[Any]):
    """Where one value comes from."""

    field = serializers.CharField()
    columnType = serializers.CharField()
    texts = serializers.DictField(child=serializers.CharField(allow_null=True))
    steps = StepStoryOut(many=True)
    read = serializers.CharField(allow_null=True)
    stemsFrom = serializers.ChoiceField(
        choices=["column", "document", "default", "edit", "nothing"]
    )
    value = serializers.JSONField(allow_null=True)
    isChecked = serializers.BooleanField(
        help_text="False where an error in the engine kept the value from being read or shown; "
        "`value` is null then."
    )
    places = CellPlaceOut(many=True)
    answers = CellAnswerOut(
        many=True, help_text="Which column feeds the field, how its texts are read, what they mean."
    )

    settings = CellSettingOut(
        many=True,
        help_text="What in the overlay and the context changed the outcome; empty where the "
        "catalog alone leads to it.",
    )


class RowEditOut(serializers.Serializer[Any]):
    """Who changed a cell, or left the row out (``field`` is null)."""

    field = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    by = serializers.DictField(child=serializers.CharField(allow_blank=True))
    at = serializers.DateTimeField()
    revision = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=["edit", "replace", "fix"])
    about = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        help_text="Of a change in bulk: what was asked for, such as `find` and `replace`.",
    )


class ExplainOut(serializers.Serializer[Any]):
    """The provenance of each cell of one row."""

    cut = serializers.BooleanField(
        required=False,
        help_text="True where long texts are cut, as the answer would be larger than 1 MB.",
    )
    file = FileOut(allow_null=True)
    row = serializers.IntegerField()
    sourceRow = serializers.IntegerField()
    sheet = serializers.CharField(allow_null=True)
    member = serializers.CharField(
        allow_null=True, help_text="The file of an archive that the row comes from."
    )
    page = serializers.IntegerField(allow_null=True)
    box = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="In a PDF the table's box on the page, in points: left, top, right, bottom.",
    )
    overlayDigest = serializers.CharField(
        allow_null=True,
        help_text="The digest of the import's overlay, as `overlay.digest` of the import; null "
        "without one.",
    )
    cells = CellStoryOut(many=True)
    edits = RowEditOut(many=True)
