"""Exports and corrected files on the wire."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from imports.models import IMPORT_STATES, ImportRecord, Workbook
from schemas.localized import LocalizedProblem
from schemas.members import CountsField
from schemas.parameters import QueryIn
from schemas.shapes.new_imports import UploadField
from schemas.shapes.strict import StrictIn


class ExportIn(QueryIn):
    """Which rows, and as what."""

    rows = serializers.ChoiceField(
        choices=["error", "all", "applied", "refused"],
        default="error",
        help_text="Of an applied import, applied: all that were handed over, with what they were "
        "before; refused: those that a receiver did not take, with what it said of them.",
    )
    format = serializers.ChoiceField(choices=["xlsx", "csv"], default="xlsx")


class WorkbookOut(serializers.Serializer[Workbook]):
    """A large workbook on its way."""

    state = serializers.ChoiceField(choices=["writing"])
    done = serializers.IntegerField(help_text="Rows that are written.")
    total = serializers.IntegerField(help_text="Rows it will have.")


class CorrectionUpload(StrictIn):
    """An exported file, corrected, as multipart/form-data."""

    file = UploadField(required=False, allow_empty_file=True)

    schema: ClassVar = {"required": ["file"]}


class DifferenceOut(serializers.Serializer[Any]):
    """One corrected cell."""

    row = serializers.IntegerField()
    field = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class ComparisonOut(serializers.Serializer[Any]):
    """What confirming would change; the engine takes nothing else from the file."""

    revision = serializers.IntegerField()
    changedRows = serializers.IntegerField(source="rows")
    changedCells = serializers.IntegerField(source="cells")
    unchangedRows = serializers.IntegerField(source="unchanged")
    staleRows = serializers.IntegerField(
        source="stale_count", help_text="Rows that changed since, or have no errors: left alone."
    )
    unknownLines = serializers.IntegerField(
        source="unknown", help_text="Lines that do not belong to this import: never imported."
    )
    differences = DifferenceOut(source="shown", many=True, help_text="The first 500.")


class MergedOut(serializers.Serializer[Any]):
    """The outcome of the corrections; undo reverts them."""

    revision = serializers.IntegerField()
    counts = CountsField()
    changedCells = serializers.IntegerField(source="cells")


class CorrectionOut(serializers.Serializer[ImportRecord]):
    """A corrected file on its way: ``comparison`` is there once its state is ``mapping``."""

    correctionId = serializers.CharField(source="public_id")
    recordId = serializers.CharField(source="corrects.public_id")
    state = serializers.ChoiceField(choices=IMPORT_STATES)
    problem = LocalizedProblem(allow_null=True)
    filename = serializers.CharField()
    comparison = serializers.SerializerMethodField()

    @extend_schema_field(ComparisonOut(allow_null=True))
    def get_comparison(self, correction: ImportRecord) -> Any:
        """Return what the view compared."""
        comparison = self.context.get("comparison")
        return None if comparison is None else ComparisonOut(comparison).data
