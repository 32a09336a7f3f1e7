"""What an import has fetched from its host by key."""

from typing import Any, ClassVar

from django.db import models

from common.json_text import WordedJsonField
from common.work.claims import Claimable
from common.work.life import Detail
from imports.models import ImportRecord


class Lookup(Claimable):
    """The keys of an import, and how far a worker is with fetching what its host has for them."""

    class State(models.TextChoices):
        """The state of a lookup."""

        LOOKING = "looking"  # a worker fetches or will fetch
        DONE = "done"  # the host answered for every key of the revision
        FAILED = "failed"  # problem says why; a later call starts it again

    MOVES: ClassVar = {
        State.LOOKING: frozenset({State.DONE, State.FAILED}),
        State.DONE: frozenset({State.LOOKING}),
        State.FAILED: frozenset({State.LOOKING}),
    }
    WORKING: ClassVar = frozenset({State.LOOKING})

    record = models.OneToOneField(ImportRecord, on_delete=models.CASCADE, related_name="lookup")
    webhook_id = models.CharField(max_length=40)  # of the registration that answers
    revision = models.PositiveIntegerField(default=0)  # whose keys were fetched
    base = models.PositiveIntegerField(default=0)  # the revision whose files its rows lie over
    since = models.DateTimeField(null=True)  # when the first key that is kept was asked for
    problem = WordedJsonField(null=True)  # why it failed
    failed_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)  # of workers that stopped on the way

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], name="lookups_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def log_members(self) -> dict[str, Detail]:
        """Return the import, and who is asked."""
        about: dict[str, Any] = {"import": self.record.public_id, "webhook": self.webhook_id}
        return about | {"cause": str((self.problem or {}).get("code", ""))}

    def __str__(self) -> str:
        return self.public_id


class LookedUpKeys(models.Model):
    """The keys of one answered page, as numbers: neither keys nor values are stored."""

    lookup = models.ForeignKey(Lookup, on_delete=models.CASCADE, related_name="pages")
    entity = models.CharField(max_length=200)
    keys = models.BinaryField()  # int64 each, as of ``exact_digests``
    refs = models.BinaryField()  # int64 each, of the entities in the answer

    def __str__(self) -> str:
        return f"{self.lookup_id} {self.entity}"
