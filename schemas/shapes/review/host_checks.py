"""How far hosts are that check rows, on the wire."""

from typing import Any

from rest_framework import serializers

from imports.host_checks.state import WORST_FIRST
from schemas.localized import LocalizedField


class HostCheckOut(serializers.Serializer[Any]):
    """How far the hosts are that check the rows of an import."""

    state = serializers.ChoiceField(
        choices=WORST_FIRST, help_text="The worst of the batches; late: past its deadline."
    )
    batches = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many batches are in each state."
    )
    note = LocalizedField(allow_blank=True, help_text="Why an answer does not count.")
