"""The wire shapes of files that are tried."""

from typing import Any, ClassVar, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from imports.mapping.confirmed_names import ConfirmedName
from imports.models import ImportRecord
from previews.detector_hits import HitRate
from schemas.localized import LocalizedField, LocalizedProblem
from schemas.moments import MomentField
from schemas.parameters import QueryIn
from schemas.shapes.new_imports import UploadField
from schemas.shapes.strict import JsonObject, StrictIn
from schemas.shapes.targets.contracts import CHECK_STATES, AnyJson
from tabular.model.catalog import ColumnType


class TrialUpload(StrictIn):
    """A file as multipart/form-data."""

    file = UploadField(required=False, allow_empty_file=True)
    filename = serializers.CharField(required=False, max_length=255, trim_whitespace=False)

    schema: ClassVar = {"required": ["file"]}


class TrialIn(StrictIn):
    """A file that is here already, or a text."""

    recordId = serializers.CharField(
        required=False, max_length=40, help_text="A tried file or an import: its file once more."
    )
    text = serializers.CharField(required=False, trim_whitespace=False)
    filename = serializers.CharField(required=False, max_length=255, trim_whitespace=False)

    schema: ClassVar = {"oneOf": [{"required": [name]} for name in ("recordId", "text")]}


KINDS = ("BuiltinDetector", "RegexDetector", "OneOfDetector")  # as the field model names them


@extend_schema_field({"oneOf": [{"$ref": f"#/components/schemas/{kind}"} for kind in KINDS]})
class DetectorField(JsonObject):
    """A detector, as a field of a catalog holds it."""


class OddValueOut(serializers.Serializer[Any]):
    """A value that is not of the type of most."""

    sourceRow = serializers.IntegerField(help_text="In the file, from 0.")
    text = serializers.CharField()


class AgreedOut(serializers.Serializer[Any]):
    """A type that most values of a column are of, and the first of the others."""

    columnType = serializers.ChoiceField(get_args(ColumnType))
    values = serializers.IntegerField(help_text="Filled cells of the type.")
    of = serializers.IntegerField(help_text="Filled cells.")
    odd = OddValueOut(many=True)


class SuggestedColumnOut(serializers.Serializer[Any]):
    """A column of the file as a field, and what in the file says so."""

    column = serializers.CharField()
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # DRF knows a label of its own
    key = serializers.CharField()
    columnType = serializers.ChoiceField(get_args(ColumnType))
    outputFormat = serializers.CharField(
        allow_null=True,
        required=False,
        help_text="The currency (ISO 4217) of amounts whose type does not name one.",
    )
    selected = serializers.BooleanField(help_text="Whether it is a field of `catalog`.")
    evidence = serializers.ListField(child=LocalizedField())
    required = serializers.BooleanField()  # type: ignore[assignment]  # the wire's name for it
    unique = serializers.BooleanField()
    options = serializers.ListField(child=serializers.DictField())
    detectors = serializers.ListField(child=serializers.DictField())
    samples = serializers.ListField(child=serializers.CharField())
    agreed = AgreedOut(
        allow_null=True,
        required=False,
        help_text="Where most values are of one type and some are not: the column is of "
        "that type only if the others are clearly broken.",
    )


class SuggestionOut(serializers.Serializer[Any]):
    """A catalog that the file would fit; nothing of it is saved."""

    title = serializers.CharField()
    key = serializers.CharField(help_text="Of no catalog so far.")
    catalog = serializers.DictField(help_text="A draft of the selected columns, to be saved.")
    columns = SuggestedColumnOut(many=True)


class TrialOut(serializers.Serializer[ImportRecord]):
    """A tried file: its state, and what kept it from being read."""

    recordId = serializers.CharField(source="public_id")
    state = serializers.ChoiceField(CHECK_STATES)
    filename = serializers.CharField()
    createdAt = MomentField(source="created_at")
    rows = serializers.SerializerMethodField()
    table = serializers.SerializerMethodField()
    problem = LocalizedProblem(allow_null=True)

    def get_rows(self, record: ImportRecord) -> int | None:
        """Count the rows of its table; null until it is read."""
        rows: int | None = (record.report or {}).get("rows")
        return rows

    def get_table(self, record: ImportRecord) -> str | None:
        """Name the sheet that was read, where the file has sheets."""
        table: str | None = (record.report or {}).get("table")
        return table


class InferredOut(TrialOut):
    """A file that a catalog is made of, and the suggestion once it is there."""

    suggestion = SuggestionOut(source="report.suggestion", default=None, allow_null=True)


