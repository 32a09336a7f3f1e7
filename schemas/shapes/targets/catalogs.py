"""The wire shapes of catalogs; the catalog itself is the field model's own document."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from catalogs import selectors
from catalogs.models import CatalogVersion
from schemas.localized import LocalizedField
from schemas.moments import MomentField
from schemas.shapes.strict import ListIn, StrictIn


class CatalogSummary(serializers.Serializer[CatalogVersion]):
    """A published catalog, without its fields."""

    key = serializers.CharField(source="catalog.key")
    title = serializers.CharField()
    version = serializers.IntegerField(source="number")
    publishedAt = MomentField(source="published_at")


class ActorOut(serializers.Serializer[dict[str, str]]):
    """Who did it, as claimed."""

    kind = serializers.ChoiceField(["person", "agent", "system"])
    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF knows a label of its own


class FindingOut(serializers.Serializer[Any]):
    """What keeps a draft from being published (error) or has no effect (warning), and where."""

    pointer = serializers.CharField(help_text="JSON pointer into the catalog (RFC 6901).")
    code = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warning"])
    detail = LocalizedField(source="sentence")


class VersionOut(serializers.Serializer[CatalogVersion]):
    """One version of a catalog, without its fields."""

    key = serializers.CharField(source="catalog.key")
    version = serializers.IntegerField(source="number")
    state = serializers.ChoiceField(CatalogVersion.State.choices)
    title = serializers.CharField()
    note = serializers.CharField()
    savedAt = MomentField(source="saved_at")
    savedBy = ActorOut(source="saved_by")
    publishedAt = MomentField(source="published_at", allow_null=True)
    publishedBy = ActorOut(source="published_by", allow_null=True)


class CheckedVersionOut(VersionOut):
    """A version as it was saved or published, with its findings."""

    findings = serializers.SerializerMethodField()

    @extend_schema_field(FindingOut(many=True))
    def get_findings(self, version: CatalogVersion) -> Any:
        """Check the version as publishing does."""
        return FindingOut(selectors.findings(version), many=True).data


class NoteIn(StrictIn):
    """Why something was done, in an editor's words."""

    note = serializers.CharField(max_length=500, default="", allow_blank=True)


class PublishIn(NoteIn):
    """What an editor says about the version, and which findings the editor saw."""

    confirm = ListIn(
        required=False,
        max_length=200,
        child=serializers.CharField(max_length=255),
        help_text="`breaking`: breaking changes are wanted. `tests`, or the name of a kept test "
        "file: that it fails is accepted. When the member is absent, breaking changes are not "
        "asked about.",
    )
