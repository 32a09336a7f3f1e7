"""The wire shapes of questions, remembered answers, values and profiles."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.http.language import localized
from ledger.models import Answer, Question
from pipeline.kinds import TEXT_KINDS
from schemas.localized import LocalizedField, SentenceText
from schemas.members import OptionValue, RecipeField
from schemas.moments import MomentField
from schemas.parameters import QueryIn
from schemas.shapes.strict import DictIn, StrictIn
from schemas.shapes.targets.catalogs import ActorOut
from tabular.model.sentences import coded

MOST_TEXTS = 1_000


@extend_schema_field({})
class Anything(serializers.JSONField):
    """Any JSON value, null included."""


class CandidateOut(serializers.Serializer[Any]):
    """One possible answer, how likely it is, and what choosing it would do."""

    value = Anything(allow_null=True)
    label = SentenceText()  # type: ignore[assignment]  # the wire's name for it
    score = serializers.FloatField(allow_null=True)
    effect = LocalizedField(allow_blank=True)
    reason = LocalizedField(
        required=False, help_text="Only where a model of the operator's proposes it."
    )


class ModelStepsOut(serializers.Serializer[Any]):
    """Steps that a model of the operator's proposes for a column; nothing has applied them."""

    column = serializers.CharField()
    field = serializers.CharField()
    steps = serializers.ListField(child=Anything())
    score = serializers.FloatField()
    effect = LocalizedField(help_text="Of sample rows, how many the steps fix and break.")
    reason = LocalizedField()


class RecalledOut(serializers.Serializer[Any]):
    """An answer that was given for an earlier import: when first, and by whom."""

    answerId = serializers.CharField(
        source="answer_id",
        allow_blank=True,
        help_text="The remembered answer; blank where the import took an earlier one's file again.",
    )
    givenAt = MomentField(
        source="at", allow_null=True, help_text="Null where an earlier version did not keep it."
    )
    givenBy = ActorOut(
        source="by",
        allow_null=True,
        help_text="A person, an agent, or `system` for your server. A page whose visitors no host "
        "knows is told the kind alone.",
    )
    confirmedBy = ActorOut(
        source="confirmed_by",
        allow_null=True,
        help_text="Who gave the same answer last, such as a person what an agent had answered.",
    )

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        """Name no person to a page that anyone may see."""
        shown: dict[str, Any] = super().to_representation(instance)
        if self.context.get("names_nobody"):
            for member in ("givenBy", "confirmedBy"):
                shown[member] = shown[member] and {**shown[member], "id": "", "label": ""}
        return shown


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
    evidence = serializers.ListField(child=SentenceText())
    default = Anything(allow_null=True)
    answer = Anything(allow_null=True)
    answeredBy = ActorOut(source="answered_by", allow_null=True)
    answeredAt = MomentField(source="answered_at", allow_null=True)
    learnedFrom = serializers.CharField(
        source="learned_from", allow_blank=True, help_text="The remembered answer that decided."
    )
    recalled = serializers.SerializerMethodField(
        help_text="Of an answer that was given for an earlier import; null for any other."
    )

    @extend_schema_field(RecalledOut(allow_null=True))
    def get_recalled(self, question: Question) -> dict[str, Any] | None:
        """Return when and by whom the answer was first given, if that was for another import."""
        return recalled_shown(question, self.context)

    def to_representation(self, instance: Question) -> dict[str, Any]:
        """Localize evidence and labels for the request; the text of a cell stays."""
        shown = super().to_representation(instance)
        shown["evidence"] = _localized_evidence(instance.kind, shown["evidence"])
        if instance.kind not in TEXT_KINDS:  # there labels are options
            for candidate in shown["candidates"]:
                candidate["label"] = localized(candidate["label"])
        return shown


def recalled_shown(question: Question, context: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show where the answer of a question comes from, where it was given for another import."""
    if question.state != Question.State.ANSWERED:
        return None
    known: dict[str, Any] | None = question.recalled
    if known is None and question.learned_from:  # answered before it was kept when and by whom
        known = {"answer_id": question.learned_from, "by": None, "at": None, "confirmed_by": None}
    if known is None:
        return None
    at = datetime.fromisoformat(known["at"]) if known["at"] else None
    return dict(RecalledOut({**known, "at": at}, context=context).data)


def _localized_evidence(kind: str, evidence: list[str]) -> list[str]:
    """Localize evidence for the request; the text that a question is about stays."""
    of_file = 1 if kind in TEXT_KINDS else 0
    return evidence[:of_file] + [localized(item) for item in evidence[of_file:]]


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
    evidence = serializers.ListField(child=SentenceText())
    value = Anything(allow_null=True)
    answeredBy = ActorOut(source="answered_by")
    answeredAt = MomentField(source="answered_at")

    def to_representation(self, instance: Answer) -> dict[str, Any]:
        """Return the evidence in the language of the request."""
        shown: dict[str, Any] = super().to_representation(instance)
        shown["evidence"] = _localized_evidence(instance.kind, shown["evidence"])
        return shown


class TextOut(serializers.Serializer[Any]):
    """A text that matches no option, and the number of rows that contain it."""

    value = serializers.CharField()
    count = serializers.IntegerField()


class OptionOut(serializers.Serializer[Any]):
    """An option to choose."""

    value = OptionValue()
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
            raise serializers.ValidationError(
                coded("At most {n1} texts at once.", n1=str(MOST_TEXTS))
            )
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
    recipe = RecipeField(allow_null=True)
