"""The wire shapes of a new import."""

from typing import Any, ClassVar

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.http.field_sentences import framework_message
from schemas.shapes.context import CustomerIn
from schemas.shapes.strict import ListIn, Meta, StrictIn

MOST_ROWS = 10_000  # of an import sent as JSON; a file has no such end


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
        """Refuse a value that is not a row."""
        if not isinstance(data, dict | list):
            raise serializers.ValidationError("A row must be an object or an array.")
        return super().to_internal_value(data)


class AboutImport(CustomerIn):
    """The members that any new import may have."""

    catalogKey = serializers.CharField(
        required=False, allow_null=True, max_length=200, trim_whitespace=False
    )
    meta = Meta(
        required=False,
        allow_null=True,
        help_text="Delivered with the rows as it came. At most 16 KiB of JSON.",
    )
    autoMap = serializers.BooleanField(required=False, default=False)
    keepUnmapped = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Also deliver the unmapped columns, next to the rows, as `unmapped`.",
    )
    filename = serializers.CharField(required=False, max_length=255, trim_whitespace=False)
    contractId = serializers.CharField(
        required=False,
        max_length=71,
        help_text="A contract of this tenant that the file must keep; it names the catalog.",
    )
    scope = serializers.CharField(
        required=False,
        max_length=200,
        trim_whitespace=False,
        help_text="One customer of the host: answers and mappings are remembered for it alone.",
    )


class ImportIn(AboutImport):
    """A new import of a text or of rows, or of a file whose bytes come later."""

    text = serializers.CharField(required=False, trim_whitespace=False)
    rows = ListIn(
        required=False,
        child=RowField(),
        min_length=1,
        max_length=MOST_ROWS,
        error_messages={
            "max_length": framework_message(
                "At most {n1} rows may be sent as JSON. Send more as a file.", n1="max_length"
            )
        },
    )
    size = SizeField(required=False, min_value=0)
    withMapping = serializers.BooleanField(
        required=False,
        default=True,
        help_text="With `from`: whether what was settled and answered then counts again.",
    )

    schema: ClassVar = {
        "oneOf": [{"required": [name]} for name in ("text", "rows", "size", "from")]
    }

    def get_fields(self) -> dict[str, Any]:
        """Add the member whose name is a word of Python."""
        again = serializers.CharField(
            required=False,
            max_length=40,
            help_text="An import whose stored file is used again; members that you do not "
            "send are taken from it.",
        )
        return {**super().get_fields(), "from": again}


@extend_schema_field({"type": "string", "format": "binary", "minLength": 1})
class UploadField(serializers.FileField):
    """A file with at least one byte; of an empty one the service says what to do."""


class ImportUpload(AboutImport):
    """A new import as multipart/form-data."""

    file = UploadField(
        required=False,
        allow_empty_file=True,
        help_text="Up to 20 times: the tables of all files are those of one import.",
    )

    schema: ClassVar = {"required": ["file"]}


class PasswordIn(StrictIn):
    """The password of a protected file."""

    password = serializers.RegexField(
        r"^[^\x00-\x1f\x7f]+$",
        max_length=255,
        trim_whitespace=False,
        write_only=True,
        help_text="Used once, and stored nowhere.",
    )
