"""The wire shapes of offered fixes and of duplicates."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from schemas.parameters import QueryIn
from schemas.shapes.review.rows import IssueGroupOut, RowNumbers
from schemas.shapes.strict import DictIn, JsonObject, ListIn, StrictIn
from staging.duplicates.grouping import BYS, THRESHOLD
from staging.duplicates.resolving import CHOICES, KEEPS
from tabular.model.sentences import coded

MOST_COMPARED = 20  # fields
MOST_MERGED = 500  # fields with a choice of their own
MOST_NAMED = 1_000  # rows that name a group
MOST_SAMPLES = 20  # rows of a group with their values
LEAST_SIMILAR = 0.5  # below, any two texts with a letter in common are similar


class ExampleOut(serializers.Serializer[Any]):
    """One cell as it is and as it would be; both texts are those of the field."""

    row = serializers.IntegerField()
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class OfferOut(serializers.Serializer[Any]):
    """A fix that would help."""

    how = JsonObject(help_text="The members of `rows/fix` that carry it out.")
    mends = serializers.IntegerField(help_text="Rows that would have this issue no longer.")
    examples = ExampleOut(many=True, help_text="The first three.")


class GroupFixesOut(IssueGroupOut):
    """A group of issues and what would help, what mends most first, leaving out last."""

    fixes = OfferOut(many=True)


class IssueFixesOut(serializers.Serializer[Any]):
    """Every group of issues with the fixes that would help."""

    revision = serializers.IntegerField()
    groups = GroupFixesOut(many=True, help_text="The first of them, where all are above 1 MB.")


_FIELD: dict[str, Any] = {"max_length": 400, "trim_whitespace": False}
_BY = "unique: the fields of each such rule, near: similar texts in chosen fields."
_THRESHOLD = "near: how similar texts are at least; 1 for equal apart from case and marks."


class _Paths(serializers.CharField):
    """The paths of fields, separated by commas."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the paths, each once."""
        paths = tuple(dict.fromkeys(filter(None, super().to_internal_value(data).split(","))))
        if len(paths) > MOST_COMPARED:
            raise serializers.ValidationError(
                coded("{member} can have at most {n1} items.", n1=MOST_COMPARED)
            )
        return paths


def _refuse_without_fields(given: dict[str, Any]) -> dict[str, Any]:
    if given["by"] in {"fields", "near"} and not given["fields"]:
        raise serializers.ValidationError({"fields": ["Name the fields to compare."]})
    return given


class DuplicatesIn(QueryIn):
    """By which fields rows are equal or similar, and which page of groups."""

    by = serializers.ChoiceField(choices=BYS, required=False, default="unique", help_text=_BY)
    fields = _Paths(  # type: ignore[assignment]  # the wire's name for it
        required=False,
        default=tuple,  # type: ignore[arg-type]  # what to_internal_value returns
        max_length=8_000,
        help_text="The fields that fields and near compare, separated by commas; with unique, the "
        "only rule.",
    )
    threshold = serializers.FloatField(
        required=False,
        default=THRESHOLD,
        min_value=LEAST_SIMILAR,
        max_value=1,
        help_text=_THRESHOLD,
    )
    samples = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=MOST_SAMPLES,
        help_text="How many rows of each group are shown with their values.",
    )
    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=500)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse to compare no field."""
        return _refuse_without_fields(given)


class DuplicateSampleOut(serializers.Serializer[Any]):
    """A row of a group with its values."""

    row = serializers.IntegerField()
    values = serializers.DictField(child=serializers.JSONField(allow_null=True))


class DuplicateGroupOut(serializers.Serializer[Any]):
    """Rows that are equal or similar in ``fields``."""

    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]  # the wire's name for it
    rows = serializers.ListField(child=serializers.IntegerField(), help_text="The first 500.")
    count = serializers.IntegerField()
    tooLarge = serializers.BooleanField(
        help_text="More than 1,000 similar rows: they stay as they are, unless compared otherwise."
    )
    samples = DuplicateSampleOut(
        many=True, required=False, help_text="The first rows, where `samples` asks for them."
    )
    differs = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="The fields in which the samples differ.",
    )


class DuplicatesOut(serializers.Serializer[Any]):
    """A page of groups of equal rows."""

    revision = serializers.IntegerField()
    groups = serializers.IntegerField(help_text="Of all pages.")
    rows = serializers.IntegerField(help_text="Rows in a group.")
    dismissed = serializers.IntegerField(help_text="Groups that were dismissed and are not shown.")
    items = DuplicateGroupOut(many=True)
    next = serializers.CharField(allow_null=True)


@extend_schema_field({"oneOf": [{"type": "string", "enum": list(CHOICES)}, {"type": "integer"}]})
class _Choice(serializers.Field[Any, Any, Any, Any]):
    """Which value of a group a field takes: that of a kind, or that of a row."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse other words and other numbers."""
        is_row = isinstance(data, int) and not isinstance(data, bool) and 0 <= data < 2**53
        if not is_row and data not in CHOICES:
            raise serializers.ValidationError("Send first, last, longest, newest or a row.")
        return data

    def to_representation(self, value: Any) -> Any:
        """Return it as it is."""
        return value


