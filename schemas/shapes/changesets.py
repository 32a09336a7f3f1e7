"""The wire shapes of changesets."""

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from changesets.approval.persons import is_another, tighten, who_prepared
from changesets.models import FULL, Changeset
from changesets.proof import answers
from changesets.reversal import receivers_of
from licensing.rights.checker import may_call
from licensing.rights.model import DELETE_KNOWN
from schemas.members import CountsField
from schemas.modes import ModeField
from schemas.moments import MomentField
from schemas.openapi import SAME_AS_WEBHOOK
from schemas.parameters import QueryIn
from schemas.shapes.proofs import ReceiverProofOut
from schemas.shapes.review.questions import Anything
from schemas.shapes.strict import DictIn, StrictIn
from schemas.shapes.targets.catalogs import ActorOut

ON_KNOWN = ["keep", "fillEmpty", "overwrite"]
MODES = [FULL]
APPLY_MODES = ["webhook", "browser"]
APPROVALS = {
    "approval": "changesets_apply_create",
    "secondPerson": "changesets_apply_create",
    "revert": "changesets_revert_create",
}
PROVEN = ("agreed", "differs", "refused", "notAnswered")
AWAITS = ["approval", "secondPerson", "revert"]
STATUSES = ["new", "changed", "unchanged", "unclear"]


class FieldPolicyIn(StrictIn):
    """What the cells of one field do to known values; a page may only narrow it."""

    onKnown = serializers.ChoiceField(
        choices=ON_KNOWN,
        required=False,
        help_text="What a value does to a known one.",
    )
    emptyCells = serializers.ChoiceField(
        choices=["keep", "clear"],
        required=False,
        help_text="What an empty cell does to a known value.",
    )
    conflicts = serializers.ChoiceField(
        choices=["host", "file"],
        required=False,
        help_text="Whose value counts where the host changed it since the last import.",
    )


class ApplyIn(StrictIn):
    """How the rows are applied."""

    applyMode = serializers.ChoiceField(choices=APPLY_MODES, default="webhook")
    invalidRows = serializers.ChoiceField(choices=["block", "exclude", "include"], default="block")
    openQuestions = serializers.ChoiceField(
        choices=["block", "dismiss"],
        default="block",
        help_text="dismiss: use the default of every open question.",
    )
    emptyCells = serializers.ChoiceField(
        choices=["keep", "clear"],
        required=False,
        default="",
        help_text="What an empty cell does to what is known: nothing (keep), or clear it.",
    )
    only = serializers.ChoiceField(
        choices=["new", "changed", "known"],
        required=False,
        default="",
        help_text="Apply rows of this kind alone; the rest is counted as unselected.",
    )
    mode = serializers.ChoiceField(
        choices=MODES,
        required=False,
        default="",
        help_text="full: delete what the scope knows of entries with `fullSync` and no row names. "
        "Refused with `full_sync_refused` where the file may not name everything.",
    )
    confirmMissing = serializers.IntegerField(
        required=False,
        default=None,
        min_value=0,
        max_value=2**53 - 1,
        help_text="Of a full sync: how many entities a person saw that it deletes. Needed above "
        "the catalog's limit (`missing_not_confirmed`); another number is refused.",
    )
    fields = DictIn(  # type: ignore[assignment]  # the wire's name for it
        child=FieldPolicyIn(),
        required=False,
        default=dict,
        help_text="By field path: what its cells do to known values, instead of the catalog's "
        "`onKnown` and `emptyCells`; also the answer to `undecided_fields`.",
    )
    staged = serializers.BooleanField(
        default=False,
        help_text="Wait for approval: changesets/{changeset_id}/apply goes on. More rows than "
        "the catalog's `secondPerson` allows always wait.",
    )


class ChangesetFilters(QueryIn):
    """Which changesets to list."""

    state = serializers.ChoiceField(choices=Changeset.State.choices, required=False)
    recordId = serializers.CharField(source="record__public_id", required=False, max_length=40)
    catalogKey = serializers.CharField(
        source="record__catalog_version__catalog__key", required=False, max_length=200
    )


@extend_schema_serializer(deprecate_fields=["registrationId"])
class RevertNote(serializers.Serializer[Any]):
    """Why a host was not told, or kept its data; or what was changed since."""

    code = serializers.CharField(
        help_text="not_told, registration_gone, body_purged, host_refused, exhausted, cancelled "
        "or changed_since."
    )
    webhookId = serializers.CharField(source="registrationId", required=False)
    registrationId = serializers.CharField(required=False, help_text=SAME_AS_WEBHOOK)
    deliveryId = serializers.CharField(required=False)
    httpStatus = serializers.IntegerField(required=False, allow_null=True)
    answer = serializers.CharField(
        required=False, allow_blank=True, help_text="Blank where a page asks."
    )
    ref = serializers.CharField(required=False)


