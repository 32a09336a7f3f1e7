"""Registrations and deliveries on the wire."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogs.documents import KEY_PATTERN
from deliveries.answer import is_refused
from deliveries.models import LABEL_LENGTH, Delivery
from deliveries.services.notices import NOTICES
from deliveries.services.registrations import (
    ACTIONS,
    DELIVERED,
    INCLUDED,
    LOOKUP,
    MAX_OVERLAP_HOURS,
    NOTIFY,
)
from schemas.localized import LocalizedField
from schemas.modes import ModeField
from schemas.parameters import CreatedFilters
from schemas.shapes.strict import ListIn, StrictIn, TrueOrFalse

MAX_TEST_BYTES = 1024**3
MOST_CATALOGS = 100
NOT_FOR_PAGES = "Blank where a page asks."


LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,30}[A-Za-z0-9_])?"
HOST = rf"(({LABEL}\.){{0,5}}[A-Za-z]{{2,20}}|127\.0\.0\.1)"


@extend_schema_field(
    {
        "type": "string",
        "maxLength": 2_000,
        "pattern": rf"^(https://{HOST}|http://127\.0\.0\.1)(:[1-9][0-9]{{0,3}})?([/?][!-\"$-~]{{0,500}})?$",
        "description": "An https:// address. Plain http and private addresses only where the "
        "engine's operator allows their network. Other ports, paths and queries are fine.",
    }
)
class HostAddress(serializers.CharField):
    """An address the engine is to call; what it would never call, the service says."""


class RegistrationIn(StrictIn):
    """What a host sends to register an endpoint."""

    url = HostAddress(max_length=2_000)
    actions = ListIn(
        child=serializers.ChoiceField(choices=ACTIONS),
        default=["submit"],
        help_text="May be empty where `events` names one. `lookup` is registered alone, without "
        "`events`, `include`, `nested` and `maxRowsPerDelivery`, and once for each catalog.",
    )
    include = ListIn(
        child=serializers.ChoiceField(choices=INCLUDED),
        required=False,
        help_text="changes: deliveries say of every entity with a key what its rows change.",
    )
    catalogKeys = ListIn(
        source="catalog_keys",
        child=serializers.RegexField(f"^{KEY_PATTERN}$"),
        min_length=1,
        max_length=MOST_CATALOGS,
        required=False,
        allow_null=True,
        help_text="Only imports into these catalogs are delivered; absent: into any.",
    )
    events = ListIn(
        source="events_wanted",
        child=serializers.ChoiceField(choices=NOTICES),
        required=False,
        help_text="The notices that are sent here, too: what happened, without rows or values.",
    )
    maxRowsPerDelivery = serializers.IntegerField(
        source="max_rows_per_delivery",
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        allow_null=True,
    )
    nested = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Deliveries hold parents with lists of children, if the catalog nests entries.",
    )
    label = serializers.CharField(  # type: ignore[assignment]  # DRF knows a label of its own
        max_length=LABEL_LENGTH,
        required=False,
        allow_blank=True,
        help_text="What people are told this receiver is, say `Webshop`; pages see it, too.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse an endpoint that would get nothing."""
        if not given["actions"] and not given.get("events_wanted"):
            try:
                self.fields["actions"].fail("min_length", min_length=1)
            except serializers.ValidationError as error:
                raise serializers.ValidationError({"actions": error.detail}) from error
        return given

    schema: ClassVar = {
        "anyOf": [
            {"required": ["events"], "properties": {"events": {"minItems": 1}}},
            {"properties": {"actions": {"minItems": 1}}},
        ],
        "oneOf": [
            {"properties": {"actions": {"items": {"enum": list(DELIVERED)}}}},
            {
                "required": ["actions"],
                "properties": {
                    "actions": {"items": {"enum": [LOOKUP]}, "minItems": 1},
                    "events": {"maxItems": 0},
                    "include": {"maxItems": 0},
                    "maxRowsPerDelivery": {"type": "null"},
                    "nested": {"const": False},
                },
            },
        ],
    }


