"""The wire shapes of offered fixes and of duplicates."""

from typing import Any

from rest_framework import serializers

from schemas.parameters import QueryIn
from schemas.shapes.review.rows import IssueGroupOut
from schemas.shapes.strict import JsonObject, StrictIn
from staging.edits.duplicates import BYS, KEEPS


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


class DuplicatesIn(QueryIn):
    """By which fields rows are equal, and which page of groups."""

    by = serializers.ChoiceField(choices=BYS, required=False, default="unique")
    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=50, min_value=1, max_value=500)


class DuplicateGroupOut(serializers.Serializer[Any]):
    """Rows that are equal in ``fields``."""

    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]  # the wire's name for it
    rows = serializers.ListField(child=serializers.IntegerField(), help_text="The first 500.")
    count = serializers.IntegerField()


class DuplicatesOut(serializers.Serializer[Any]):
    """A page of groups of equal rows."""

    revision = serializers.IntegerField()
    groups = serializers.IntegerField(help_text="Of all pages.")
    rows = serializers.IntegerField(help_text="Rows in a group.")
    items = DuplicateGroupOut(many=True)
    next = serializers.CharField(allow_null=True)


class ResolveIn(StrictIn):
    """Which row of each group stays; the others are left out."""

    revision = serializers.IntegerField(min_value=1)
    by = serializers.ChoiceField(choices=BYS, required=False, default="unique")
    keep = serializers.ChoiceField(
        choices=KEEPS,
        help_text="merge keeps the first, its empty cells filled from the others in their order.",
    )
    preview = serializers.BooleanField(default=False, help_text="Only count.")


class ResolvePreviewOut(serializers.Serializer[Any]):
    """What resolving would do: rows excluded, and cells filled."""

    revision = serializers.IntegerField()
    excluded = serializers.IntegerField()
    filled = serializers.IntegerField()
