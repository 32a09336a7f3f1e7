"""The wire shapes of a catalog's own sample."""

from typing import Any, ClassVar

from rest_framework import serializers

from schemas.moments import MomentField
from schemas.shapes.new_imports import UploadField
from schemas.shapes.strict import StrictIn


class SampleUpload(StrictIn):
    """A workbook or a CSV file of at most 5 MB, as multipart/form-data."""

    file = UploadField(required=False, allow_empty_file=True)

    schema: ClassVar = {"required": ["file"]}


class OwnSampleOut(serializers.Serializer[Any]):
    """The sample of a catalog, without its bytes."""

    kind = serializers.ChoiceField(choices=["xlsx", "csv"])
    size = serializers.IntegerField(help_text="In bytes.")
    savedAt = MomentField(source="saved_at")