class AskedOut(serializers.Serializer[Any]):
    """What the engine would ask about the file."""

    kind = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    field = serializers.CharField(allow_null=True)
    candidates = serializers.ListField(child=AnyJson())


class TestedColumnOut(serializers.Serializer[Any]):
    """A column of the file under the draft, and its field under the published version."""

    __test__ = False  # pytest takes the name for a class of tests

    column = serializers.CharField()
    samples = serializers.ListField(child=serializers.CharField())
    field = serializers.CharField(allow_null=True)
    reason = LocalizedField()
    score = serializers.FloatField()
    question = AskedOut(allow_null=True)
    fits = serializers.FloatField(
        allow_null=True, help_text="Share of the filled cells that the field takes, 0 to 1."
    )
    errors = serializers.IntegerField()  # type: ignore[assignment]  # the wire's name for it
    warnings = serializers.IntegerField()
    empty = serializers.IntegerField(help_text="Cells without a text.")
    publishedField = serializers.CharField(allow_null=True)
    publishedFits = serializers.FloatField(allow_null=True)


class FirstIssueOut(serializers.Serializer[Any]):
    """The first of some issues."""

    row = serializers.IntegerField(help_text="Of the file, from 1.")
    value = serializers.CharField(allow_null=True, allow_blank=True)
    message = LocalizedField()
    hint = LocalizedField(allow_blank=True)


class TestedIssueOut(serializers.Serializer[Any]):
    """The issues of one field and code, under the draft and under the published version."""

    __test__ = False

    field = serializers.CharField()
    code = serializers.CharField()
    severity = serializers.ChoiceField(["error", "warning"])
    draft = serializers.IntegerField()
    published = serializers.IntegerField(allow_null=True, help_text="null: nothing is published.")
    example = FirstIssueOut()


class RowCountsOut(serializers.Serializer[Any]):
    """Rows by the worst that was found in them."""

    valid = serializers.IntegerField()
    warning = serializers.IntegerField()
    error = serializers.IntegerField()


class TestedCountsOut(serializers.Serializer[Any]):
    """How many issues there are, and in how many rows."""

    __test__ = False

    errors = serializers.IntegerField()  # type: ignore[assignment]  # the wire's name for it
    warnings = serializers.IntegerField()
    rows = RowCountsOut()


class BothCountsOut(serializers.Serializer[Any]):
    """Counts under the draft and under the published version."""

    draft = TestedCountsOut()
    published = TestedCountsOut(allow_null=True)


class TestReportOut(serializers.Serializer[Any]):
    """The result of the draft on the file, next to that of the published version."""

    __test__ = False

    etag = serializers.CharField(help_text="Of the draft that was tested, without its quotes.")
    draftVersion = serializers.IntegerField()
    publishedVersion = serializers.IntegerField(allow_null=True)
    columns = TestedColumnOut(many=True)
    missing = serializers.ListField(
        child=serializers.CharField(), help_text="Required fields that no column feeds."
    )
    issues = TestedIssueOut(many=True)
    questions = AskedOut(many=True)
    counts = BothCountsOut()


class TestedOut(TrialOut):
    """A file that a draft is tested with, and the report once it is there."""

    __test__ = False

    report = TestReportOut(allow_null=True)


class DetectIn(StrictIn):
    """A detector, and the tried file whose columns it looks at."""

    recordId = serializers.CharField(max_length=40, help_text="Of a file that was tried.")
    detector = DetectorField()
    column = serializers.CharField(
        required=False, max_length=500, trim_whitespace=False, help_text="Only this column."
    )


class HitRateOut(serializers.Serializer[HitRate]):
    """How many of a column's different values a detector recognises."""

    column = serializers.CharField()
    rate = serializers.FloatField(help_text="0 to 1; what `minRatio` is compared with.")
    matched = serializers.IntegerField()
    of = serializers.IntegerField()


class DetectedOut(serializers.Serializer[Any]):
    """The hit rates of one detector."""

    columns = HitRateOut(many=True)


class ConfirmedNameOut(serializers.Serializer[ConfirmedName]):
    """A header that people mapped to a field, and that is not one of its names."""

    field = serializers.CharField()
    name = serializers.CharField()
    count = serializers.IntegerField(help_text="Imports that were applied so.")
    lastAt = MomentField(source="last_at")


class NamesIn(QueryIn):
    """Which field is asked about."""

    field = serializers.CharField(
        required=False, max_length=500, help_text="A field path; all fields without it."
    )


class NamesOut(serializers.Serializer[Any]):
    """Headers that people confirmed, the most frequent first."""

    items = ConfirmedNameOut(many=True)
