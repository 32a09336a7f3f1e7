"""An import: one file on its way to typed, delivered rows."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models

from catalogs.models import CatalogVersion
from common import clock
from common.claims import Claimable
from common.json_text import JsonTextField
from common.life import Told
from imports.bulk_changes.model import BulkChange as BulkChange
from imports.column_answers import Draft
from imports.host_checks.model import HostCheck as HostCheck
from imports.proposal import Proposal
from licensing.models import Tenant
from tabular.model.catalog import Catalog
from tabular.model.places import ReadingChoices
from tabular.protocol.requests import choices_of
from tabular.protocol.results import FileRead, file_read_kept


class ImportRecord(Claimable):
    """One file, its mapping and its rows, from received to applied."""

    class State(models.TextChoices):
        """Where an import stands; the comment says who holds it."""

        RECEIVED = "received"  # bytes are arriving
        READING = "reading"  # a worker reads and proposes
        MAPPING = "mapping"  # somebody settles the mapping
        TRANSFORMING = "transforming"  # a worker types and validates
        REVIEW = "review"  # somebody looks at the rows
        APPLYING = "applying"  # a worker writes the deliveries
        STAGED = "staged"  # somebody takes a second look at what is applied
        APPLIED = "applied"  # rows frozen, deliveries committed
        CHECKED = "checked"  # a check's report is there
        REVERTING = "reverting"  # a worker has the hosts told
        REVERTED = "reverted"  # taken back
        FAILED = "failed"  # a problem says why; can be retried
        CANCELLED = "cancelled"  # given up

    class Purpose(models.TextChoices):
        """Why a file entered."""

        IMPORT = "import"
        SAMPLE = "sample"
        CHECK = "check"
        CORRECTION = "correction"
        INFER = "infer"  # a catalog is made of it
        TEST = "test"  # a draft is tried on it
        IMPACT = "impact"  # a draft is tried on rows that are there; it has no file

    S = State
    WORKING = frozenset({S.RECEIVED, S.READING, S.TRANSFORMING, S.APPLYING, S.REVERTING})
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
    corrects = models.ForeignKey(  # the import whose exported rows this file brings back
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="corrections"
    )
    brings = JsonTextField(null=True, blank=True)  # ranges of its rows that this import applies
    started_from = models.CharField(max_length=40, blank=True)  # the import whose file it takes
    license_id = models.CharField(max_length=64, blank=True)
    session_id = models.CharField(max_length=40, blank=True)  # of the page's session that made it
    from_page = models.BooleanField(default=False)  # made by a page that no known customer uses
    token_sha256 = models.CharField(max_length=64, blank=True)  # of the token its page shows
    created_at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True, blank=True)
    purged_at = models.DateTimeField(null=True, blank=True)

    filename = models.CharField(max_length=255, blank=True)
    file = models.CharField(max_length=200, blank=True)  # storage name
    size = models.PositiveBigIntegerField(default=0)  # bytes
    sha256 = models.CharField(max_length=64, blank=True)

    meta = JsonTextField(null=True, blank=True)  # host context, delivered as it came
    context = JsonTextField(default=dict)  # defaults and options of this import
    contract_id = models.CharField(max_length=71, blank=True)  # sha256:..., that it is made under
    contract = JsonTextField(null=True, blank=True)  # what it lays down: see agreed
    report = JsonTextField(null=True, blank=True)  # of a check or a trial
    trial = JsonTextField(null=True, blank=True)  # what a file is tried against
    auto_map = models.BooleanField(default=False)
    keep_unmapped = models.BooleanField(default=False)  # deliver what feeds no field, beside rows
    choices = JsonTextField(default=dict)  # what somebody settled about the file: see chosen
    reading = JsonTextField(null=True, blank=True)  # tables, columns, questions
    proposal = JsonTextField(null=True, blank=True)  # see proposes
    mapping = JsonTextField(null=True, blank=True)  # column to field path
    recipe = JsonTextField(null=True, blank=True)
    settled_by = JsonTextField(null=True, blank=True)  # an Actor; None: nobody to be remembered
    scope = models.CharField(max_length=200, blank=True)  # whose memory it uses: see Profile
    profile = JsonTextField(null=True, blank=True)  # {id, version} replayed on this file
    source = models.CharField(max_length=200, blank=True)  # storage folder with source.arrow
    revision = models.PositiveIntegerField(default=0)
    checked_revision = models.PositiveIntegerField(default=0)  # hosts were asked about; 0: none
    counts = JsonTextField(default=dict)

    stage = models.CharField(max_length=32, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    stage_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=200, blank=True)  # what the last of the tries broke on
    problem = JsonTextField(null=True, blank=True)
    failed_in = models.CharField(max_length=16, blank=True)

    class Meta:
        permissions = (
            ("review_importrecord", "Can see and change the rows and files of import records"),
        )
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "-public_id"], name="imports_of_a_tenant"),
            models.Index(fields=["tenant", "state", "-public_id"], name="imports_by_state"),
            models.Index(fields=["tenant", "created_at"], name="imports_by_time"),
            models.Index(
                fields=["tenant", "purpose", "filename", "public_id"], name="imports_by_name"
            ),
            models.Index(fields=["tenant", "sha256"], name="imports_of_the_same_bytes"),
            models.Index(
                fields=["due_at"], name="imports_due", condition=models.Q(due_at__isnull=False)
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
                condition=~models.Q(state="failed") | models.Q(problem__isnull=False),
            )
        ]

    def log_members(self) -> dict[str, Told]:
        """Return whose it is, its counts, how old it is, and the code of what ended it."""
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
        """Whether a worker has, or should have, this import in hand."""
        return self.state in self.WORKING

    @property
    def is_worked_on(self) -> bool:
        """Whether waiting helps: a worker has it in hand, and no bytes are still to come."""
        return self.is_working and self.state != self.State.RECEIVED

    @property
    def target(self) -> Catalog:
        """The catalog this import maps to; LookupError for a sample without one."""
        if self.catalog_version is None:
            raise LookupError(f"{self.public_id} has no catalog")
        return self.catalog_version.as_catalog()

    @property
    def catalog_key(self) -> str:
        """The key of the catalog this import maps to; empty for a sample without one."""
        return self.catalog_version.catalog.key if self.catalog_version else ""

    @property
    def catalog_number(self) -> int | None:
        """The number of the catalog version it maps to; None for a sample without one."""
        return self.catalog_version.number if self.catalog_version else None

    @property
    def chosen(self) -> ReadingChoices:
        """What somebody settled about how the file is read."""
        return choices_of(self.choices)

    @property
    def file_read(self) -> FileRead | None:
        """What reading the file came to; None before it was read, and once it is purged."""
        if not self.reading:
            return None
        kept = self.__dict__.get("_file_read")
        if kept is None or kept[0] is not self.reading:
            kept = self._file_read = (self.reading, file_read_kept(self.reading))
        read: FileRead = kept[1]
        return read

    @property
    def proposes(self) -> Proposal:
        """What is proposed for its columns; empty before it was read, and once it is purged."""
        kept = self.__dict__.get("_proposes")
        if kept is None or kept[0] is not self.proposal:
            kept = self._proposes = (self.proposal, Proposal.kept(self.proposal))
        proposal: Proposal = kept[1]
        return proposal

    @property
    def proposed(self) -> Draft:
        """What the proposal and the answers so far would map."""
        return self.proposes.draft

    @property
    def proposed_mapping(self) -> dict[str, str]:
        """What would be mapped, column to field path."""
        return dict(self.proposed.mapping)


class Settlement(models.Model):
    """What an import was told when some rows of it were made, as it was when they were left."""

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="settlements")
    transform = models.PositiveIntegerField()  # the revision that made the rows
    told = JsonTextField()  # columns of the import: mapping, recipe, reading and their like
    asked = JsonTextField()  # its questions, with their answers

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record", "transform"], name="a_transform_has_one_settlement"
            )
        ]

    def __str__(self) -> str:
        return f"{self.record_id} r{self.transform}"


class Workbook(Claimable):
    """The rows of an import at one revision as a workbook, written by a worker."""

    class State(models.TextChoices):
        """How far it is."""

        WRITING = "writing"  # by a worker, or waiting for one
        READY = "ready"  # the file is there
        FAILED = "failed"  # after several tries; whoever asks again has it tried anew

    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        State.WRITING: frozenset({State.READY, State.FAILED}),
    }

    record = models.ForeignKey(ImportRecord, on_delete=models.CASCADE, related_name="workbooks")
    revision = models.PositiveIntegerField()
    which = models.CharField(max_length=8)  # all or error
    language = models.CharField(max_length=8, default="en")  # of its reasons
    created_at = models.DateTimeField()
    file = models.CharField(max_length=200, blank=True)  # storage name
    done = models.PositiveBigIntegerField(default=0)  # rows
    total = models.PositiveBigIntegerField()
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["record", "revision", "which", "language"],
                name="a_workbook_is_written_once",
            )
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], name="workbooks_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


IMPORT_STATES = [  # of an import; a check ends in a state of its own
    choice for choice in ImportRecord.State.choices if choice[0] != ImportRecord.State.CHECKED
]


class Profile(models.Model):
    """
    A mapping and a recipe remembered for one header of one catalog; each change counts a version.

    ``scope`` keeps the customers of one host apart: nobody learns from another scope's files.
    """

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="profiles")
    scope = models.CharField(max_length=200, blank=True)
    catalog_key = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)  # of the header's names, in their order
    columns = JsonTextField()
    header_row = models.PositiveIntegerField(null=True, blank=True)  # 0-based, of the last file
    mapping = JsonTextField()
    recipe = JsonTextField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()
    saved_by = JsonTextField()  # an Actor
    taught_by = JsonTextField(default=list)  # public ids of the imports that were mapped so

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
    start = models.PositiveBigIntegerField()  # of its first byte in the file
    size = models.PositiveBigIntegerField()  # bytes
    sha256 = models.CharField(max_length=64)
    file = models.CharField(max_length=200)  # storage name

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["record", "start"], name="a_byte_arrives_once")
        ]

    def __str__(self) -> str:
        return f"{self.record_id} from {self.start}"
