"""The wire shapes of the audit log."""

from typing import Any

from django.db.models import Q, QuerySet
from rest_framework import serializers

from common.events import KINDS
from schemas.localized import LocalizedField
from schemas.moments import MomentField
from schemas.parameters import QueryIn
from schemas.shapes.targets.catalogs import ActorOut


class EventFilters(QueryIn):
    """What the audit log can be narrowed to."""

    kind = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), required=False)
    recordId = serializers.CharField(
        required=False, max_length=40, help_text="What happened in this import."
    )
    actor = serializers.CharField(
        required=False, max_length=400, help_text="The id or the label of the actor."
    )
    since = serializers.DateTimeField(
        required=False,
        help_text="At this moment or later, ISO 8601. Without an offset it is UTC; write the + of "
        "an offset as %2B.",
    )
    before = serializers.DateTimeField(required=False, help_text="Before this moment.")

    @classmethod
    def narrow(cls, rows: "QuerySet[Any]", query: dict[str, Any]) -> "QuerySet[Any]":
        """Leave the lines that were asked for."""
        named = {"kind": "kind__in", "recordId": "record", "since": "at__gte", "before": "at__lt"}
        rows = rows.filter(**{named[name]: query[name] for name in named if name in query})
        who = query.get("actor")
        return rows.filter(Q(actor_id=who) | Q(actor_label=who)) if who else rows


class AuditEventOut(serializers.Serializer[Any]):
    """One line of the audit log."""

    id = serializers.CharField(source="public_id")
    at = MomentField()
    kind = serializers.ChoiceField(choices=KINDS)
    subject = serializers.CharField(help_text="A public id, or the key of a catalog.")
    recordId = serializers.CharField(
        source="record", allow_blank=True, help_text="The import it happened in; blank for none."
    )
    actor = ActorOut()
    rule = LocalizedField(
        allow_blank=True, help_text="What caused it, where no person decided: retention, memory."
    )
    about = serializers.DictField(child=serializers.JSONField(allow_null=True))
