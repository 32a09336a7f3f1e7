"""An import: one file from upload to typed, delivered rows."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from catalogs.models import CatalogVersion
from common import clock
from common.actors import Actor
from common.json_text import JsonTextField, WordedJsonField
from common.typed_json import Column, TypedJsonField
from common.work.claims import Claimable
from common.work.life import Detail
from imports.bulk_changes.model import BulkChange as BulkChange
from imports.exports.model import Workbook as Workbook
from imports.host_checks.model import HostCheck as HostCheck
from imports.mapping.custom_fields import overlay_with, shown_fields
from imports.parts import Decided, Failure, Parsed, Progress
from licensing.models import Tenant
from pipeline.draft import MappingDraft, saved_draft
from pipeline.proposal import Proposal
from tabular.model.catalog import Catalog
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import choices_of
from tabular.protocol.results import FileRead, file_read_kept


class ImportRecord(Claimable):
    """One file, its mapping and its rows, from received to applied."""

    class State(models.TextChoices):
        """The state of an import; the comments say who has to act."""

        RECEIVED = "received"  # bytes are arriving
        READING = "reading"  # a worker reads and proposes
        MAPPING = "mapping"  # a person confirms the mapping
        TRANSFORMING = "transforming"  # a worker converts and validates
        REVIEW = "review"  # a person reviews the rows
        APPLYING = "applying"  # a worker writes the deliveries
        STAGED = "staged"  # a person approves what is applied
        APPLIED = "applied"  # rows frozen, deliveries committed
        CHECKED = "checked"  # the report of a check is ready
        REVERTING = "reverting"  # a worker notifies the hosts
        REVERTED = "reverted"  # the apply was reverted
        FAILED = "failed"  # a problem has the reason; can be retried
        CANCELLED = "cancelled"  # given up

    class Purpose(models.TextChoices):
        """Why a file was uploaded."""

        IMPORT = "import"
        SAMPLE = "sample"
        CHECK = "check"
        CORRECTION = "correction"
        INFER = "infer"  # a catalog is inferred from it
        TEST = "test"  # a draft is tested with it
        IMPACT = "impact"  # a draft is tested with existing rows; has no file

    S = State
    WORKING = frozenset({S.RECEIVED, S.READING, S.TRANSFORMING, S.APPLYING, S.REVERTING})
    REVOKED = frozenset({S.CANCELLED})
    SAME_WAIT = frozenset({S.READING, S.MAPPING, S.TRANSFORMING, S.REVIEW, S.STAGED})
    ENDED = frozenset({S.APPLIED, S.REVERTED, S.CHECKED, S.CANCELLED})
    _stop = frozenset({S.FAILED, S.CANCELLED})
    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        S.RECEIVED: _stop | {S.READING},
        S.READING: _stop | {S.MAPPING, S.TRANSFORMING, S.CHECKED},
        S.MAPPING: _stop | {S.TRANSFORMING, S.READING},
        S.TRANSFORMING: _stop | {S.REVIEW},
        S.REVIEW: _stop | {S.APPLYING, S.READING, S.TRANSFORMING},
        S.APPLYING: _stop | {S.APPLIED, S.REVIEW, S.STAGED},
        S.STAGED: _stop | {S.APPLYING, S.REVIEW},
        S.APPLIED: frozenset({S.REVERTING}),
        S.REVERTING: frozenset({S.REVERTED, S.APPLIED, S.FAILED}),
        S.FAILED: WORKING | {S.CANCELLED},
    }

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="imports")
    catalog_version = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, null=True, related_name="+"
    )
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.IMPORT)
    corrects = models.ForeignKey(  # the import whose exported rows this file corrects
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="corrections"
    )
    retried_rows = JsonTextField(null=True, blank=True)  # ranges of rows of `corrects` applied here
    started_from = models.CharField(max_length=40, blank=True)  # the import whose file it reuses
    license_id = models.CharField(max_length=64, blank=True)
    session_id = models.CharField(max_length=40, blank=True)  # the page session that created it
    started_by = JsonTextField(null=True, blank=True)  # the actor; null before it was recorded
    from_page = models.BooleanField(default=False)  # created by a page of an unknown user
    token_sha256 = models.CharField(max_length=64, blank=True)  # hash of the token its page shows
    created_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True, blank=True)
    purged_at = models.DateTimeField(null=True, blank=True)

    filename = models.CharField(max_length=255, blank=True)
    file = models.CharField(max_length=200, blank=True)  # storage name
    size = models.PositiveBigIntegerField(default=0)  # bytes
    sha256 = models.CharField(max_length=64, blank=True)

    meta = JsonTextField(null=True, blank=True)  # the host's context, delivered unchanged
    context = JsonTextField(default=dict)  # defaults and options of this import
    overlay = JsonTextField(null=True, blank=True)  # what is special for it: imports.customization
    contract_id = models.CharField(max_length=71, blank=True)  # sha256:..., of the contract it uses
    contract = JsonTextField(null=True, blank=True)  # its Terms
    report = WordedJsonField(null=True, blank=True)  # of a check or a preview
    tested_against = JsonTextField(null=True, blank=True)  # what a file is tested against
    auto_map = models.BooleanField(default=False)
    passwords_tried = models.PositiveSmallIntegerField(default=0, db_default=0)  # wrong ones
    keep_unmapped = models.BooleanField(default=False)  # deliver unmapped columns with the rows
    scope = models.CharField(max_length=200, blank=True)  # whose memory it uses: see Profile
    parsed: "Column[Parsed]" = TypedJsonField(Parsed, default=Parsed)
    decided: "Column[Decided]" = TypedJsonField(Decided, default=Decided)
    progress: "Column[Progress]" = TypedJsonField(Progress, default=Progress)
    failure: "Column[Failure | None]" = TypedJsonField(Failure, null=True, blank=True)
    source = models.CharField(max_length=200, blank=True)  # storage folder with source.arrow
    revision = models.PositiveIntegerField(default=0)
    checked_revision = models.PositiveIntegerField(default=0)  # hosts were asked about it; 0: none
    counts = JsonTextField(default=dict)
    origin = JsonTextField(null=True, blank=True)  # of a file that arrived by itself: its feed
    held = JsonTextField(null=True, blank=True)  # why its feed does not apply it; null: undecided
    announced_wait = models.CharField(  # for and why, as announced last; empty: not announced
        max_length=100, blank=True, default="", db_default=""
    )

    class Meta:
        permissions = (
            ("review_importrecord", "Can see and change the rows and files of import records"),
        )
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "-public_id"], name="imports_of_a_tenant"),
            models.Index(fields=["tenant", "state", "-public_id"], name="imports_by_state"),
            models.Index(fields=["tenant", "scope", "-public_id"], name="imports_of_a_scope"),
            models.Index(fields=["tenant", "created_at"], name="imports_by_time"),
            models.Index(
                fields=["tenant", "purpose", "filename", "public_id"], name="imports_by_name"
            ),
            models.Index(fields=["tenant", "sha256"], name="imports_of_the_same_bytes"),
            models.Index(
                fields=["due_at"], name="imports_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(
                fields=["state"],
                name="imports_not_ended",
                condition=~models.Q(state__in=["applied", "reverted", "checked", "cancelled"]),
            ),
            models.Index(
                fields=["checked_revision"],
                name="imports_that_hosts_check",
                condition=models.Q(state="review", checked_revision__gt=0),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="a_failed_import_says_why",
                condition=~models.Q(state="failed") | models.Q(failure__isnull=False),
            )
        ]

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return what is due, and forget an announced wait where a state ends it."""
        columns = super().entered(state, at=at, actor=actor, reason=reason)
        return columns if state in self.SAME_WAIT else {**columns, "announced_wait": ""}

    def log_members(self) -> dict[str, Detail]:
        """Return the tenant, the counts, the age, and the code of the problem that ended it."""
        counts = {name: n for name, n in (self.counts or {}).items() if isinstance(n, int)}
        return {
            "tenant": self.tenant.public_id,
            "revision": str(self.revision or ""),
            **counts,
            "seconds": (clock.now() - self.created_at).total_seconds(),
            "cause": str(self.problem.get("code", "")) if self.problem else "",
        }

    def __str__(self) -> str:
        return self.public_id

    @property
    def is_working(self) -> bool:
        """Return whether a worker is, or should be, working on this import."""
        return self.state in self.WORKING

    @property
    def is_worked_on(self) -> bool:
        """Return whether waiting helps: a worker has work to do, and all bytes have arrived."""
        return self.is_working and self.state != self.State.RECEIVED

    @property
    def target(self) -> Catalog:
        """
        The catalog this import maps to, with the fields of its customer.

        Raises LookupError for a sample without one. Options of the context are not in it: a plan
        keeps both.
        """
        return self.with_custom_fields(self.decided.custom_fields)

    def with_custom_fields(self, custom: list[dict[str, Any]] | None) -> Catalog:
        """Return ``target`` with other fields that a person added."""
        return self._version.as_catalog(overlay_with(self.overlay, custom))

    @property
    def offered(self) -> Catalog:
        """What people and the matcher are offered: ``target`` with the options of the context."""
        return self._version.as_catalog(self._whole_overlay, self.context.get("options"))

    @property
    def offered_text(self) -> str:
        """The document of ``offered``. Raises LookupError for a sample without one."""
        return self._version.document_with(self._whole_overlay, self.context.get("options"))

    @property
    def shown_custom_fields(self) -> list[dict[str, Any]]:
        """The definitions of the fields that a person added, as callers and receivers see them."""
        custom = self.decided.custom_fields
        return shown_fields(custom, self.target.key_separator) if custom else []

    @property
    def _whole_overlay(self) -> dict[str, Any] | None:
        return overlay_with(self.overlay, self.decided.custom_fields)

    @property
    def _version(self) -> CatalogVersion:
        if self.catalog_version is None:
            raise LookupError(f"{self.public_id} has no catalog")
        return self.catalog_version

    @property
    def catalog_key(self) -> str:
        """The key of the catalog; empty for a sample without one."""
        return self.catalog_version.catalog.key if self.catalog_version else ""

    @property
    def catalog_number(self) -> int | None:
        """The number of the catalog version; None for a sample without one."""
        return self.catalog_version.number if self.catalog_version else None

    @property
    def problem(self) -> dict[str, Any] | None:
        """Why it failed; None if it did not."""
        return self.failure.problem if self.failure else None

    @property
    def mapping(self) -> dict[str, str] | None:
        """The confirmed mapping, column to field path; None before one is."""
        return self.decided.mapping

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The recipe that goes with the mapping."""
        return self.decided.recipe

    @property
    def chosen(self) -> ReadingChoices:
        """A person's choices about how the file is read."""
        return choices_of(self.parsed.choices)

    @property
    def file_read(self) -> FileRead | None:
        """The result of reading the file; None before it was read, and after it is purged."""
        reading = self.parsed.reading
        if not reading:
            return None
        kept = self.__dict__.get("_file_read")
        if kept is None or kept[0] is not reading:
            kept = self._file_read = (reading, file_read_kept(reading))
        read: FileRead = kept[1]
        return read

    @property
    def proposes(self) -> Proposal:
        """The proposal for its columns; empty before the file was read, and after it is purged."""
        proposed = self.parsed.proposal
        kept = self.__dict__.get("_proposes")
        if kept is None or kept[0] is not proposed:
            kept = self._proposes = (proposed, Proposal.kept(proposed))
        proposal: Proposal = kept[1]
        return proposal

    @property
    def proposed(self) -> MappingDraft:
        """The mapping that the proposal and the answers so far lead to."""
        return self.proposes.draft

    @property
    def proposed_mapping(self) -> dict[str, str]:
        """The mapping of ``proposed``, column to field path."""
        return dict(self.proposed.mapping)


