"""The wire shapes of rows in review."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from schemas.members import CountsField
from schemas.shapes.strict import ListIn, StrictIn
from staging.changes import MAX_BATCH, MAX_CELL
from staging.edits.fixes import READINGS
from staging.edits.proposals import Refused
from staging.views import FILTERS
from tabular.model.sentences import coded


class SortIn(StrictIn):
    """By which field the rows are sorted; empty values come last."""

    field = serializers.CharField(max_length=400, trim_whitespace=False)
    descending = serializers.BooleanField(default=False)


class ViewIn(StrictIn):
    """Which rows to look at, and in which order."""

    filter = serializers.ChoiceField(choices=FILTERS, default="all")
    field = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=400, trim_whitespace=False
    )
    code = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=100, trim_whitespace=False
    )
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=500, trim_whitespace=False
    )
    sort = SortIn(required=False, allow_null=True, default=None)
    asOf = serializers.IntegerField(
        required=False,
        min_value=1,
        help_text="The revision at which the rows were chosen and ordered, if not `revision`: an "
        "open view keeps its rows and their order while they are edited.",
    )


class RowsQuery(StrictIn):
    """A page of rows."""

    revision = serializers.IntegerField(required=False, min_value=1)
    view = ViewIn(required=False, default=dict)
    offset = serializers.IntegerField(required=False, default=0, min_value=0)
    limit = serializers.IntegerField(required=False, default=100, min_value=1, max_value=500)
    texts = serializers.BooleanField(
        required=False, default=False, help_text="Give each cell's text, too, for an editor."
    )


class IssueOut(serializers.Serializer[Any]):
    """What is wrong with one value."""

    field = serializers.CharField(allow_null=True)
    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning"])
    message = serializers.CharField()
    value = serializers.CharField(allow_null=True)
    hint = serializers.CharField(allow_blank=True)


class RowOut(serializers.Serializer[Any]):
    """One typed row. ``sourceRow`` is its physical row in the file or sheet, from 0."""

    row = serializers.IntegerField()
    sourceRow = serializers.IntegerField()
    sheet = serializers.CharField(allow_null=True)
    member = serializers.CharField(allow_null=True, help_text="Of an archive of several files.")
    page = serializers.IntegerField(allow_null=True)
    severity = serializers.ChoiceField(choices=["valid", "warning", "error"])
    excluded = serializers.BooleanField()
    edited = serializers.ListField(child=serializers.CharField())
    changed = serializers.ListField(
        child=serializers.CharField(),
        help_text="The fields whose value differs from the file's text.",
    )
    customOptions = serializers.ListField(
        child=serializers.CharField(),
        help_text="The fields whose value matches no option, where a field accepts other values.",
    )
    values = serializers.DictField(child=serializers.JSONField(allow_null=True))
    texts = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        required=False,
        help_text="What numbers, dates and times were read from, where it was asked for.",
    )
    issues = IssueOut(many=True)
    cut = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="The fields whose long texts are cut, of a row that is larger than 1 MB by "
        "itself. Results, deliveries and exports have them whole.",
    )


class RowsOut(serializers.Serializer[Any]):
    """A page of rows with the exact total of the view."""

    revision = serializers.IntegerField()
    current = serializers.IntegerField(help_text="The newest revision of these rows.")
    total = serializers.IntegerField()
    rows = RowOut(
        many=True, help_text="At most `limit`; fewer where the page would become larger than 1 MB."
    )
    next = serializers.IntegerField(
        allow_null=True, help_text="The offset of the next page; null on the last."
    )


class CellIn(StrictIn):
    """The new text of one cell; null empties it."""

    row = serializers.IntegerField(min_value=0, max_value=2**53 - 1)
    field = serializers.CharField(max_length=400, trim_whitespace=False)
    text = serializers.CharField(
        allow_null=True, allow_blank=True, trim_whitespace=False, max_length=MAX_CELL
    )


class ProposedValue(serializers.JSONField):
    """A value as it is delivered: a text, a number, true or false, null, or a list of texts."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse objects, lists of other things, and texts that no cell holds."""
        items = data if isinstance(data, list) else [data]
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) < len(items) and isinstance(data, list | dict):
            raise serializers.ValidationError("{member} must be a value, or a list of texts.")
        if sum(map(len, texts)) > MAX_CELL:
            raise serializers.ValidationError(
                coded("{member} is longer than {n1} characters.", n1=MAX_CELL)
            )
        return data


class ProposalIn(StrictIn):
    """A value that a program proposes for one cell; null empties it."""

    row = serializers.IntegerField(min_value=0, max_value=2**53 - 1)
    field = serializers.CharField(max_length=400, trim_whitespace=False)
    value = ProposedValue(allow_null=True)


class RowNumbers(ListIn):
    """Row numbers."""

    child = serializers.IntegerField(min_value=0, max_value=2**53 - 1)


