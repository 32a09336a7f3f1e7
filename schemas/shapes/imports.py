"""The wire shapes of imports."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from common import clock
from deliveries.models import Delivery
from feeds.models import Feed
from imports.advice.recipes import proposed_steps
from imports.inputs import policy_of
from imports.mapping.custom_fields import CUSTOM_TYPES, MOST_CUSTOM
from imports.models import IMPORT_STATES, BulkChange, ImportRecord
from imports.page_policy import Moves
from imports.selectors import named
from pipeline.proposal import REASONS, ProposedColumn
from schemas.localized import LocalizedField, LocalizedProblem
from schemas.members import CountsField, RecipeField
from schemas.modes import ModeField
from schemas.openapi import SAME_AS_WEBHOOK
from schemas.parameters import CreatedFilters
from schemas.shapes.context import OverlayOut
from schemas.shapes.feeds import FeedReasonOut, reasons_in_words
from schemas.shapes.review.bulk_changes import BulkChangeOut
from schemas.shapes.review.host_checks import HostCheckOut
from schemas.shapes.review.questions import ModelStepsOut
from schemas.shapes.strict import DictIn, JsonObject, ListIn, StrictIn
from schemas.shapes.targets.catalogs import ActorOut


class TextMap(DictIn):
    """A JSON object of texts."""

    child = serializers.CharField(trim_whitespace=False, allow_blank=False)


class ImportFilters(CreatedFilters):
    """Which imports to list."""

    state = serializers.ChoiceField(choices=IMPORT_STATES, required=False)
    catalogKey = serializers.CharField(
        source="catalog_version__catalog__key", required=False, max_length=200
    )
    name = serializers.CharField(
        required=False,
        max_length=255,
        trim_whitespace=False,
        help_text="A part of the file's name, in either case.",
    )

    @classmethod
    def narrow(cls, rows: "QuerySet[Any]", query: dict[str, Any]) -> "QuerySet[Any]":
        """Leave what was asked for."""
        name = query.pop("name", None)
        return super().narrow(rows if name is None else named(rows, name), query)


class ProgressOut(serializers.Serializer[ImportRecord]):
    """How far the running job is."""

    stage = serializers.CharField(source="progress.stage")
    done = serializers.IntegerField(source="progress.done")
    total = serializers.IntegerField(source="progress.total", allow_null=True)
    rate = serializers.SerializerMethodField()

    def get_rate(self, record: ImportRecord) -> float | None:
        """Rows a second since the stage began, when it is known."""
        progress = record.progress
        if progress.since is None or not record.is_working or not progress.done:
            return None
        began = datetime.fromisoformat(progress.since)
        return round(progress.done / max(0.001, (clock.now() - began).total_seconds()), 1)


class MovesOut(serializers.Serializer[Moves]):
    """Which moves the caller may make now: a call for one that is false is refused."""

    cancel = serializers.BooleanField(
        help_text="Cancel the import. A page may not cancel what the host's server started."
    )
    undo = serializers.BooleanField(
        help_text="Undo the last change. A page may not undo another person's."
    )
    redo = serializers.BooleanField(help_text="Redo what was undone last.")


@extend_schema_serializer(deprecate_fields=["registrationId"])
class SentOut(serializers.Serializer[Any]):
    """A delivery of an import, and how far it is."""

    id = serializers.CharField()
    webhookId = serializers.CharField()
    registrationId = serializers.CharField(help_text=SAME_AS_WEBHOOK)
    state = serializers.ChoiceField(choices=Delivery.State.choices)
    attempts = serializers.IntegerField()


class SourceOut(serializers.Serializer[Any]):
    """Where the file of an import came from by itself."""

    feedId = serializers.CharField()
    runId = serializers.CharField()
    kind = serializers.ChoiceField(choices=Feed.Kind.choices)
    path = serializers.CharField()
    modifiedAt = serializers.CharField(allow_null=True)


class ImportOut(serializers.Serializer[ImportRecord]):
    """One import."""

    recordId = serializers.CharField(source="public_id")
    catalogKey = serializers.CharField(
        source="catalog_version.catalog.key",
        allow_null=True,
        help_text="Null for a file that was only looked at.",
    )
    catalogVersion = serializers.IntegerField(source="catalog_version.number", allow_null=True)
    state = serializers.ChoiceField(choices=IMPORT_STATES)
    mode = ModeField()
    progress = ProgressOut(source="*")
    counts = CountsField()
    problem = LocalizedProblem(allow_null=True)
    waitsFor = serializers.SerializerMethodField(
        help_text="What a person must do: confirm the mapping, close questions, apply."
    )
    may = serializers.SerializerMethodField(help_text="Which moves the caller may make now.")
    changesetId = serializers.SerializerMethodField(
        method_name="last_changeset", help_text="That of the last apply."
    )
    deliveries = serializers.SerializerMethodField()
    hostCheck = serializers.SerializerMethodField(
        help_text="How far hosts are that check the rows in review; null where none does."
    )
    rowsChange = serializers.SerializerMethodField(
        help_text="The bulk change of its rows that a worker makes now; null where none runs."
    )
    filename = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    duplicateOf = serializers.SerializerMethodField(
        help_text="The import that applied the very same file to this catalog before."
    )
    revision = serializers.IntegerField()
    profile = serializers.JSONField(source="decided.profile", allow_null=True)
    scope = serializers.CharField(allow_blank=True)
    overlay = OverlayOut(
        allow_null=True, help_text="What is special for its customer; null without anything."
    )
    keepUnmapped = serializers.BooleanField(source="keep_unmapped")
    startedFrom = serializers.SerializerMethodField(
        help_text="The import whose file this one took again; null without one."
    )
    corrects = serializers.SerializerMethodField(
        help_text="The import whose exported rows the file brings back; null without one. While "
        "that is in review, they wait among its corrections; else this imports what had failed."
    )
    contractId = serializers.SerializerMethodField(
        help_text="The contract that the file must keep; null without one."
    )
    source = serializers.SerializerMethodField(  # type: ignore[assignment]  # the wire's name
        help_text="The feed that took the file, and where it was; null for every other import."
    )
    waitsBecause = serializers.SerializerMethodField(
        help_text="Why a feed does not apply the import by itself, in words; empty for others."
    )
    startedBy = ActorOut(
        source="started_by",
        allow_null=True,
        help_text="Who started it, as claimed; null for imports of an engine that did not keep it.",
    )
    createdAt = serializers.DateTimeField(source="created_at")
    purgedAt = serializers.DateTimeField(
        source="purged_at",
        allow_null=True,
        help_text="When its bytes and rows were removed; null while they are there.",
    )
    version = serializers.IntegerField()

    def get_contractId(self, record: ImportRecord) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Name the contract, where there is one."""
        return record.contract_id or None

    @extend_schema_field(SourceOut(allow_null=True))
    def get_source(self, record: ImportRecord) -> dict[str, Any] | None:
        """Name the feed, where the file came from one."""
        return None if record.origin is None else dict(SourceOut(record.origin).data)

    @extend_schema_field(FeedReasonOut(many=True))
    def get_waitsBecause(self, record: ImportRecord) -> list[dict[str, Any]]:  # noqa: N802 - camelCase is the schemas
        """Return the reasons, while a person must act."""
        if record.origin is None:
            return []
        if record.state == ImportRecord.State.MAPPING:
            return reasons_in_words([{"code": "mapping_is_new"}])
        in_review = record.state == ImportRecord.State.REVIEW
        return reasons_in_words(record.held or []) if in_review else []

    def get_startedFrom(self, record: ImportRecord) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Name the import that was started again, where it was."""
        return record.started_from or None

    @extend_schema_field(HostCheckOut(allow_null=True))
    def get_hostCheck(self, record: ImportRecord) -> dict[str, Any] | None:  # noqa: N802 - camelCase is the schemas
        """Return the progress of the hosts that check the rows."""
        checks: dict[str, dict[str, Any]] = self.context.get("checks", {})
        return checks.get(record.public_id)

    @extend_schema_field(BulkChangeOut(allow_null=True))
    def get_rowsChange(self, record: ImportRecord) -> dict[str, Any] | None:  # noqa: N802 - camelCase is the schemas
        """Show the bulk change that runs."""
        running: dict[int, BulkChange] = self.context.get("changes", {})
        change = running.get(record.pk)
        return None if change is None else dict(BulkChangeOut(change).data)

    def get_corrects(self, record: ImportRecord) -> str | None:
        """Name the import whose rows come back, where some do."""
        corrected: dict[int, str] = self.context.get("corrects", {})
        return corrected.get(record.corrects_id) if record.corrects_id is not None else None

    def get_duplicateOf(self, record: ImportRecord) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Return whether these bytes were applied before."""
        duplicates: dict[str, str] = self.context.get("duplicates", {})
        return duplicates.get(record.public_id)

    @extend_schema_field(
        {
            "type": "array",
            "items": {"type": "string", "enum": ["mapping", "questions", "apply"]},
        }
    )
    def get_waitsFor(self, record: ImportRecord) -> list[str]:  # noqa: N802 - camelCase is the schemas
        """Return what a person must do next."""
        steps = ["questions"] if record.public_id in self.context.get("asking", ()) else []
        match record.state:
            case ImportRecord.State.MAPPING:
                return steps if steps and record.auto_map else [*steps, "mapping"]
            case ImportRecord.State.REVIEW:
                return [*steps, "apply"]
        return []

    @extend_schema_field(MovesOut)
    def get_may(self, record: ImportRecord) -> dict[str, bool]:
        """Return which moves the caller may make."""
        moves: dict[int, Moves] = self.context["moves"]
        return dict(MovesOut(moves[record.pk]).data)

    def last_changeset(self, record: ImportRecord) -> str | None:
        """Return the changeset of the last apply."""
        changeset: str | None = self.context["changesets"].get(record.public_id)
        return changeset

    @extend_schema_field(SentOut(many=True))
    def get_deliveries(self, record: ImportRecord) -> list[dict[str, Any]]:
        """Return the outcome of the deliveries of this import."""
        deliveries: dict[str, list[dict[str, Any]]] = self.context.get("deliveries", {})
        return deliveries.get(record.public_id, [])


