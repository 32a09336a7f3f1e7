"""The wire shapes of what changes between two versions of a catalog, and of all catalogs."""

import re
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import Field

from catalogs.changes import CLASSES, Change, counted
from catalogs.conversion import Converted
from catalogs.overview import Standing
from catalogs.row_types import LANGS
from catalogs.selectors import Compared
from imports.models import ImportRecord
from schemas.localized import LocalizedField
from schemas.moments import MomentField
from schemas.parameters import QueryIn
from schemas.shapes.strict import DictIn, StrictIn
from schemas.shapes.targets.catalogs import ActorOut, FindingOut
from schemas.shapes.targets.contracts import AnyJson
from tabular.model.catalog_findings import Finding
from tabular.model.sentences import coded

NUMBER = r"[1-9][0-9]{0,8}"


class EditionField(serializers.CharField):
    """A version by its number, or by the word for the one that is meant without it."""

    def __init__(self, word: str) -> None:
        super().__init__(required=False, help_text=f"`{word}` when absent.")
        self.word = word

    def to_internal_value(self, data: Any) -> int | None:  # type: ignore[override]
        """Return the number, or None for the word."""
        text = super().to_internal_value(data)
        if text == self.word:
            return None
        if re.fullmatch(NUMBER, text) is None:
            raise serializers.ValidationError(
                coded("{member} must be a version number or `{word}`.", word=self.word)
            )
        return int(text)


@extend_schema_field({"type": "string", "pattern": f"^({NUMBER}|published)$"})
class FormerField(EditionField):
    """The version that another one is compared with."""


@extend_schema_field({"type": "string", "pattern": f"^({NUMBER}|draft)$"})
class LaterField(EditionField):
    """The version that is compared."""


class BetweenIn(QueryIn):
    """Which versions are compared."""

    to = LaterField("draft")

    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        """Add the member whose name Python keeps for itself."""
        return {"from": FormerField("published"), **super().get_fields()}


class ExportIn(QueryIn):
    """What a catalog is exported as."""

    format = serializers.ChoiceField(["json", "json-schema"], default="json")
    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="When absent: what is published, or else the newest.",
    )


class TypesIn(QueryIn):
    """Which row type of a catalog."""

    lang = serializers.ChoiceField(LANGS)
    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="When absent: what is published.",
    )
    invalidRows = serializers.ChoiceField(
        ["block", "exclude", "include"],
        default="block",
        help_text="`include`: rows with errors are delivered, too, so any value may be null.",
    )


