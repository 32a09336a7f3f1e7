"""Tool input schemas."""

from rest_framework import serializers

from agents.bounds import MOST_ITEMS
from changesets.proof.reconciliation import OUTCOMES
from ledger.models import Question
from schemas.shapes.changesets import FieldPolicyIn
from schemas.shapes.context import CustomerIn
from schemas.shapes.imports import TextMap
from schemas.shapes.plans import PLANNED
from schemas.shapes.review.questions import AnswerIn
from schemas.shapes.strict import DictIn, JsonObject, Meta, StrictIn

RECORD = "An import: recordId of analyze_file, or of a file uploaded over HTTP."


def _limit() -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, default=50, min_value=1, max_value=MOST_ITEMS, help_text="Most items."
    )


def _cursor(help_text: str = "`next` of the answer before.") -> serializers.CharField:
    return serializers.CharField(required=False, max_length=100, help_text=help_text)


class FileIn(StrictIn):
    """A file: exactly one of text, base64, path and recordId."""

    text = serializers.CharField(
        required=False,
        trim_whitespace=False,
        help_text="The file's content, when it is text such as CSV or JSON.",
    )
    base64 = serializers.CharField(
        required=False, help_text="The bytes of any file of at most 8 MB, in base64."
    )
    path = serializers.CharField(
        required=False,
        max_length=4_096,
        help_text="A file below the folder that a process on this machine may read; stdio only.",
    )
    recordId = serializers.CharField(required=False, max_length=64, help_text=RECORD)
    filename = serializers.CharField(
        required=False, max_length=255, help_text="The file's name; its bytes decide its format."
    )


class ProposeIn(FileIn, CustomerIn):
    """A file, the catalog it goes into, and what is special for one customer of the host."""

    catalogKey = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Key of list_catalogs; may be left out when exactly one is published.",
    )
    scope = serializers.CharField(
        required=False,
        max_length=200,
        trim_whitespace=False,
        help_text="One customer of the host: answers and mappings are remembered for it alone.",
    )
    meta = Meta(
        required=False, help_text="Delivered with the rows as it came. At most 16 KiB of JSON."
    )
    keepUnmapped = serializers.BooleanField(
        required=False, help_text="Also deliver the unmapped columns, as `unmapped`."
    )


class PageIn(StrictIn):
    """A page of a list."""

    cursor = _cursor()
    limit = _limit()


class ColumnsIn(StrictIn):
    """An import, and from which column on."""

    recordId = serializers.CharField(max_length=64, help_text=RECORD)
    offset = serializers.IntegerField(
        required=False, default=0, min_value=0, help_text="Columns to pass over: `next`."
    )


class MappedIn(StrictIn):
    """An import, and a mapping to use instead of its own."""

    recordId = serializers.CharField(max_length=64, help_text=RECORD)
    mapping = TextMap(
        required=False,
        help_text="Instead of the mapping that resolved_mapping shows: source column to field "
        "path.",
    )
    recipe = JsonObject(
        required=False, allow_null=True, help_text="Cleaning steps, with `mapping` only."
    )


class ToResolveIn(StrictIn):
    """An import whose references are looked at; and, once it is applied, which of its rows."""

    recordId = serializers.CharField(max_length=64, help_text=RECORD)
    offset = serializers.IntegerField(
        required=False, default=0, min_value=0, help_text="Applied rows to pass over."
    )
    limit = serializers.IntegerField(
        required=False, default=20, min_value=1, max_value=MOST_ITEMS, help_text="Applied rows."
    )


class PlanIn(StrictIn):
    """An import, and which items of its plan to show."""

    recordId = serializers.CharField(max_length=64, help_text=RECORD)
    status = serializers.ChoiceField(
        choices=PLANNED,
        required=False,
        help_text="Rows of this status alone; missing: what is known and no row names.",
    )
    cursor = serializers.CharField(
        required=False, default="", max_length=300, help_text="`next` of the answer before."
    )
    limit = serializers.IntegerField(
        required=False, default=20, min_value=1, max_value=MOST_ITEMS, help_text="Most items."
    )


