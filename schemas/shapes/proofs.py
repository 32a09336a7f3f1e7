"""The wire shapes of what receivers reported, compared with what was delivered."""

from typing import Any

from rest_framework import serializers

from changesets.proof.answers import COMPARED
from changesets.proof.reconciliation import OUTCOMES
from schemas.parameters import QueryIn


class ProofIn(QueryIn):
    """Which rows."""

    outcome = serializers.ChoiceField(choices=OUTCOMES, required=False, default=None)
    webhookId = serializers.CharField(required=False, default="", max_length=40)
    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=500, min_value=1, max_value=2_000)


class ReceiverProofOut(serializers.Serializer[Any]):
    """What one receiver reported about the rows, compared with what was delivered."""

    webhookId = serializers.CharField(source="webhook_id")
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # DRF knows a label of its own
    rows = serializers.IntegerField(source="tally.rows", help_text="Rows that were sent to it.")
    agreed = serializers.IntegerField(
        source="tally.agreed", help_text="It reported a row, and contradicted nothing."
    )
    differs = serializers.IntegerField(
        source="tally.differs",
        help_text="It refused the row, created one that was known, or updated one that was new.",
    )
    refused = serializers.IntegerField(
        source="tally.refused", help_text="It refused them; they are among those that differ."
    )
    notAnswered = serializers.IntegerField(
        source="tally.not_answered", help_text="It reported nothing about them."
    )


class ProvenRowOut(serializers.Serializer[Any]):
    """One row at one receiver."""

    row = serializers.IntegerField(help_text="Counts the delivered rows of the changeset from 0.")
    webhookId = serializers.CharField(source="webhook_id")
    deliveryId = serializers.CharField(source="delivery_id")
    known = serializers.ChoiceField(
        choices=COMPARED,
        allow_null=True,
        help_text="What the row was when it was delivered; null where nothing was known.",
    )
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    answer = serializers.CharField(
        allow_null=True, help_text="The receiver's status for the row, in its own words."
    )
    refused = serializers.BooleanField(source="is_refused")


class ProofOut(serializers.Serializer[Any]):
    """A page of rows, and the counts of each receiver."""

    receivers = ReceiverProofOut(many=True)
    items = ProvenRowOut(many=True)
    next = serializers.CharField(allow_null=True)