class CreatedOut(ImportOut):
    """A new import, and the token that opens it for a key in a page."""

    importToken = serializers.CharField(
        required=False,
        help_text="Shown once, here. A page key sends it as X-Import-Token with "
        "every call about this import; absent when an Idempotency-Key replays the answer.",
    )


class AlternativeOut(serializers.Serializer[Any]):
    """A field that would also fit."""

    field = serializers.CharField()
    score = serializers.FloatField()


class DecidedOut(serializers.Serializer[Any]):
    """What decided: a contract, a question of this import, or a remembered answer or profile."""

    kind = serializers.ChoiceField(choices=[*REASONS])
    id = serializers.CharField()


class ColumnOut(serializers.Serializer[Any]):
    """What the engine proposes for one source column."""

    column = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    score = serializers.FloatField()
    reason = LocalizedField()
    decidedBy = serializers.SerializerMethodField()
    alternatives = AlternativeOut(many=True)
    samples = serializers.ListField(child=serializers.CharField())

    @extend_schema_field(DecidedOut(allow_null=True))
    def get_decidedBy(self, column: ProposedColumn) -> dict[str, str] | None:  # noqa: N802 - the schemas
        """Name what decided; a profile or an answer can be forgotten by its id."""
        if decider := column.decided_by:
            return {"kind": decider.kind, "id": decider.id}
        return {"kind": "profile", "id": column.learned_from} if column.learned_from else None