class ImportSnapshot(models.Model):
    """A snapshot of an import's inputs for some rows, taken when other rows replaced them."""

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="snapshots")
    transform = models.PositiveIntegerField()  # the revision that created the rows
    source = models.CharField(max_length=200, blank=True)
    parsed: "Column[Parsed]" = TypedJsonField(Parsed)
    decided: "Column[Decided]" = TypedJsonField(Decided)
    progress: "Column[Progress]" = TypedJsonField(Progress)
    counts = JsonTextField()  # those of the file, which a revision does not know
    questions = WordedJsonField()  # its questions, with their answers

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record", "transform"], name="a_transform_has_one_snapshot"
            )
        ]

    def __str__(self) -> str:
        return f"{self.record_id} r{self.transform}"


IMPORT_STATES = [  # states of an import; a check has an end state of its own
    choice for choice in ImportRecord.State.choices if choice[0] != ImportRecord.State.CHECKED
]


class Profile(models.Model):
    """
    A saved mapping and recipe for one header of one catalog; each change counts a version.

    ``scope`` separates the customers of one host: nothing is learned from another scope's files.
    """

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="profiles")
    scope = models.CharField(max_length=200, blank=True)
    catalog_key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)  # of the header's names, in order
    columns = JsonTextField()
    header_row = models.PositiveIntegerField(null=True, blank=True)  # 0-based, in the latest file
    mapping = JsonTextField()
    recipe = JsonTextField(null=True, blank=True)
    custom_fields = JsonTextField(null=True, blank=True)  # as in ``Decided``
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()
    saved_by = JsonTextField()  # an Actor
    taught_by = JsonTextField(default=list)  # public ids of the imports mapped this way

    def draft_for(self, columns: Sequence[str], fields: Collection[str]) -> MappingDraft | None:
        """
        Return it for a header with its fingerprint; None if it can no longer be used.

        A header may differ in case and blanks, but a recipe names columns exactly. fields: the
        fields in use.
        """
        has_all = set(self.columns) <= set(columns)
        if self.recipe and not has_all:
            return None
        if not set(self.mapping.values()) <= set(fields):
            return None
        name = {} if has_all else dict(zip(self.columns, columns, strict=True))
        mapping = {name.get(column, column): path for column, path in self.mapping.items()}
        return saved_draft(mapping, self.recipe)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "scope", "catalog_key", "fingerprint"],
                name="a_header_has_one_profile",
            )
        ]

    def __str__(self) -> str:
        return self.public_id


class Chunk(models.Model):
    """Consecutive bytes of an announced file that arrived in one request."""

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="chunks")
    start = models.PositiveBigIntegerField()  # offset of its first byte in the file
    size = models.PositiveBigIntegerField()  # bytes
    sha256 = models.CharField(max_length=64)
    file = models.CharField(max_length=200)  # storage name

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["record", "start"], name="a_byte_arrives_once")
        ]

    def __str__(self) -> str:
        return f"{self.record_id} from {self.start}"
