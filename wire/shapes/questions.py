"""The wire shapes of questions, remembered answers, values and profiles."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger.models import Question
from wire.moments import MomentField
from wire.parameters import QueryIn
from wire.shapes.catalogs import ActorOut
from wire.shapes.strict import StrictIn

MOST_TEXTS = 1_000


@extend_schema_field({})
class Anything(serializers.JSONField):
    """Any JSON value, null included."""


class CandidateOut(serializers.Serializer[Any]):
    """One possible answer, how likely it is, and what choosing it would do."""

    value = Anything(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]  # the wire's name for it
    score = serializers.FloatField(allow_null=True)
    effect = serializers.CharField(allow_blank=True)


class QuestionOut(serializers.Serializer[Any]):
    """One question of the ledger."""

    id = serializers.CharField(source="public_id")
    kind = serializers.CharField()
    subject = serializers.CharField()
    state = serializers.ChoiceField(choices=Question.State.choices)
    blocking = serializers.BooleanField()
    field = serializers.CharField(allow_blank=True)
    columns = serializers.ListField(child=serializers.CharField())
    candidates = CandidateOut(many=True)
    evidence = serializers.ListField(child=serializers.CharField())
    default = Anything(allow_null=True)
    answer = Anything(allow_null=True)
    answeredBy = ActorOut(source="answered_by", allow_null=True)
    answeredAt = MomentField(source="answered_at", allow_null=True)
    learnedFrom = serializers.CharField(
        source="learned_from", allow_blank=True, help_text="The remembered answer that decided."
    )


class DismissedOut(serializers.Serializer[Any]):
    """The questions that a call dismissed."""

    items = QuestionOut(many=True)


class QuestionFilters(QueryIn):
    """Which questions to list."""

    state = serializers.ChoiceField(choices=Question.State.choices, required=False)


class AnswerIn(StrictIn):
    """An answer, and whether later imports may reuse it."""

    value = Anything(allow_null=True)
    remember = serializers.BooleanField(required=False, default=True)


class AnswerOut(serializers.Serializer[Any]):
    """A remembered answer."""

    id = serializers.CharField(source="public_id")
    scope = serializers.CharField(allow_blank=True)
    kind = serializers.CharField()
    field = serializers.CharField(allow_blank=True)
    columns = serializers.ListField(child=serializers.CharField())
    evidence = serializers.ListField(child=serializers.CharField())
    value = Anything(allow_null=True)
    answeredBy = ActorOut(source="answered_by")
    answeredAt = MomentField(source="answered_at")


class TextOut(serializers.Serializer[Any]):
    """A text that is none of the options, and in how many rows it stands."""

    value = serializers.CharField()
    count = serializers.IntegerField()


class OptionOut(serializers.Serializer[Any]):
    """An option to choose."""

    value = Anything()
    label = serializers.CharField()  # type: ignore[assignment]  # the wire's name for it


class ValuesOut(serializers.Serializer[Any]):
    """The texts of a field that need an option, most frequent first, and what was settled."""

    field = serializers.CharField()
    unmatched = TextOut(many=True)
    options = OptionOut(many=True)
    settled = serializers.DictField(child=Anything(allow_null=True))


class ValuesIn(StrictIn):
    """What texts mean: text to an option's value, or to null for an empty cell."""

    values = serializers.DictField(child=Anything(allow_null=True), allow_empty=False)
    remember = serializers.BooleanField(required=False, default=True)

    def validate_values(self, values: dict[str, Any]) -> dict[str, Any]:
        """Keep one request bounded."""
        if len(values) > MOST_TEXTS:
            raise serializers.ValidationError(f"At most {MOST_TEXTS} texts at once.")
        return values


class ProfileSummary(serializers.Serializer[Any]):
    """A remembered mapping, without its contents."""

    id = serializers.CharField(source="public_id")
    scope = serializers.CharField(allow_blank=True)
    catalogKey = serializers.CharField(source="catalog_key")
    version = serializers.IntegerField()
    fingerprint = serializers.CharField()
    savedAt = MomentField(source="saved_at")
    savedBy = ActorOut(source="saved_by")


class ProfileOut(ProfileSummary):
    """A remembered mapping."""

    columns = serializers.ListField(child=serializers.CharField())
    headerRow = serializers.IntegerField(source="header_row", allow_null=True)
    mapping = serializers.DictField(child=serializers.CharField())
    recipe = serializers.JSONField(allow_null=True)