class EditIn(StrictIn):
    """A batch of changes over the rows as they were at ``revision``."""

    revision = serializers.IntegerField(min_value=1)
    edits = ListIn(child=CellIn(), required=False, default=list, max_length=MAX_BATCH)
    proposals = ListIn(
        child=ProposalIn(),
        required=False,
        default=list,
        max_length=MAX_BATCH,
        help_text="Edits that are not made where they lead to an error: `refused` names them.",
    )
    exclude = RowNumbers(required=False, default=list, max_length=MAX_BATCH)
    include = RowNumbers(required=False, default=list, max_length=MAX_BATCH)

    schema: ClassVar = {
        "anyOf": [
            {"required": [change], "properties": {change: {"minItems": 1}}}
            for change in ("edits", "proposals", "exclude", "include")
        ]
    }


class RefusedOut(serializers.Serializer[Refused]):
    """A proposal that was not made."""

    row = serializers.IntegerField()
    field = serializers.CharField()
    code = serializers.CharField(
        help_text="Of the error that it leads to; `read_otherwise` where the field reads another "
        "value."
    )


class ChangedOut(serializers.Serializer[Any]):
    """What a change did: the new revision, the counts, and rows that look different now."""

    revision = serializers.IntegerField()
    counts = CountsField()
    cells = serializers.IntegerField()
    changedRows = serializers.IntegerField(help_text="How many rows look different now.")
    rows = RowOut(many=True, help_text="The first of them: at most 500, and 1 MB.")
    refused = RefusedOut(
        many=True, help_text="Proposals that were not made, since the catalog does not take them."
    )


class RevisionIn(StrictIn):
    """The revision the caller looks at."""

    revision = serializers.IntegerField(min_value=1)


class PointerOut(serializers.Serializer[Any]):
    """Where undo or redo led."""

    revision = serializers.IntegerField()
    counts = CountsField()


class ReplaceIn(StrictIn):
    """Find and replace in some fields of the rows of a view."""

    revision = serializers.IntegerField(min_value=1)
    view = ViewIn(required=False, default=dict)
    inFields = ListIn(
        child=serializers.CharField(max_length=400, trim_whitespace=False),
        min_length=1,
        max_length=100,
    )
    find = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=10_000)
    replace = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=10_000)
    whole = serializers.BooleanField(
        default=False, help_text="The text must be all of the cell; an empty one finds empty cells."
    )
    matchCase = serializers.BooleanField(default=False)
    preview = serializers.BooleanField(default=False, help_text="Only count.")


@extend_schema_field({"type": "boolean", "enum": [True]})
class OnlyTrue(serializers.BooleanField):
    """A wish that is made by true; false would wish nothing."""

    def to_internal_value(self, data: Any) -> bool:
        """Refuse false."""
        if not super().to_internal_value(data):
            raise serializers.ValidationError("{member} must be true, or omitted.")
        return True


class FixIn(StrictIn):
    """Fix the issues of one code at one field: exactly one of readAs, text and exclude."""

    revision = serializers.IntegerField(min_value=1)
    field = serializers.CharField(max_length=400, trim_whitespace=False)
    code = serializers.CharField(max_length=100, trim_whitespace=False)
    readAs = serializers.ChoiceField(choices=READINGS, required=False)
    text = serializers.CharField(
        required=False, allow_null=True, trim_whitespace=False, max_length=MAX_CELL
    )
    exclude = OnlyTrue(required=False, help_text="Leave the rows out.")
    preview = serializers.BooleanField(default=False, help_text="Only count.")

    ways: ClassVar = ("readAs", "text", "exclude")


class SampleOut(serializers.Serializer[Any]):
    """One cell that would change."""

    row = serializers.IntegerField()
    field = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class PreviewOut(serializers.Serializer[Any]):
    """What a change would do: ``cells`` of ``of``, and the first of them."""

    revision = serializers.IntegerField()
    cells = serializers.IntegerField()
    of = serializers.IntegerField(
        help_text="Rows that were looked at; of a fix, those that have the issue."
    )
    byField = serializers.DictField(
        child=serializers.IntegerField(), help_text="How many cells of each field."
    )
    complete = serializers.BooleanField(
        help_text="False: of a large table only the first `of` rows were looked at."
    )
    samples = SampleOut(many=True)


class LostEditOut(serializers.Serializer[Any]):
    """An edit whose cell a new transform no longer has; ``field`` is null for an exclusion."""

    sourceRow = serializers.IntegerField(source="source")
    ordinal = serializers.IntegerField()
    field = serializers.SerializerMethodField()
    text = serializers.CharField(allow_null=True)
    by = serializers.DictField(source="actor", child=serializers.CharField(allow_blank=True))
    at = serializers.DateTimeField()

    def get_field(self, edit: Any) -> str | None:
        """Name the field."""
        return edit.field or None


class LostOut(serializers.Serializer[Any]):
    """The first 1,000 lost edits."""

    items = LostEditOut(many=True, help_text="Fewer where they would be larger than 1 MB.")


class IssueGroupOut(serializers.Serializer[Any]):
    """How many rows, not left out, have one kind of issue."""

    code = serializers.CharField()
    field = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning"])
    count = serializers.IntegerField()
    row = serializers.IntegerField(help_text="The first row with it, from 0.")
    message = serializers.CharField(help_text="Its sentence in that row.")


class IssuesOut(serializers.Serializer[Any]):
    """The issues by code, field and severity, the most frequent first."""

    revision = serializers.IntegerField()
    issues = IssueGroupOut(many=True, help_text="The first of them, where all are above 1 MB.")
