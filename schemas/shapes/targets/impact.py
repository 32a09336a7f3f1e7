"""The wire shapes of what publishing a draft means for others."""

from typing import Any

from rest_framework import serializers

from contracts.comparison import is_breaking
from imports.by_catalog import Losing
from imports.models import ImportRecord
from schemas.localized import LocalizedField
from schemas.shapes.targets.contracts import CHECK_STATES, AffectedOut


class LosingOut(serializers.Serializer[Losing]):
    """A remembered mapping, and its columns whose fields the draft does not have."""

    id = serializers.CharField(source="profile.public_id")
    scope = serializers.CharField(source="profile.scope", allow_blank=True)
    columns = serializers.DictField(
        child=serializers.CharField(), help_text="Column to the field path that is gone."
    )


class OpenImportOut(serializers.Serializer[ImportRecord]):
    """An import that is not over; it ends on the version it began with."""

    recordId = serializers.CharField(source="public_id")
    filename = serializers.CharField()
    version = serializers.IntegerField(source="catalog_version.number")
    state = serializers.CharField()


class RefusedExampleOut(serializers.Serializer[Any]):
    """The first row that a rule refuses."""

    recordId = serializers.CharField()
    value = serializers.CharField(allow_null=True, allow_blank=True)
    message = LocalizedField()
    hint = LocalizedField(allow_blank=True)


class RefusingRuleOut(serializers.Serializer[Any]):
    """The parts of the draft that refuse rows that were accepted."""

    pointer = serializers.CharField(help_text="JSON pointer into the draft.")
    entity = serializers.CharField()
    field = serializers.CharField()
    code = serializers.CharField()
    rows = serializers.IntegerField()
    example = RefusedExampleOut()


class RowsImpactOut(serializers.Serializer[ImportRecord]):
    """The result of the draft on the newest rows; members are null while a worker checks them."""

    recordId = serializers.CharField(source="public_id")
    state = serializers.ChoiceField(CHECK_STATES)
    looked = serializers.IntegerField(source="report.looked", default=None, allow_null=True)
    wouldFail = serializers.IntegerField(
        source="report.wouldFail",
        default=None,
        allow_null=True,
        help_text="Rows that the draft refuses and their own version takes.",
    )
    missing = serializers.ListField(
        source="report.missing",
        child=serializers.CharField(),
        default=None,
        allow_null=True,
        help_text="Required fields of the draft that some of these imports feed nothing.",
    )
    rules = RefusingRuleOut(source="report.rules", many=True, default=None, allow_null=True)


class ImpactOut(serializers.Serializer[Any]):
    """What publishing a draft means for contracts, imports, mappings and rows that are there."""

    breaking = serializers.SerializerMethodField()
    contracts = AffectedOut(many=True)
    profiles = LosingOut(many=True)
    openImports = OpenImportOut(many=True)
    openImportCount = serializers.IntegerField()
    rows = RowsImpactOut(
        allow_null=True,
        help_text="null: the rows were not looked at under this draft, or the caller may not see "
        "the rows of imports.",
    )

    def get_breaking(self, impact: Any) -> bool:
        """Return whether the draft breaks any contract."""
        return any(is_breaking(contract.changes) for contract in impact["contracts"])
