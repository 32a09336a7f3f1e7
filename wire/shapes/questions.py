"""The wire shapes of questions, remembered answers, values and profiles."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.language import said
from imports.asking import TEXT_KINDS
from ledger.models import Answer, Question
from wire.moments import MomentField
from wire.parameters import QueryIn
from wire.said import SaidField
from wire.shapes.catalogs import ActorOut
from wire.shapes.strict import DictIn, StrictIn

MOST_TEXTS = 1_000


@extend_schema_field({})
class Anything(serializers.JSONField):
    """Any JSON value, null included."""


class CandidateOut(serializers.Serializer[Any]):
    """One possible answer, how likely it is, and what choosing it would do."""

    value = Anything(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]  # the wire's name for it
    score = serializers.FloatField(allow_null=True)
    effect = SaidField(allow_blank=True)


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

    def to_representation(self, instance: Question) -> dict[str, Any]:
        """Say evidence and labels in the language of the request; a text of a cell stays."""
        shown = super().to_representation(instance)
        shown["evidence"] = _said_evidence(instance.kind, shown["evidence"])
        if instance.kind not in TEXT_KINDS:  # there labels are options
            for candidate in shown["candidates"]:
                candidate["label"] = said(candidate["label"])
        return shown


def _said_evidence(kind: str, evidence: list[str]) -> list[str]:
    """Say evidence in the language of the request; the text that a question is about stays."""
    of_file = 1 if kind in TEXT_KINDS else 0
    return evidence[:of_file] + [said(one) for one in evidence[of_file:]]


class DismissedOut(serializers.Serializer[Any]):
    """The questions that a call dismissed."""

    items = QuestionOut(many=True, help_text="The first of them, where all are above 1 MB.")


class AcceptedOut(serializers.Serializer[Any]):
    """The questions that a call answered as they suggested."""

    items = QuestionOut(many=True, help_text="The first of them, where all are above 1 MB.")


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

    def to_representation(self, instance: Answer) -> dict[str, Any]:
        """Say the evidence in the language of the request."""
        shown: dict[str, Any] = super().to_representation(instance)
        shown["evidence"] = _said_evidence(instance.kind, shown["evidence"])
        return shown


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
    unmatched = TextOut(many=True, help_text="The first of them, where all are above 1 MB.")
    options = OptionOut(many=True)
    settled = serializers.DictField(child=Anything(allow_null=True))


class ValuesIn(StrictIn):
    """What texts mean: text to an option's value, or to null for an empty cell."""

    values = DictIn(child=Anything(allow_null=True), allow_empty=False)
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
