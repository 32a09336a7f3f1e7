"""The wire shapes of test files that are kept with a catalog."""

from rest_framework import serializers

from catalogs.models import RegressionFile
from schemas.localized import LocalizedField
from schemas.moments import MomentField
from schemas.shapes.strict import DictIn, ListIn, StrictIn
from schemas.shapes.targets.catalogs import ActorOut
from tabular.model.i_json import MAX_SAFE_INTEGER


class IssueCount(StrictIn):
    """How many issues of one field and code."""

    field = serializers.CharField(max_length=500)
    code = serializers.CharField(max_length=64)
    severity = serializers.ChoiceField(["error", "warning"])
    count = serializers.IntegerField(min_value=1, max_value=MAX_SAFE_INTEGER)


class Outcome(StrictIn):
    """A summary of the test of a file."""

    problem = serializers.CharField(
        allow_null=True, max_length=64, help_text="Why the file cannot be read; null: it can."
    )
    columns = DictIn(
        child=serializers.CharField(allow_null=True, max_length=500),
        help_text="Column to field path; null: it feeds none.",
    )
    missing = ListIn(child=serializers.CharField(max_length=500), max_length=5_000)
    issues = ListIn(child=IssueCount(), max_length=10_000)
    questions = serializers.IntegerField(min_value=0, max_value=MAX_SAFE_INTEGER)


class KeepIn(StrictIn):
    """A tested file to be kept."""

    recordId = serializers.CharField(max_length=40, help_text="Of a test of this catalog's draft.")
    name = serializers.CharField(max_length=255)
    expected = Outcome(required=False, help_text="What it gave, when absent.")


class ExpectIn(StrictIn):
    """What is expected of a kept file from now on."""

    expected = Outcome()


class LastRunOut(serializers.Serializer[RegressionFile]):
    """The outcome of the last run."""

    state = serializers.ChoiceField(["passes", "fails", "never"])
    at = MomentField(source="ran_at", allow_null=True)
    etag = serializers.CharField(allow_blank=True, help_text="Of the draft that was tested.")
    recordId = serializers.CharField(source="record_id", allow_blank=True)
    got = Outcome(allow_null=True)
    differences = serializers.ListField(child=LocalizedField())


class KeptTestOut(serializers.Serializer[RegressionFile]):
    """A kept test file."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    filename = serializers.CharField()
    size = serializers.IntegerField()
    createdAt = MomentField(source="created_at")
    createdBy = ActorOut(source="created_by")
    expected = Outcome()
    last = LastRunOut(source="*")
    running = serializers.SerializerMethodField()

    def get_running(self, test: RegressionFile) -> bool:
        """Return whether a worker is running it."""
        return test.public_id in self.context.get("running", ())