class RegistrationOut(serializers.Serializer[Any]):
    """A registration; its secret is never part of it."""

    id = serializers.CharField(source="public_id")
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # as above
    mode = ModeField()
    url = serializers.CharField()
    actions = serializers.ListField(child=serializers.CharField())
    events = serializers.ListField(
        child=serializers.CharField(), help_text="The notices that are sent here."
    )
    include = serializers.ListField(child=serializers.CharField())
    catalogKeys = serializers.ListField(
        source="catalog_keys",
        child=serializers.CharField(),
        allow_null=True,
        help_text="Null: imports into any catalog.",
    )
    maxRowsPerDelivery = serializers.IntegerField(source="max_rows_per_delivery", allow_null=True)
    nested = serializers.BooleanField()
    isFailing = serializers.BooleanField(source="is_failing")
    failingSince = serializers.DateTimeField(source="failing_since", allow_null=True)
    consecutiveFailures = serializers.IntegerField(source="consecutive_failures")
    previousSecretUntil = serializers.DateTimeField(source="previous_until", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")


class RegistrationWithSecret(RegistrationOut):
    """A registration and its signing secret, which is shown this once."""

    signingSecret = serializers.CharField(
        required=False, help_text="Absent when an Idempotency-Key replays the call."
    )


class RotateIn(StrictIn):
    """How long the secret before keeps signing too."""

    overlapHours = serializers.IntegerField(
        source="overlap_hours", min_value=1, max_value=MAX_OVERLAP_HOURS, required=False
    )


class TestIn(StrictIn):
    """How large a test delivery is to be."""

    size = serializers.IntegerField(
        min_value=0, max_value=MAX_TEST_BYTES, default=0, help_text="Bytes of the body, at least."
    )


class RedeliverIn(StrictIn):
    """Whether reverted rows are sent again."""

    reverted = serializers.ChoiceField(
        ["send"],
        required=False,
        help_text="`send`: send the rows again although their changeset was reverted. Without it, "
        "such a call is 409 `changeset_reverted`.",
    )


class ResendIn(RedeliverIn):
    """How many rows each part may have."""

    maxRowsPerDelivery = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class AttemptOut(serializers.Serializer[Any]):
    """One POST and what came back."""

    number = serializers.IntegerField()
    startedAt = serializers.DateTimeField(source="started_at")
    finishedAt = serializers.DateTimeField(source="finished_at")
    sentTo = serializers.CharField(
        source="sent_to",
        allow_blank=True,
        help_text="The URL that was called, without its query; blank if none was, and where a "
        "page asks.",
    )
    httpStatus = serializers.IntegerField(source="http_status", allow_null=True)
    errorClass = serializers.CharField(source="error_class", allow_blank=True)
    latencyMs = serializers.IntegerField(source="latency_ms")
    responseHead = serializers.CharField(
        source="response_head", allow_blank=True, help_text=NOT_FOR_PAGES
    )


class DeliveryOut(serializers.Serializer[Any]):
    """One delivery in the audit log."""

    id = serializers.CharField(source="public_id")
    webhookId = serializers.CharField(source="registration.public_id", help_text=NOT_FOR_PAGES)
    url = serializers.CharField(source="registration.url", help_text=NOT_FOR_PAGES)
    recordId = serializers.CharField(source="record_id")
    changesetId = serializers.CharField(source="changeset_id", allow_blank=True)
    action = serializers.CharField(help_text="`notify`: a notice, which has no rows.")
    event = serializers.CharField(allow_blank=True, help_text="Of a notice: its kind.")
    test = serializers.BooleanField(source="is_test")
    mode = ModeField()
    state = serializers.ChoiceField(choices=Delivery.State.choices)
    rowCount = serializers.IntegerField(source="row_count")
    size = serializers.IntegerField(source="body_size", help_text="Bytes of the body.")
    sha256 = serializers.CharField(source="body_sha256")
    attemptCount = serializers.IntegerField(source="attempts")
    dueAt = serializers.DateTimeField(source="due_at", allow_null=True)
    settledAt = serializers.DateTimeField(source="settled_at", allow_null=True)
    hint = serializers.CharField(allow_blank=True)
    createdAt = serializers.DateTimeField(source="created_at")


class HostResult(serializers.Serializer[Any]):
    """What the host answered about one row when it imported or checked it."""

    row = serializers.IntegerField(help_text="Counted from 0 in this delivery.")
    status = serializers.CharField(required=False, help_text="Absent in a check.")
    field = serializers.CharField(required=False, help_text="In a check: the field.")
    severity = serializers.CharField(required=False, help_text="In a check: error or warning.")
    value = serializers.JSONField(
        required=False, allow_null=True, help_text="In a check: the value that it set."
    )
    before = serializers.JSONField(required=False, help_text="What the row replaced.")
    message = serializers.CharField(required=False, allow_blank=True)
    refused = serializers.BooleanField(
        required=False, help_text="True where the status says that the row was not taken."
    )

    def to_representation(self, result: dict[str, Any]) -> dict[str, Any]:
        """Judge the host's word."""
        shown: dict[str, Any] = super().to_representation(result)
        if "value" not in result:
            shown.pop("value", None)  # null is a value, too
        if is_refused(result.get("status", "")):
            shown["refused"] = True
        return shown


class DeliveryWithAttempts(DeliveryOut):
    """One delivery, its attempts, first one first, and what its host said of rows."""

    attempts = AttemptOut(source="history", many=True)
    results = HostResult(source="host_results", many=True, allow_null=True)
    resultsNote = LocalizedField(
        source="host_results_note", allow_blank=True, help_text="Why no results are kept."
    )


class DeliveryForPage(DeliveryWithAttempts):
    """One delivery as a page sees it: not where it went, nor what the server there said."""

    def to_representation(self, delivery: Delivery) -> dict[str, Any]:
        """Leave the host's own blank."""
        shown: dict[str, Any] = super().to_representation(delivery)
        blank = {"responseHead": "", "sentTo": ""}
        attempts = [attempt | blank for attempt in shown["attempts"]]
        return shown | {"webhookId": "", "url": "", "attempts": attempts}


class DeliveryFilters(CreatedFilters):
    """What the audit log can be narrowed to."""

    recordId = serializers.CharField(
        source="record_id", required=False, allow_blank=True, help_text="Blank: of a test."
    )
    changesetId = serializers.CharField(
        source="changeset_id", required=False, allow_blank=True, help_text="Blank: of a test."
    )
    webhookId = serializers.CharField(
        source="registration__public_id", required=False, help_text="Of this registration."
    )
    state = serializers.ChoiceField(choices=Delivery.State.choices, required=False)
    action = serializers.ChoiceField(choices=[*DELIVERED, NOTIFY], required=False)
    test = TrueOrFalse(source="is_test", required=False)
