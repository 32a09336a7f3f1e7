"""The wire shapes of known entities."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from schemas.moments import MomentField
from schemas.parameters import QueryIn
from schemas.shapes.strict import JsonObject, ListIn, StrictIn

MOST_ITEMS = 10_000


class KnownIn(StrictIn):
    """One entity as it is to be known."""

    ref = serializers.CharField(max_length=200, help_text="Your own name for it, such as its id.")
    values = JsonObject(help_text="Field key to value; they replace all values of the ref.")


class UpsertIn(StrictIn):
    """Entities to be known from now on."""

    items = ListIn(child=KnownIn(), allow_empty=False, max_length=MOST_ITEMS)
    asOf = serializers.DateTimeField(
        source="as_of",
        required=False,
        help_text="When you read the values. 409 `snapshot_outdated` if an import was delivered "
        "and confirmed later.",
    )


class UpsertedOut(serializers.Serializer[Any]):
    """How many entities are new, changed, or as they were."""

    created = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()


class KnownOut(serializers.Serializer[Any]):
    """One known entity."""

    ref = serializers.CharField()
    values = serializers.DictField(child=serializers.JSONField(allow_null=True))
    changedAt = MomentField(source="changed_at")


class KnownNameOut(serializers.Serializer[Any]):
    """A name under which entities are known, for the `reference` of a catalog's field."""

    entity = serializers.CharField()
    count = serializers.IntegerField(help_text="How many are known, in all scopes together.")


class WhoseIn(QueryIn):
    """Whose entities: those of the tenant, or of one customer of the host."""

    scope = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=200, help_text="As of an import."
    )


class KnownFilters(QueryIn):
    """Which entities to list or to delete."""

    scope = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    ref = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        default=None,
        max_length=100,
        help_text="These alone; repeat it for several.",
    )

    @classmethod
    def narrow(cls, rows: "QuerySet[Any]", query: dict[str, Any]) -> "QuerySet[Any]":
        """Leave the refs that were asked for; the scope is chosen before."""
        return rows if query["ref"] is None else rows.filter(ref__in=query["ref"])


class ForgottenOut(serializers.Serializer[Any]):
    """How many entities were deleted."""

    deleted = serializers.IntegerField()


class ResolvedIn(QueryIn):
    """Which texts to list."""

    field = serializers.CharField(required=False, default=None, max_length=400)
    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=500, min_value=1, max_value=10_000)


class ResolvedOut(serializers.Serializer[Any]):
    """One text of a referring field, and the record it means."""

    field = serializers.CharField()
    entity = serializers.CharField()
    text = serializers.CharField()
    outcome = serializers.ChoiceField(
        choices=["known", "in_file", "created", "ignored", "left_out", "missing", "unsure"]
    )
    ref = serializers.CharField(allow_null=True)
    score = serializers.FloatField(allow_null=True)
    rows = serializers.IntegerField()
    elsewhere = serializers.BooleanField(
        help_text="Another scope knows it, and none that the import sees; a page is never told."
    )


class ResolvedPage(serializers.Serializer[Any]):
    """A page of texts, the most frequent of each field first."""

    items = ResolvedOut(many=True)
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)