@extend_schema_field(
    {
        "type": "string",
        "contentMediaType": "application/json",
        "minLength": 1,
        "description": "A catalog or a JSON Schema, as text.",
    }
)
class JsonText(serializers.CharField):
    """JSON as a person wrote it; an error is answered with its line and column."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)


class ConvertIn(StrictIn):
    """A text, or a JSON Schema as it is."""

    text = JsonText(required=False)
    jsonSchema = DictIn(required=False)

    ways: ClassVar = ("text", "jsonSchema")


class ConvertedFindingOut(FindingOut):
    """A finding about the text, and its place."""

    line = serializers.SerializerMethodField()

    def get_line(self, finding: Finding) -> int | None:
        """Return the line of the text; None if a document was sent."""
        lines: dict[str, int] = self.context["lines"]
        return lines.get(finding.pointer)


class ConvertedOut(serializers.Serializer[Converted]):
    """A catalog made of a text; nothing is saved."""

    kind = serializers.ChoiceField(["catalog", "json-schema"])
    catalog = serializers.DictField(help_text="As PUT draft takes it.")
    findings = serializers.SerializerMethodField()

    @extend_schema_field(ConvertedFindingOut(many=True))
    def get_findings(self, converted: Converted) -> Any:
        """Return the findings with their lines."""
        context = {"lines": converted.lines}
        return ConvertedFindingOut(converted.findings, many=True, context=context).data


class SubjectOut(serializers.Serializer[Any]):
    """What a change is about; without an entity the catalog itself, without a field the entry."""

    entity = serializers.CharField(allow_null=True)
    field = serializers.CharField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]  # DRF knows a label of its own


class CatalogChangeOut(serializers.Serializer[Change]):
    """One difference between two versions."""

    pointer = serializers.CharField(
        help_text="JSON pointer into `to`; of what was removed, into `from`."
    )
    kind = serializers.ChoiceField(["added", "removed", "changed", "moved"])
    subject = SubjectOut()
    property = serializers.CharField(
        allow_null=True, help_text="A member, or `position`; null: the whole field or entry."
    )
    before = AnyJson(allow_null=True)
    after = AnyJson(allow_null=True)
    sentence = LocalizedField(source="verdict.sentence")

    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        """Add the member whose name Python keeps for itself."""
        judged = serializers.ChoiceField(
            CLASSES,
            source="verdict.judged",
            help_text="breaking: hosts receive something else than before. stricter: what was "
            "accepted may be refused, or asked about. compatible: neither.",
        )
        return {**super().get_fields(), "class": judged}


class ClassesOut(serializers.Serializer[Any]):
    """How many changes there are of each class."""

    compatible = serializers.IntegerField()
    stricter = serializers.IntegerField()
    breaking = serializers.IntegerField()


class ChangesOut(serializers.Serializer[Compared]):
    """How a version of a catalog differs from another."""

    to = serializers.IntegerField(source="new.number")
    etag = serializers.CharField(source="new.etag", help_text="Of `to`, without its quotes.")
    changes = CatalogChangeOut(many=True)
    classes = serializers.SerializerMethodField()

    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        """Add the member whose name Python keeps for itself."""
        number = serializers.IntegerField(
            source="old.number",
            default=None,
            allow_null=True,
            help_text="null: nothing was published, so that everything is new.",
        )
        return {"from": number, **super().get_fields()}

    @extend_schema_field(ClassesOut)
    def get_classes(self, compared: Compared) -> dict[str, int]:
        """Count the changes of each class."""
        return {str(judged): count for judged, count in counted(compared.changes).items()}


class PublishedStandingOut(serializers.Serializer[Any]):
    """The version that imports use."""

    version = serializers.IntegerField(source="number")
    publishedAt = MomentField(source="published_at")
    publishedBy = ActorOut(source="published_by")


class DraftStandingOut(serializers.Serializer[Standing]):
    """The draft, and how much it changes."""

    version = serializers.IntegerField(source="draft.number")
    etag = serializers.CharField(source="draft.etag", help_text="Without its quotes.")
    savedAt = MomentField(source="draft.saved_at")
    savedBy = ActorOut(source="draft.saved_by")
    note = serializers.CharField(source="draft.note", allow_blank=True)
    changes = serializers.IntegerField(
        source="changed", allow_null=True, help_text="null: it cannot be published as it is."
    )


class LastImportOut(serializers.Serializer[ImportRecord]):
    """The newest import into a catalog."""

    recordId = serializers.CharField(source="public_id")
    at = MomentField(source="created_at")
    state = serializers.CharField()
    rows = serializers.SerializerMethodField()

    def get_rows(self, record: ImportRecord) -> int | None:
        """Count the rows of its file; null while it is unknown."""
        rows: int | None = record.counts.get("sourceRows")
        return rows


class OverviewOut(serializers.Serializer[Any]):
    """A catalog, published or not, and what goes on in it."""

    key = serializers.CharField(source="standing.catalog.key")
    title = serializers.CharField(source="standing.shown.title", default="")
    state = serializers.ChoiceField(["published", "draft", "retired"], source="standing.state")
    published = PublishedStandingOut(source="standing.published", allow_null=True)
    draft = serializers.SerializerMethodField()
    fields = serializers.IntegerField(source="standing.fields")  # type: ignore[assignment]  # the wire's name for it
    retiredVersion = serializers.IntegerField(
        source="standing.retired.number", default=None, allow_null=True
    )
    lastImport = LastImportOut(source="activity.last", allow_null=True)
    openQuestions = serializers.IntegerField(source="activity.open_questions")
    openImports = serializers.IntegerField(source="activity.open_imports")

    @extend_schema_field(DraftStandingOut(allow_null=True))
    def get_draft(self, shown: Any) -> Any:
        """Return the draft, if there is one."""
        standing: Standing = shown["standing"]
        return DraftStandingOut(standing).data if standing.draft else None