class DeletesOut(serializers.Serializer[Any]):
    """How many known entities a full sync deletes."""

    entity = serializers.CharField()
    deleted = serializers.IntegerField()
    known = serializers.IntegerField(help_text="How many exactly this scope knew.")


class ChangesetOut(serializers.Serializer[Any]):
    """
    What one apply fixed, and what became of it.

    With ``is_page`` in the context it is not said what a host's server answered.
    """

    id = serializers.CharField(source="public_id")
    recordId = serializers.CharField(source="record.public_id")
    catalogKey = serializers.CharField(source="record.catalog_key")
    state = serializers.ChoiceField(choices=Changeset.State.choices)
    mode = ModeField()
    applyMode = serializers.CharField(source="apply_mode")
    invalidRows = serializers.CharField(source="invalid_rows")
    emptyCells = serializers.SerializerMethodField(method_name="empty_cells")
    only = serializers.CharField(allow_blank=True)
    fields = serializers.DictField(  # type: ignore[assignment]  # the wire's name for it
        source="field_policies",
        child=FieldPolicyIn(),
        help_text="What this apply chose for known values, by field path.",
    )
    deletes = serializers.SerializerMethodField(
        help_text="Of a full sync: how many known entities it deletes, or deleted, by entity.",
    )
    counts = CountsField(
        help_text="rows = imported + excluded + failed + unselected; of the imported ones new, "
        "changed, unchanged and unclear where something was known; deleted: entities, of a full "
        "sync. Of one changeset also agreed, differs (refused ones among them) and notAnswered: "
        "what receivers reported, all together.",
    )
    occurredAt = MomentField(source="occurred_at")
    appliedBy = ActorOut(source="applied_by", allow_null=True)
    awaits = serializers.ChoiceField(
        choices=AWAITS,
        allow_null=True,
        help_text="approval: of a staged apply. secondPerson: of one with more rows than one "
        "person may apply. revert: an applied one waits for a second person to revert it.",
    )
    preparedBy = serializers.SerializerMethodField(
        method_name="prepared_by",
        help_text="Who prepared what a second person approves, and so may not; the first one "
        "asked for it. Empty where any caller with the right may approve.",
    )
    learnedAt = MomentField(source="learned_at", allow_null=True)
    acknowledgedAt = MomentField(source="acknowledged_at", allow_null=True)
    revertedBy = ActorOut(source="reverted_by", allow_null=True)
    hostTold = serializers.SerializerMethodField(
        method_name="host_told",
        help_text="Of a revert: whether any host was told; the rows can be read either way.",
    )
    revertNotes = RevertNote(source="revert_notes", many=True)

    def to_representation(self, changeset: Changeset) -> dict[str, Any]:
        """Leave blank what is not for a page."""
        shown: dict[str, Any] = super().to_representation(changeset)
        if self.context.get("is_page"):
            for note in shown["revertNotes"]:
                note.update({"answer": ""} if "answer" in note else {})
        return shown

    def empty_cells(self, changeset: Changeset) -> str:
        """Keep, unless something else was said."""
        return changeset.empty_cells or "keep"

    @extend_schema_field(DeletesOut(many=True))
    def get_deletes(self, changeset: Changeset) -> list[dict[str, Any]]:
        """Return the counts by entity; empty unless it is a full sync."""
        counts = (changeset.deletes or {}).items()
        return [{"entity": name, "deleted": n, "known": known} for name, (n, known) in counts]

    @extend_schema_field(ActorOut(many=True))
    def prepared_by(self, changeset: Changeset) -> list[Any]:
        """Return who is not a second person."""
        preparers: Any = who_prepared(changeset)
        return list(ActorOut(preparers, many=True).data)

    def host_told(self, changeset: Changeset) -> bool | None:
        """Nothing to say before a revert."""
        return bool(changeset.revert_parts.all()) if changeset.reverted_by else None


@extend_schema_serializer(deprecate_fields=["registrationId"])
class ReceiverOut(serializers.Serializer[Any]):
    """A host that the rows were sent to, and what a revert would do there."""

    webhookId = serializers.CharField(source="registration_id")
    registrationId = serializers.CharField(source="registration_id", help_text=SAME_AS_WEBHOOK)
    label = serializers.CharField(  # type: ignore[assignment]  # DRF knows a label of its own
        allow_blank=True, help_text="What people are told it is; blank if unknown."
    )
    told = serializers.BooleanField(
        source="is_informed", help_text="Whether it would be told, and could take its rows back."
    )
    reason = serializers.CharField(
        allow_blank=True,
        help_text="Why not: not_told (it did not ask), registration_gone, body_purged, "
        "not_delivered (it never took the rows), told_before (it took them back already), or "
        "still_delivering (nothing can be taken back yet).",
    )
    rowCount = serializers.IntegerField(source="row_count", help_text="Rows that it took.")
    until = MomentField(
        allow_null=True,
        help_text="Until when it can be told: what was sent is kept so long, unless the import is "
        "deleted before. null where it is not told.",
    )