class DryRunIn(MappedIn):
    """Which rows of a dry run to show."""

    onlyErrors = serializers.BooleanField(
        required=False, default=False, help_text="Only rows with an error."
    )
    offset = serializers.IntegerField(
        required=False, default=0, min_value=0, help_text="Rows to pass over: `next`."
    )
    limit = serializers.IntegerField(
        required=False, default=20, min_value=0, max_value=MOST_ITEMS, help_text="Most rows."
    )


class ExecuteIn(MappedIn):
    """How to apply an import."""

    allowMissing = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Take a `mapping` although required fields have no column; each row then has an "
        "error.",
    )
    invalidRows = serializers.ChoiceField(
        choices=["block", "exclude", "include"],
        default="block",
        help_text="block: refuse while rows have errors. exclude: leave them out. include: "
        "deliver them with null for what is invalid.",
    )
    openQuestions = serializers.ChoiceField(
        choices=["block", "dismiss"],
        required=False,
        help_text="block: refuse while questions are open. dismiss: use their defaults. Left out: "
        "as fixed for the import, else block.",
    )
    applyMode = serializers.ChoiceField(
        choices=["webhook", "browser"],
        default="webhook",
        help_text="webhook: deliver to the registered backend. browser: rows are fetched.",
    )
    fields = DictIn(  # type: ignore[assignment]  # the wire's name for it
        child=FieldPolicyIn(),
        required=False,
        default=dict,
        help_text="By field path: what its cells do to known values. The answer to "
        "`undecided_fields`; ask the person first.",
    )
    mode = serializers.ChoiceField(
        choices=["full"],
        required=False,
        default="",
        help_text="full: delete what is known and missing from the file. It waits for approval by "
        "a person; ask before you send it.",
    )
    idempotencyKey = serializers.CharField(
        required=False,
        max_length=255,
        help_text="A value of your own. The same call with the same value applies once.",
    )


class QuestionsIn(PageIn):
    """Which questions to list."""

    recordId = serializers.CharField(
        required=False, max_length=64, help_text="Of one import; else of all that are yours."
    )
    state = serializers.ChoiceField(
        choices=Question.State.choices, required=False, default=Question.State.OPEN
    )


class ToAnswerIn(AnswerIn):
    """An answer to a question."""

    questionId = serializers.CharField(max_length=64, help_text="`id` of list_questions.")


class ToDismissIn(StrictIn):
    """A question whose default applies."""

    questionId = serializers.CharField(max_length=64, help_text="`id` of list_questions.")


class ChangesetsIn(PageIn):
    """Which changesets to list."""

    recordId = serializers.CharField(required=False, max_length=64, help_text="Of one import.")


class ChangesetIn(StrictIn):
    """A changeset, and which of its rows to show."""

    changesetId = serializers.CharField(max_length=64, help_text="`id` of list_changesets.")
    offset = serializers.IntegerField(
        required=False, default=0, min_value=0, help_text="Rows to pass over: `next`."
    )
    limit = serializers.IntegerField(
        required=False, default=20, min_value=0, max_value=MOST_ITEMS, help_text="Most rows."
    )


class ToProveIn(StrictIn):
    """A changeset, and which rows to compare."""

    changesetId = serializers.CharField(max_length=64, help_text="`id` of list_changesets.")
    outcome = serializers.ChoiceField(
        choices=OUTCOMES, required=False, default=None, help_text="Only rows with this outcome."
    )
    webhookId = serializers.CharField(
        required=False, default="", max_length=40, help_text="Of one receiver; else of all."
    )
    cursor = serializers.IntegerField(
        required=False, default=0, min_value=0, help_text="`next` of the answer before."
    )
    limit = _limit()


class ToRevertIn(StrictIn):
    """A changeset to take back."""

    changesetId = serializers.CharField(max_length=64, help_text="`id` of list_changesets.")
    force = serializers.BooleanField(
        required=False, default=False, help_text="Although later applies build on it."
    )
