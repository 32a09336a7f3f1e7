"""Feeds, their runs, and the files that they took."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db import models

from common.json_text import JsonTextField
from common.secrets import SealedTextField
from common.work.claims import Claimable
from common.work.life import Detail
from imports.models import ImportRecord
from licensing.models import Tenant
from mails.models import ADDRESS_LENGTH

LONGEST_NAME = 120
LONGEST_CODE = 64


class Feed(Claimable):
    """A place where files arrive, how often it is looked at, and what becomes of its files."""

    class State(models.TextChoices):
        """Whether a worker looks for files."""

        ACTIVE = "active"  # a worker looks when it is due
        PAUSED = "paused"  # until a person resumes it

    class Kind(models.TextChoices):
        """What kind of place it is."""

        SFTP = "sftp"
        S3 = "s3"
        HTTPS = "https"
        IMAP = "imap"

    class Health(models.TextChoices):
        """How its last run ended."""

        NEW = "new"  # it has not run yet
        GOOD = "good"
        FAILING = "failing"  # the last run failed, or refused a file

    class Why(models.TextChoices):
        """Why it is due next."""

        SCHEDULE = "schedule"
        LOOK = "look"  # files are still being written, or more wait
        RETRY = "retry"  # the last run failed
        REQUEST = "request"  # a person or a host wants it now

    S = State
    WORKING = frozenset({S.ACTIVE})
    REVOKED = frozenset({S.PAUSED})
    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        S.ACTIVE: frozenset({S.PAUSED}),
        S.PAUSED: frozenset({S.ACTIVE}),
    }

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="feeds")
    name = models.CharField(max_length=LONGEST_NAME)
    scope = models.CharField(max_length=200, blank=True)  # whose memory its imports use
    catalog_key = models.CharField(max_length=200)
    meta = JsonTextField(null=True, blank=True)  # the host's context, delivered unchanged
    kind = models.CharField(max_length=8, choices=Kind)
    settings = JsonTextField()  # where the place is; no secret
    secret = SealedTextField(blank=True)  # JSON; never shown again
    host_key = models.CharField(max_length=200, blank=True)  # pinned at the first contact
    position = models.CharField(max_length=64, blank=True, db_default="")  # of the last listing
    schedule = models.CharField(max_length=120)  # a cron expression
    time_zone = models.CharField(max_length=64, default="UTC")
    rules = JsonTextField(default=dict)  # when imports are applied alone: feeds.applying.rules
    after_taking = JsonTextField(default=dict)  # {action, to}
    profile_id = models.CharField(max_length=40, blank=True, db_default="")  # blank: by the header
    sender = JsonTextField(null=True, blank=True)  # who hears of its files: feeds.applying.senders
    summary_due_at = models.DateTimeField(null=True, blank=True)  # of the sender; null: none
    due_why = models.CharField(max_length=8, choices=Why, default=Why.SCHEDULE)
    health = models.CharField(max_length=8, choices=Health, default=Health.NEW)
    failures = models.PositiveIntegerField(default=0)  # in a row
    failing_since = models.DateTimeField(null=True, blank=True)  # when the first of them ended
    last_run_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    created_by = JsonTextField()  # an Actor

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "-public_id"], name="feeds_of_a_tenant"),
            models.Index(
                fields=["due_at"], name="feeds_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(
                fields=["failing_since"],
                name="feeds_failing",
                condition=models.Q(failing_since__isnull=False),
            ),
            models.Index(
                fields=["summary_due_at"],
                name="feeds_summaries_due",
                condition=models.Q(summary_due_at__isnull=False),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="an_active_feed_has_a_next_run",
                condition=~models.Q(state="active") | models.Q(due_at__isnull=False),
            )
        ]

    def log_members(self) -> dict[str, Detail]:
        """Return the tenant and how often it failed."""
        return {"tenant": self.tenant.public_id, "failures": self.failures}

    def __str__(self) -> str:
        return self.public_id


class FeedRun(models.Model):
    """One look at the place of a feed, and what came of it."""

    class Outcome(models.TextChoices):
        """How it ended."""

        RUNNING = "running"
        WAITING = "waiting"  # files are still being written; it goes on
        NOTHING = "nothing"  # no new file
        TAKEN = "taken"  # every new file became an import, or was the same as before
        REFUSED = "refused"  # a file cannot be imported
        FAILED = "failed"  # the place could not be read
        LOST = "lost"  # its worker died, or the feed was paused

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    feed = models.ForeignKey(Feed, on_delete=models.CASCADE, related_name="runs")
    why = models.CharField(max_length=8, choices=Feed.Why)
    due_at = models.DateTimeField()
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.RUNNING)
    counts = JsonTextField(default=dict)  # listed, imported, same, refused, waiting; source_...
    problem = JsonTextField(null=True, blank=True)  # {code, params}

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["feed", "-public_id"], name="runs_of_a_feed"),
            models.Index(fields=["started_at"], name="runs_by_time"),
        ]

    def __str__(self) -> str:
        return self.public_id


class TakenFile(models.Model):
    """
    One file of a feed: its path, size and time, and later its digest and its import.

    ``mark`` is a digest of what the place says of the file, so a file that changed is another one.
    """

    class Stage(models.TextChoices):
        """How far it is."""

        SEEN = "seen"  # it may still be written
        TAKEN = "taken"  # its bytes are stored; the place is not told yet
        DONE = "done"  # moved, renamed, deleted or kept

    class Outcome(models.TextChoices):
        """What became of it."""

        NONE = ""
        IMPORTED = "imported"
        SAME = "same"  # the same bytes as the file before it
        REFUSED = "refused"  # it cannot be imported

    feed = models.ForeignKey(Feed, on_delete=models.CASCADE, related_name="files")
    mark = models.CharField(max_length=64)
    path = models.TextField()
    size = models.PositiveBigIntegerField(null=True)  # bytes, as the place says
    modified = models.DateTimeField(null=True)
    version = models.CharField(max_length=200, blank=True)
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.SEEN)
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True)
    digest = models.CharField(max_length=64, blank=True)  # sha256
    problem = JsonTextField(null=True, blank=True)  # {code, params} of a refusal
    run = models.ForeignKey(FeedRun, on_delete=models.SET_NULL, null=True, related_name="files")
    record = models.OneToOneField(
        ImportRecord, on_delete=models.SET_NULL, null=True, related_name="feed_file"
    )
    seen_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)  # its import is over, or a person decides
    sender = models.CharField(max_length=ADDRESS_LENGTH, blank=True, db_default="")  # of a mail
    mailed = models.CharField(max_length=8, blank=True, db_default="")  # what its sender heard last
    picture = JsonTextField(null=True)  # of its columns, which later files are compared with

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["feed", "digest"], name="feed_files_by_digest"),
            models.Index(
                fields=["feed", "id"],
                name="feed_files_not_settled",
                condition=models.Q(outcome="imported", settled_at__isnull=True),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["feed", "mark"], name="a_file_is_taken_once"),
        ]

    def __str__(self) -> str:
        return f"{self.feed_id}: {self.stage}"

    @property
    def named(self) -> dict[str, Any]:
        """Where it came from, as its import says it."""
        return {
            "feedId": self.feed.public_id,
            "kind": self.feed.kind,
            "path": self.path,
            "modifiedAt": self.modified and self.modified.isoformat(),
        }