class ChangedFieldOut(serializers.Serializer[Any]):
    """A field that differs from what was known."""

    field = serializers.CharField()
    rows = serializers.IntegerField(help_text="In how many rows.")


class ChangesetDetails(ChangesetOut):
    """
    One changeset, and what taking it back would do.

    The ``caller`` in the context decides whether it may be approved.
    """

    mayApprove = serializers.SerializerMethodField(
        method_name="may_approve",
        help_text="Whether this caller may approve what it waits for: `apply` for an apply, "
        "`revert` for a revert.",
    )

    receivers = serializers.SerializerMethodField(
        help_text="Of an applied one: each host that it was sent to. Empty for any other, and for "
        "rows that were fetched."
    )

    changedFields = serializers.SerializerMethodField(
        method_name="changed_fields",
        help_text="Fields that differ from what was known, those of most rows first.",
    )

    proof = serializers.SerializerMethodField(
        help_text="What each receiver reported about the rows, compared with what was delivered; "
        "`counts` has the same of all receivers together."
    )

    def to_representation(self, changeset: Changeset) -> dict[str, Any]:
        """Add what receivers reported to the counts; what waits follows the rules of now."""
        if changeset.state == Changeset.State.STAGED:
            tighten(changeset)
        shown = super().to_representation(changeset)
        if shown["proof"]:
            counted = {name: sum(item[name] for item in shown["proof"]) for name in PROVEN}
            shown["counts"] = {**shown["counts"], **counted}
        return shown

    def may_approve(self, changeset: Changeset) -> bool:
        """Return whether the call that approves would be accepted; agents have no tool for it."""
        caller, awaits = self.context["caller"], changeset.awaits
        if awaits is None or caller.actor.kind == "agent":
            return False
        if awaits != "approval" and not is_another(changeset, caller.actor, is_page=caller.is_page):
            return False
        if changeset.is_full and awaits != "revert" and caller.lacks(DELETE_KNOWN):
            return False
        return may_call(caller, APPROVALS[awaits])

    @extend_schema_field(ReceiverProofOut(many=True))
    def get_proof(self, changeset: Changeset) -> list[Any]:
        """Return the outcomes at each receiver."""
        return list(ReceiverProofOut(answers.receivers_of(changeset), many=True).data)

    @extend_schema_field(ChangedFieldOut(many=True))
    def changed_fields(self, changeset: Changeset) -> list[dict[str, Any]]:
        """Return the counts of the comparison of the rows."""
        return [{"field": name, "rows": n} for name, n in changeset.changed_fields.items()]

    @extend_schema_field(ReceiverOut(many=True))
    def get_receivers(self, changeset: Changeset) -> list[Any]:
        """Return what would happen at each receiver."""
        return list(ReceiverOut(receivers_of(changeset), many=True).data)


class RowsIn(QueryIn):
    """Which rows of a changeset."""

    status = serializers.ChoiceField(choices=STATUSES, required=False, default=None)
    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=500, min_value=1, max_value=10_000)


class KnownDifferenceOut(serializers.Serializer[Any]):
    """A field that differs from what was known."""

    field = serializers.CharField()
    before = Anything(allow_null=True)
    after = Anything(allow_null=True)


class ChangedRowOut(serializers.Serializer[Any]):
    """What a row is; ``row`` counts the delivered rows from 0."""

    row = serializers.IntegerField()
    status = serializers.ChoiceField(choices=STATUSES)
    differences = KnownDifferenceOut(many=True)


class ChangedRowsOut(serializers.Serializer[Any]):
    """A page of rows."""

    items = ChangedRowOut(many=True)
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)


class GraphIn(QueryIn):
    """Which delivered rows."""

    cursor = serializers.IntegerField(required=False, default=0, min_value=0, max_value=2**53 - 1)
    limit = serializers.IntegerField(required=False, default=500, min_value=1, max_value=10_000)


class LinkOut(serializers.Serializer[Any]):
    """The record that one cell names."""

    row = serializers.IntegerField(help_text="Counts the rows of this page from 0.")
    field = serializers.CharField()
    entity = serializers.CharField()
    refs = serializers.ListField(child=serializers.CharField())


class GraphOut(serializers.Serializer[Any]):
    """Entities and links of some delivered rows, as their deliveries have them."""

    entities = serializers.DictField(child=serializers.ListField(child=serializers.DictField()))
    links = LinkOut(many=True)


class RevertIn(StrictIn):
    """How a changeset is taken back."""

    force = serializers.BooleanField(
        default=False, help_text="Although later changes build on it; these stay as they are."
    )