class ProposedOut(serializers.Serializer[Any]):
    """A mapping that could be settled as it is."""

    mapping = serializers.DictField(child=serializers.CharField())
    recipe = RecipeField(allow_null=True)


class ProfileUsed(serializers.Serializer[Any]):
    """Which remembered mapping an import follows."""

    id = serializers.CharField()
    version = serializers.IntegerField()


class CustomFieldOut(serializers.Serializer[Any]):
    """A field that a person added, for a column that no field of the catalog takes."""

    field = serializers.CharField(help_text="Its path, as `mapping` and rows name it.")
    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # the wire's name
    columnType = serializers.ChoiceField(choices=CUSTOM_TYPES)


class MappingOut(serializers.Serializer[ImportRecord]):
    """The proposal, column by column and as a whole, and the mapping once it is confirmed."""

    columns = ColumnOut(many=True, source="proposes.columns")
    proposed = ProposedOut()
    mapping = serializers.DictField(child=serializers.CharField(), allow_null=True)
    recipe = RecipeField(allow_null=True)
    profile = ProfileUsed(allow_null=True)
    customFields = serializers.SerializerMethodField(
        help_text="The fields that people added to this import, or to the saved mapping."
    )
    filled = serializers.SerializerMethodField(
        help_text="The fields that have a value without a column: by a default of the context, or "
        "by a text above the table."
    )

    modelSteps = serializers.SerializerMethodField(
        help_text="What a model of the operator's proposes for columns whose values do not fit."
    )

    @extend_schema_field(ModelStepsOut(many=True))
    def get_modelSteps(self, record: ImportRecord) -> list[dict[str, Any]]:  # noqa: N802 - camelCase is the schemas
        """Return the proposals that are not in the recipe yet."""
        return [dict(ModelStepsOut(item).data) for item in proposed_steps(record)]

    @extend_schema_field(CustomFieldOut(many=True))
    def get_customFields(self, record: ImportRecord) -> list[dict[str, Any]]:  # noqa: N802 - camelCase is the schemas
        """Return the definitions, in the order in which they were added."""
        return record.shown_custom_fields

    def get_filled(self, record: ImportRecord) -> list[str]:
        """Return their paths, in the order of the catalog."""
        return policy_of(record, record.file_read).filled


class CustomFieldIn(StrictIn):
    """A column that becomes a field of its own."""

    column = serializers.CharField(max_length=400, trim_whitespace=False)
    label = serializers.CharField(max_length=200)  # type: ignore[assignment]  # the wire's name
    columnType = serializers.ChoiceField(source="column_type", choices=CUSTOM_TYPES)


class MappingIn(StrictIn):
    """The settled mapping: source column to field path."""

    mapping = TextMap(allow_empty=False)
    recipe = JsonObject(required=False, allow_null=True, default=None)
    customFields = ListIn(
        child=CustomFieldIn(),
        required=False,
        default=list,
        max_length=MOST_CUSTOM,
        help_text="Columns that no field takes and that become fields of their own, where an entry "
        "has `allowCustomFields`. Those of an earlier call stay while `mapping` names them.",
    )
    remember = serializers.BooleanField(required=False, default=True)
    allowMissing = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Take it although required fields have no column; each row then has an error.",
    )
