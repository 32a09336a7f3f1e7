"""The wire shapes of imports."""

from typing import Any, ClassVar

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.v1.shapes.strict import JsonObject, StrictIn
from common import clock
from imports.models import ImportRecord


class TextMap(serializers.DictField):
    """A JSON object of texts."""

    child = serializers.CharField(trim_whitespace=False, allow_blank=False)


@extend_schema_field(
    {
        "type": "integer",
        "minimum": 1,
        "maximum": settings.MAX_FILE_BYTES,
        "description": "Bytes of a file that is sent afterwards, by PUT imports/{recordId}/file.",
    }
)
class SizeField(serializers.IntegerField):
    """The bytes of a file; what is too many, the service says."""


@extend_schema_field({"anyOf": [{"type": "object"}, {"type": "array", "items": {}}]})
class RowField(serializers.JSONField):
    """One row: an object of columns, or an array of cells."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what is no row."""
        if not isinstance(data, dict | list):
            raise serializers.ValidationError("A row is an object or an array.")
        return super().to_internal_value(data)


class AboutImport(StrictIn):
    """What may be said of any new import."""

    catalogKey = serializers.CharField(
        required=False, allow_null=True, max_length=200, trim_whitespace=False
    )
    meta = JsonObject(required=False, allow_null=True)
    context = JsonObject(required=False)  # type: ignore[assignment]  # the wire's name for it
    autoMap = serializers.BooleanField(required=False, default=False)
    filename = serializers.CharField(required=False, max_length=255, trim_whitespace=False)


class ImportIn(AboutImport):
    """A new import of a text or of rows, or of a file whose bytes come later."""

    text = serializers.CharField(required=False, trim_whitespace=False)
    rows = serializers.ListField(required=False, child=RowField(), min_length=1)
    size = SizeField(required=False, min_value=0)

    schema: ClassVar = {"oneOf": [{"required": [name]} for name in ("text", "rows", "size")]}


@extend_schema_field({"type": "string", "format": "binary", "minLength": 1})
class UploadField(serializers.FileField):
    """A file with at least one byte; of an empty one the service says what to do."""


class ImportUpload(AboutImport):
    """A new import as multipart/form-data."""

    file = UploadField(required=False, allow_empty_file=True)

    schema: ClassVar = {"required": ["file"]}


class ProgressOut(serializers.Serializer[ImportRecord]):
    """How far the running step is."""

    stage = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    rate = serializers.SerializerMethodField()

    def get_rate(self, record: ImportRecord) -> float | None:
        """Rows a second since the stage began, when it is known."""
        if record.stage_at is None or not record.is_working or not record.done:
            return None
        seconds = max(0.001, (clock.now() - record.stage_at).total_seconds())
        return round(record.done / seconds, 1)


class ImportOut(serializers.Serializer[ImportRecord]):
    """One import."""

    recordId = serializers.CharField(source="public_id")
    catalogKey = serializers.CharField(source="catalog_version.catalog.key")
    catalogVersion = serializers.IntegerField(source="catalog_version.number")
    state = serializers.ChoiceField(choices=ImportRecord.State.choices)
    progress = ProgressOut(source="*")
    counts = serializers.DictField(child=serializers.JSONField())
    problem = serializers.JSONField(allow_null=True)
    deliveries = serializers.SerializerMethodField()
    filename = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    duplicateOf = serializers.SerializerMethodField(
        help_text="The import that applied the very same file to this catalog before."
    )
    revision = serializers.IntegerField()
    profile = serializers.JSONField(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    version = serializers.IntegerField()

    def get_duplicateOf(self, record: ImportRecord) -> str | None:  # noqa: N802 - camelCase is the wire
        """Say whether these bytes were applied before."""
        found: dict[str, str] = self.context.get("duplicates", {})
        return found.get(record.public_id)

    def get_deliveries(self, record: ImportRecord) -> list[dict[str, Any]]:
        """What became of the deliveries of this import."""
        found: dict[str, list[dict[str, Any]]] = self.context.get("deliveries", {})
        return found.get(record.public_id, [])


class TableOut(serializers.Serializer[Any]):
    """One candidate table of the file."""

    sheet = serializers.CharField(allow_null=True)
    page = serializers.IntegerField(allow_null=True)
    range = serializers.CharField(allow_null=True)
    headerRows = serializers.ListField(source="header_rows", child=serializers.IntegerField())
    columns = serializers.ListField(child=serializers.CharField())
    preview = serializers.JSONField()
    rowCount = serializers.IntegerField(source="row_count", allow_null=True)
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True)
    confidence = serializers.FloatField()
    skipped = serializers.DictField(child=serializers.IntegerField())


class TablesOut(serializers.Serializer[Any]):
    """The tables found in a file, best first, and which one is used."""

    chosen = serializers.IntegerField()
    tables = TableOut(many=True)
    questions = serializers.ListField(child=serializers.JSONField())
    issues = serializers.ListField(child=serializers.JSONField())


class ReadingIn(StrictIn):
    """A choice about how the file is read; what is absent is decided by the engine."""

    table = serializers.IntegerField(required=False, min_value=0)
    headerRows = serializers.ListField(
        source="header_rows", required=False, child=serializers.IntegerField(min_value=0)
    )
    encoding = serializers.CharField(required=False, max_length=40, trim_whitespace=False)
    delimiter = serializers.CharField(required=False, max_length=8, trim_whitespace=False)


class AlternativeOut(serializers.Serializer[Any]):
    """A field that would also fit."""

    field = serializers.CharField()
    score = serializers.FloatField()


class ColumnOut(serializers.Serializer[Any]):
    """What the engine proposes for one source column."""

    column = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    score = serializers.FloatField()
    reason = serializers.CharField()
    alternatives = AlternativeOut(many=True)
    samples = serializers.ListField(child=serializers.CharField())


class ProposedOut(serializers.Serializer[Any]):
    """A mapping that could be settled as it is."""

    mapping = serializers.DictField(child=serializers.CharField())
    recipe = serializers.JSONField(allow_null=True)


class ProfileUsed(serializers.Serializer[Any]):
    """Which remembered mapping an import follows."""

    id = serializers.CharField()
    version = serializers.IntegerField()


class MappingOut(serializers.Serializer[ImportRecord]):
    """What is proposed, column by column and as a whole, and the mapping once it is settled."""

    columns = ColumnOut(many=True, source="proposal.columns")
    proposed = ProposedOut()
    mapping = serializers.DictField(child=serializers.CharField(), allow_null=True)
    recipe = serializers.JSONField(allow_null=True)
    profile = ProfileUsed(allow_null=True)


class MappingIn(StrictIn):
    """The settled mapping: source column to field path."""

    mapping = TextMap()
    recipe = JsonObject(required=False, allow_null=True, default=None)
    remember = serializers.BooleanField(required=False, default=True)


class ApplyIn(StrictIn):
    """How the rows are applied."""

    applyMode = serializers.ChoiceField(choices=["webhook", "browser"], default="webhook")
    invalidRows = serializers.ChoiceField(choices=["block", "exclude", "include"], default="block")
