"""The wire shapes of how imports into a catalog went, and of what the catalog could gain."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from analytics.by_catalog.journeys import STEPS
from analytics.by_catalog.screens import STEPS as SCREENS
from analytics.days import KEPT
from schemas.localized import LocalizedField
from schemas.parameters import QueryIn
from schemas.shapes.strict import ListIn, StrictIn
from schemas.shapes.targets.contracts import AnyJson
from workflow.proposals import STATES

DAYS = 30


class DaysIn(QueryIn):
    """How many days are counted, up to today (UTC)."""

    days = serializers.IntegerField(
        required=False, min_value=1, max_value=KEPT.days, help_text=f"{DAYS} when absent."
    )


class StepOut(serializers.Serializer[Any]):
    """How many imports did a step, and what became of those that went no further."""

    step = serializers.ChoiceField(STEPS, source="name")
    imports = serializers.IntegerField()
    share = serializers.FloatField(
        allow_null=True, help_text="Of the uploads, 0 to 1; null without any."
    )
    medianSeconds = serializers.FloatField(
        source="seconds", allow_null=True, help_text="Since the step before, within a tenth."
    )
    gaveUp = serializers.IntegerField(source="gave_up", help_text="Canceled or deleted by people.")
    left = serializers.IntegerField(help_text="Deleted by retention: no person went on.")
    waiting = serializers.IntegerField(help_text="Not over; failed imports are among them.")


class ScreenOut(serializers.Serializer[Any]):
    """How long people saw a step of the widget, and where they closed the page."""

    step = serializers.ChoiceField(SCREENS, source="name")
    seen = serializers.IntegerField(help_text="How often the step was left for another, or closed.")
    medianSeconds = serializers.FloatField(
        source="seconds", allow_null=True, help_text="Within a tenth; null if it was never seen."
    )
    closed = serializers.IntegerField(
        help_text="How often the page was closed there before the import had ended."
    )


class StepTimeIn(StrictIn):
    """How long a person saw a step of the widget."""

    step = serializers.ChoiceField(SCREENS)
    seconds = serializers.FloatField(min_value=0)
    left = serializers.BooleanField(default=False, help_text="true: the page is closed there.")


class CostlyQuestionOut(serializers.Serializer[Any]):
    """Questions of one kind about one field that people answered, dismissed or left open."""

    kind = serializers.CharField()
    field = serializers.SerializerMethodField(help_text="Field path; null: about no field.")
    questions = serializers.IntegerField()
    seconds = serializers.IntegerField(
        help_text="Until the answers, all together; each counts for 600 at most."
    )
    leftOpen = serializers.IntegerField(
        source="left_open", help_text="Open when an import was given up or deleted."
    )

    @extend_schema_field({"type": "string", "nullable": True})
    def get_field(self, question: Any) -> str | None:
        """Return the path, or null."""
        return question.field or None


class IssueKindOut(serializers.Serializer[Any]):
    """Issues of one code that rows had before people corrected them."""

    code = serializers.CharField(source="name")
    imports = serializers.IntegerField()
    issues = serializers.IntegerField(source="cells")


class EditedFieldOut(serializers.Serializer[Any]):
    """A field whose cells people edited."""

    field = serializers.CharField(source="name")
    imports = serializers.IntegerField()
    cells = serializers.IntegerField()


class CorrectedHeaderOut(serializers.Serializer[Any]):
    """A header that people mapped otherwise than was proposed."""

    header = serializers.CharField(allow_null=True, help_text="null: the column had none.")
    field = serializers.CharField(allow_null=True, help_text="Field path; null: not mapped.")
    imports = serializers.IntegerField()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Write null for what is empty."""
        return {
            "header": instance.header or None,
            "field": instance.field or None,
            "imports": instance.imports,
        }


class CorrectedTextOut(serializers.Serializer[Any]):
    """A text that people took for an option of a field."""

    field = serializers.CharField()
    text = serializers.CharField()
    value = AnyJson(allow_null=True, help_text="Of the option; null: none.")
    imports = serializers.IntegerField()


class ProposalDifferenceOut(serializers.Serializer[Any]):
    """What is different in a test file with the addition."""

    test = serializers.CharField(help_text="Name of the test file.")
    detail = LocalizedField(source="sentence")


class ProposalOut(serializers.Serializer[Any]):
    """An addition to the catalog that corrections suggest."""

    id = serializers.CharField(source="proposal.addition.id")
    kind = serializers.ChoiceField(
        ["alias", "option", "detector"],
        source="proposal.addition.kind",
        help_text="`alias`: `text` is another header of the field. `option`: it is another name of "
        "the option `value`. `detector`: it is the column type that is detected.",
    )
    field = serializers.CharField(source="proposal.addition.field")
    text = serializers.CharField(source="proposal.addition.text")
    value = AnyJson(source="proposal.addition.value", allow_null=True)
    imports = serializers.IntegerField(source="proposal.imports")
    state = serializers.ChoiceField(
        STATES, help_text="Only what `passes` every test file may be added to the draft."
    )
    differences = ProposalDifferenceOut(many=True)


class ProposalsOut(serializers.Serializer[Any]):
    """What the draft, or else the published version, could gain."""

    version = serializers.IntegerField(
        source="base.number", allow_null=True, default=None, help_text="null: nothing is proposed."
    )
    tests = serializers.IntegerField(help_text="Test files that each proposal is tested with.")
    items = ProposalOut(many=True)


class AnalyticsOut(serializers.Serializer[Any]):
    """How imports into a catalog went, and what people had to correct."""

    since = serializers.DateField(source="report.since", help_text="The first day (UTC).")
    steps = StepOut(many=True, source="report.steps")
    screens = ScreenOut(
        many=True, source="report.screens", help_text="What the widget reports; else zeros."
    )
    questions = CostlyQuestionOut(many=True, source="report.questions")
    issues = IssueKindOut(many=True, source="report.issues")
    edits = EditedFieldOut(many=True, source="report.edits")
    headers = CorrectedHeaderOut(many=True)
    texts = CorrectedTextOut(
        many=True, allow_null=True, help_text="null: the caller may not see cells."
    )
    proposals = ProposalsOut(source="offers")


class AddIn(StrictIn):
    """Which proposals are added."""

    proposals = ListIn(
        child=serializers.CharField(max_length=16), min_length=1, max_length=10,
        help_text="Their ids; each passed its tests.",
    )  # fmt: skip