class _Choices(DictIn):
    """Choices by field, refused for their number before they are read."""

    def run_child_validation(self, data: Any) -> Any:
        """Read the choices."""
        if len(data) > MOST_MERGED:
            raise serializers.ValidationError(
                coded("{member} can have at most {n1} items.", n1=MOST_MERGED)
            )
        return super().run_child_validation(data)


class ResolveIn(StrictIn):
    """Which row of each group stays; the others are left out."""

    revision = serializers.IntegerField(min_value=1)
    by = serializers.ChoiceField(choices=BYS, required=False, default="unique", help_text=_BY)
    fields = ListIn(  # type: ignore[assignment]  # the wire's name for it
        child=serializers.CharField(**_FIELD),
        required=False,
        default=list,
        max_length=MOST_COMPARED,
        help_text="The fields that fields and near compare; with unique, the only rule.",
    )
    threshold = serializers.FloatField(
        required=False,
        default=THRESHOLD,
        min_value=LEAST_SIMILAR,
        max_value=1,
        help_text=_THRESHOLD,
    )
    keep = serializers.ChoiceField(
        choices=KEEPS,
        help_text="merge keeps the first, its empty cells filled from the others in their order; "
        "all keeps every row and shows the groups no more.",
    )
    newestBy = serializers.CharField(
        required=False, **_FIELD, help_text="The date or datetime that newest compares."
    )
    merge = _Choices(
        child=_Choice(),
        required=False,
        default=dict,
        help_text="With merge: which value a field takes, first, last, longest or newest of those "
        "that are filled, or the row with it, if `group` names one group.",
    )
    group = RowNumbers(
        required=False,
        default=list,
        max_length=MOST_NAMED,
        help_text="Rows of the only group that is resolved, one or more; all groups without it.",
    )
    preview = serializers.BooleanField(default=False, help_text="Only count.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse members that need another one, which is missing."""
        given = _refuse_without_fields(super().validate(given))
        choices = given["merge"].values()
        if choices and given["keep"] != "merge":
            raise serializers.ValidationError({"merge": ["Send this only with keep: merge."]})
        if any(isinstance(choice, int) for choice in choices) and not given["group"]:
            raise serializers.ValidationError({"group": ["Name the group that has this row."]})
        if "newest" in {given["keep"], *choices} and "newestBy" not in given:
            raise serializers.ValidationError({"newestBy": ["Name the field with the date."]})
        return given


class ResolvePreviewOut(serializers.Serializer[Any]):
    """What resolving would do: rows excluded, and cells filled."""

    revision = serializers.IntegerField()
    excluded = serializers.IntegerField()
    filled = serializers.IntegerField()
    groups = serializers.IntegerField(help_text="Groups that are resolved, or dismissed with all.")
    tooLarge = serializers.IntegerField(help_text="Groups that stay, because they are too large.")
